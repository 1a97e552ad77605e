import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// Copies journals, for backups, restored and compact stores.
///
/// Everything is written under a temporary name beside the final one, verified there, flushed, and renamed without
/// replacing anything.
package struct JournalCopier {
  let options: StoreOptions
  let progress: ((StoreProgress) -> Void)?

  package init(options: StoreOptions, progress: ((StoreProgress) -> Void)?) {
    (self.options, self.progress) = (options, progress)
  }

  /// Opens only the journal of a store, so that damaged projections do not prevent a copy.
  package func withJournal(
    ofStoreAt path: String, _ body: (JournalCopier, Environment) throws -> StoreVerification
  ) throws -> StoreVerification {
    do {
      let directory = StoreDirectory(path)
      try directory.check(options)
      try directory.checkJournalFile()
      let workingCopy = try WorkingCopy(ofReadOnly: directory, progress: progress)
      defer { workingCopy?.remove() }
      let journal = try (workingCopy?.directory ?? directory).openJournal(options)
      defer { journal.close() }
      return try body(self, journal)
    } catch {
      throw StoreError.translating(error)
    }
  }

  package func backup(_ journal: Environment, to path: String) throws -> StoreVerification {
    let (parent, name) = splitPath(path)
    try requireAbsence(path)
    // A directory, because an environment is one; the copy is verified like any other store.
    let unfinished = try UnfinishedDirectory(in: parent, for: name)
    defer { unfinished.remove() }
    let temporary = StoreDirectory(unfinished.path)
    // Contradictions between events are accepted: a journal whose content is as it was written may be backed up.
    let copy = try copy(journal, to: temporary, requiresFolding: false)
    try renameWithoutReplacing(temporary.journalFile, to: path)
    try flushToDisk(parent, isDirectory: true)
    return copy
  }

  package func restore(_ file: String, to path: String) throws -> StoreVerification {
    guard let kind = try FileKind(ofFileAt: file) else {
      throw StoreError(.notFound, "There is no backup \(file).", advice: "Check the path.")
    }
    if kind == .directory {
      // The source is another store, perhaps in use: its journal is copied as for a backup.
      return try withJournal(ofStoreAt: file) { copier, journal in
        try copier.create(path) { try copier.copy(journal, to: $0) }
      }
    }
    return try create(path) { directory in
      try directory.makeDirectory(directory.journalPath)
      try copyFile(file, to: directory.journalFile, progress: progress)
      try directory.checkJournalFile()
      return try verify(directory)
    }
  }

  package func compact(_ journal: Environment, to path: String) throws -> StoreVerification {
    try create(path) { directory in
      let copy = try copy(journal, to: directory)
      // Opening builds the projections, and closing marks them as complete. The mark names the file by its inode, which
      // renaming the directory does not change.
      try BackgroundServices.run(in: directory, options: options)
      return copy
    }
  }

  /// Creates a store in a temporary directory that `fill` populates.
  private func create(_ path: String, _ fill: (StoreDirectory) throws -> StoreVerification) throws -> StoreVerification
  {
    var copy: StoreVerification?
    try StoreDirectory(path).create { directory in
      copy = try fill(directory)
      try directory.removeLocks()
    }
    guard let copy else { preconditionFailure("What was created was filled.") }
    return copy
  }

  /// Writes the journal of a store into a directory, without free pages, and verifies the copy.
  ///
  /// - Parameter requiresFolding: Whether a store must be able to open the copy.
  private func copy(
    _ journal: Environment, to directory: StoreDirectory, requiresFolding: Bool = true
  ) throws -> StoreVerification {
    try directory.makeDirectory(directory.journalPath)
    // The engine reads through the map and would crash on a damaged page, so the pages are checked first.
    progress?(StoreProgress(activity: "checking pages", completed: 0, total: nil, unit: "pages"))
    if let fault = try journal.checkPages().faults.first {
      throw StoreError(
        .damaged, "The journal is damaged and cannot be copied: \(fault).",
        advice: .verifyAndRestore)
    }
    let size = UInt64(clamping: try journal.fileSizeInBytes())
    progress?(StoreProgress(activity: "copying", completed: 0, total: size, unit: "bytes"))
    let file = try NewFile(at: directory.journalFile)
    do {
      defer { file.close() }
      try journal.copyCompacting(to: file.descriptor)
      try file.flush()
    }
    progress?(StoreProgress(activity: "copying", completed: size, total: size, unit: "bytes"))
    return try verify(directory, requiresFolding: requiresFolding)
  }

  private func verify(_ directory: StoreDirectory, requiresFolding: Bool = true) throws -> StoreVerification {
    let verifier = StoreVerifier(expectations: [:], options: options, progress: progress)
    var result = try verifier.verify(directory.path)
    let isGood = result.isJournalWhole && (result.isJournalFoldable || !requiresFolding)
    if let fault = result.faults.first, !isGood {
      let further = result.faults.count > 1 ? " There are \(result.faults.count - 1) more faults." : ""
      throw StoreError(
        .damaged, "The copied journal is damaged: \(fault).\(further) Nothing was written.",
        advice: .verifySource)
    }
    precondition(result.hash != nil, "A journal without faults has a commit.")
    let size = try FileManager.default.attributesOfItem(atPath: directory.journalFile)[.size] as? Int
    result.journalSizeInBytes = size ?? 0
    // The notes are about the projections, which the copy lacks until it is opened, or about the source as well.
    result.notes = []
    return result
  }

  private func requireAbsence(_ path: String) throws {
    if try FileIdentity(ofFileAt: path) != nil { throw StoreError(systemError: EEXIST, "create", path) }
  }
}

private extension StoreDirectory {
  /// Removes the lock files of closed environments that no other process has opened.
  func removeLocks() throws {
    for path in [journalPath, projectionsPath].map({ $0 + "/lock.mdb" }) {
      if try FileKind(ofFileAt: path) != nil { try removeTree(path) }
    }
  }
}
