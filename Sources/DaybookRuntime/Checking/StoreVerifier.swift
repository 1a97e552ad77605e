import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// Verifies a store in steps; see ``StoreVerification``.
///
/// **Concurrent writers.** Pages are checked with ordinary reads, which may see a page half old and half new while it
/// is being written. The pages of a commit with an active reader are never written to. So the order is: first the meta
/// pages and the pages that they name, so that it is safe to open the file with the engine; then the engine is opened
/// and a read transaction begun in each environment, the projections' first; then the pages of exactly these two
/// commits are checked; and only then rows are read through the map. The unnamed table is part of the first check
/// because table handles must be opened before the transactions that use them begin.
///
/// A file is never opened a second time in a process that has its environment open, because closing it would drop the
/// environment's locks: pages are read through the environment's own descriptor.
package struct StoreVerifier {
  let expectations: [Position: Digest]
  let options: StoreOptions
  let progress: ((StoreProgress) -> Void)?
  let faults = FaultList()

  package init(
    expectations: [Position: Digest], options: StoreOptions, progress: ((StoreProgress) -> Void)?
  ) {
    (self.expectations, self.options, self.progress) = (expectations, options, progress)
  }

  /// Verifies a store's directory, or a file with a journal.
  package func verify(_ path: String) throws -> StoreVerification {
    guard let kind = try FileKind(ofFileAt: path) else {
      throw StoreError(.notFound, "There is nothing at \(path).", advice: "Check the path.")
    }
    guard kind == .directory else { return try verifyFile(path) }
    let directory = StoreDirectory(path)
    guard try directory.hasJournal else {
      throw StoreError(.notAStore, "\(path) is not a Daybook store: it has no journal.", advice: "Check the path.")
    }
    guard try isHeadSound(.journal, directory.journalFile) else { return faults.result }
    if let workingCopy = try WorkingCopy(ofReadOnly: directory, progress: progress) {
      defer { workingCopy.remove() }
      faults.summary.notes.append(
        "The store is on a volume that is mounted read-only: a copy of its journal was verified. Its projections are not used there."
      )
      return try verify(workingCopy.directory)
    }
    return try verify(directory)
  }

  /// Verifies the files of a store whose journal has a sound head.
  private func verify(_ directory: StoreDirectory) throws -> StoreVerification {
    guard let journal = try open(.journal, { try directory.openJournal(options) }) else {
      return faults.result
    }
    defer { journal.close() }
    let projections = try openProjections(of: directory)
    defer { projections?.close() }
    var result = try verify(journal, projections)
    if projections != nil, faults.concerns(.projections), try !distrustProjections(of: directory, journal) {
      result.notes.append(
        "Another process writes: the projections stay in use. Verify again, or rebuild all projections, when it has ended."
      )
    }
    result.notes += SnapshotFiles(of: directory).damaged().map { position, projection in
      if let projection {
        return "The rows of the projection \(projection) beside the snapshot of position \(position) are damaged or of "
          + "another version; they are removed before they would be read."
      }
      return "The snapshot of position \(position) is damaged or of another version; it is removed before it would be "
        + "read."
    }
    return result
  }

  /// How long a verification that has found faults waits for a writer.
  private static let lockTimeLimit = Duration.seconds(1)

  /// Makes the next process that opens the store, or writes to it, discard its projections.
  ///
  /// - Returns: `false` if another process writes.
  private func distrustProjections(of directory: StoreDirectory, _ journal: Environment) throws -> Bool {
    guard faults.summary.isJournalWhole else { return true }
    let opening = ProjectionsOpening(
      directory: directory, options: options, environment: journal,
      tables: try directory.openJournalTables(in: journal))
    do {
      var transaction = try journal.beginWrite(waitingAtMost: StoreVerifier.lockTimeLimit)
      if try opening.distrust(in: &transaction) { try transaction.commit(isDurable: true) }
      return true
    } catch let error as LMDBError where error.kind == .writerBusy {
      return false
    }
  }

  /// Opens the projections; returns `nil`, and adds a note or faults, if they cannot be opened.
  private func openProjections(of directory: StoreDirectory) throws -> Environment? {
    guard try FileKind(ofFileAt: directory.projectionsFile) != nil else {
      if faults.summary.notes.isEmpty {
        faults.summary.notes.append("There are no projections; they are built when the store is opened.")
      }
      return nil
    }
    guard try isHeadSound(.projections, directory.projectionsFile) else { return nil }
    return try open(.projections) { try directory.openProjections(options) }
  }

  /// Verifies a file that holds a journal, such as a backup, in a private copy.
  private func verifyFile(_ path: String) throws -> StoreVerification {
    let temporary = try TemporaryStorage(prefix: "daybook-verify")
    defer { temporary.remove() }
    let directory = StoreDirectory(temporary.path)
    try directory.makeDirectory(directory.journalPath)
    try copyFile(path, to: directory.journalFile, progress: progress)
    return try verify(temporary.path)
  }

  /// Checks the parts of a file that must be sound before the engine may open it.
  private func isHeadSound(_ part: Fault.Part, _ path: String) throws -> Bool {
    do {
      let check = try PageCheck.checkHead(fileAt: path)
      faults.report(part, check)
      return check.isSound
    } catch {
      guard [.notRegularFile, .noSuchFile, .endOfFile].contains(error.kind) else { throw error }
      faults.report(part, "\(part.rawValue) file", error.kind.explanation)
      return false
    }
  }

  /// Opens an environment; returns `nil`, and reports a fault, if the engine refuses the file.
  private func open(_ part: Fault.Part, _ body: () throws -> Environment) throws -> Environment? {
    do {
      return try body()
    } catch let error as LMDBError where [.invalidFile, .versionMismatch, .corrupted].contains(error.kind) {
      faults.report(part, "\(part.rawValue) file", error.kind.explanation)
      return nil
    }
  }

  /// Verifies two open environments.
  package func verify(_ journal: Environment, _ projections: Environment?) throws -> StoreVerification {
    // Another round is needed only if a rebuild replaces tables between two steps, or the first large value is written.
    for _ in 0..<10 {
      if let result = try verifyOnce(journal, projections), !faults.needsRestart { return result }
      faults.restart()
    }
    throw StoreError(.busy, "Other processes rebuild the store all the time.", advice: "Try again.")
  }

  /// Verifies the last commits; returns `nil` if the projections' tables were replaced.
  private func verifyOnce(_ journal: Environment, _ projections: Environment?) throws -> StoreVerification? {
    let journalTables = try OpenedTables(journal)
    let limit = StoreVerification.maximumFaultCount
    guard let projections else {
      try journal.withPinnedRead(maximumFaultCount: limit) { read in
        guard let findings = try check(read, journalTables) else { return }
        if isDiscarded(findings.journal, beside: journal) { noteDiscarded() }
        try fold(findings, comparing: nil)
      }
      return faults.result
    }
    let projectionTables = try OpenedTables(projections)
    // The projections are opened first, so the journal contains all commits that they have folded.
    let isComplete = try projections.withPinnedRead(maximumFaultCount: limit) { lower in
      try journal.withPinnedRead(maximumFaultCount: limit) { read in
        let findings = try check(read, journalTables)
        return try check(lower, projectionTables, findings, beside: journal)
      }
    }
    return isComplete ? faults.result : nil
  }

  /// Checks the projections, unless they will be discarded or the journal cannot be read.
  ///
  /// - Returns: Whether the open tables are the ones in use.
  private func check(
    _ read: PinnedRead, _ tables: OpenedTables, _ findings: JournalFindings?, beside environment: Environment
  ) throws -> Bool {
    if let findings, isDiscarded(findings.journal, beside: environment) {
      noteDiscarded()
      try fold(findings, comparing: nil)
      return true
    }
    let pages = read.checkPages()
    faults.summary.pageCount += pages.usedPageCount
    faults.report(.projections, pages)
    guard let findings else { return true }
    guard pages.isSound else {
      try fold(findings, comparing: nil)
      return true
    }
    let subject = ProjectionsCheck(snapshot: read.snapshot, tables: tables, findings: findings, faults: faults)
    let userProjections = UserProjectionsCheck(
      subject: subject, projections: options.projections, memoryLimit: options.rebuildMemoryInBytes,
      progress: progress)
    guard try subject.hasTables else { return false }
    try subject.checkRows()
    try fold(findings, comparing: subject)
    try compare(userProjections)
    return true
  }

  /// Checks the pages of the journal, and its contents; returns `nil` if they cannot be read.
  private func check(_ read: PinnedRead, _ tables: OpenedTables) throws -> JournalFindings? {
    progress?(StoreProgress(activity: "checking pages", completed: 0, total: nil, unit: "pages"))
    let pages = read.checkPages()
    faults.summary.pageCount += pages.usedPageCount
    faults.report(.journal, pages)
    guard pages.isSound else {
      faults.summary.isJournalWhole = false
      return nil
    }
    guard let journalTables = tables.journalTables else {
      faults.summary.isJournalWhole = false
      for name in JournalTables.names where tables[name] == nil {
        faults.report(.journal, "journal file", "it has no table “\(name)”, so it is not a journal of Daybook")
      }
      return nil
    }
    let journal = LMDBJournal(snapshot: read.snapshot, tables: journalTables)
    var check = JournalCheck(
      journal: journal, largeValues: tables.largeValues, faults: faults, progress: progress)
    let findings = try check.run(expecting: expectations)
    faults.summary.head = findings.head
    faults.summary.hash = findings.hash
    faults.summary.commitCount = findings.commitCount
    faults.summary.eventCount = findings.eventCount
    return findings
  }

  /// Whether opening the store will discard its projections without reading them.
  ///
  /// That is so if they were in use when the operating system ended or their volume was unmounted, and may be torn; if
  /// they were found damaged before; or if an earlier version wrote them. Faults in them are irrelevant then.
  ///
  /// The projections of a copied directory will be discarded too, but are checked all the same: they should be sound.
  private func isDiscarded(_ journal: LMDBJournal, beside environment: Environment) -> Bool {
    let row: [UInt8]?
    // A damaged mark is itself a fault, and does not show whether the projections are discarded.
    do { row = try journal.meta(TrustMarker.key) } catch { return !faults.concerns(.projections) }
    guard let row, let marker = TrustMarker(row), marker.version == BuiltInTablesState.version else { return true }
    let directory = StoreDirectory(splitPath(environment.path).parent)
    return !marker.isClean && !VolumeRun(ofFileAt: directory.projectionsFile, options).keepsPages(of: marker.run)
  }

  /// Checks the rows of the projections of users, unless the journal is damaged.
  private func compare(_ userProjections: UserProjectionsCheck) throws {
    guard !faults.concerns(.journal) else { return }
    let outcome = try userProjections.run()
    faults.summary.rowCount += outcome.rowCount
    faults.summary.notes += outcome.notes
  }

  private func noteDiscarded() {
    faults.forget(.projections)
    guard faults.summary.notes.isEmpty else { return }
    faults.summary.notes.append(
      "The journal does not trust the projections: they were in use when the system or their volume ended, were found damaged, or are of an earlier version. They are built again when the store is opened."
    )
  }

  private func fold(_ findings: JournalFindings, comparing subject: ProjectionsCheck?) throws {
    let wasSound = !faults.concerns(.journal)
    let storage = try TemporaryStorage(prefix: "daybook-verify")
    defer { storage.remove() }
    let folding = StateFolding(
      findings: findings, storage: storage, memoryLimit: options.rebuildMemoryInBytes, faults: faults,
      progress: progress)
    let outcome = try folding.run(comparing: wasSound ? subject : nil)
    faults.summary.rowCount = outcome.rowCount
    faults.summary.notes += outcome.notes
    if let subject, !faults.concerns(.journal) {
      faults.summary.rowCount += try CommitIndexCheck(subject: subject, progress: progress).run()
    }
    if !wasSound {
      faults.summary.notes.append("The projections were not compared, because the journal is damaged.")
    }
  }
}

/// The tables of an environment, opened before the transactions that use them begin.
struct OpenedTables {
  private let tables: [String: Table]

  init(_ environment: Environment) throws {
    let names = try environment.withSnapshot { try $0.tableNames() }.filter(OpenedTables.isOurs)
    let opened = try environment.openTables(names)
    tables = Dictionary(zip(names, opened).compactMap { name, table in table.map { (name, $0) } }) { first, _ in first }
  }

  subscript(name: String) -> Table? { tables[name] }

  var names: [String] { tables.keys.sorted() }

  /// The tables of a journal, or `nil` if one is missing.
  var journalTables: JournalTables? {
    let found = JournalTables.names.compactMap { tables[$0] }
    return found.count == JournalTables.names.count ? JournalTables(found) : nil
  }

  /// The table of the large values, or `nil` if the journal has none.
  var largeValues: Table? { tables[LargeValueTable.name] }

  /// Whether Daybook uses a table name; tables with other names in a file stay closed.
  static func isOurs(_ name: String) -> Bool {
    JournalTables.names.contains(name) || name == LargeValueTable.name || name == BuiltInTablesState.tableName
      || name == CommitIndexRow.tableName || TableName(ofTable: name) != nil
      || name.hasPrefix(ProjectionRecord.tablePrefix)
  }
}
