import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// The files of a store: a directory with two environments.
package struct StoreDirectory {
  /// The path, without slashes at its end.
  package let path: String

  package init(_ path: String) {
    let end = path.unicodeScalars.lastIndex { $0 != "/" }
    self.path = end.map { String(path.unicodeScalars[...$0]) } ?? String(path.prefix(1))
  }

  var journalPath: String { path + "/journal" }
  var projectionsPath: String { path + "/projections" }
  /// Where projections are prepared that take the place of the present ones.
  var preparedPath: String { path + "/projections.new" }
  package var journalFile: String { journalPath + "/data.mdb" }
  package var projectionsFile: String { projectionsPath + "/data.mdb" }

  /// The lengths of both data files in bytes, free pages included; 0 for a file that cannot be found.
  var fileSizes: (journal: Int, projections: Int) {
    (StoreDirectory.size(ofFile: journalFile), StoreDirectory.size(ofFile: projectionsFile))
  }

  private static func size(ofFile path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether the path exists, as a store or anything else.
  ///
  /// - Throws: `LMDBError` if a directory above it may not be entered.
  package var exists: Bool { get throws(LMDBError) { try FileKind(ofFileAt: path) != nil } }

  /// Whether the journal's file exists.
  ///
  /// - Throws: `LMDBError` if a directory above it may not be entered.
  var hasJournal: Bool {
    get throws(LMDBError) {
      let kind = try FileKind(ofFileAt: journalFile)
      return kind != nil && kind != .directory
    }
  }

  /// - Throws: `StoreError` if the path is not a store, or is on a file system that the options do not allow.
  package func check(_ options: StoreOptions) throws {
    guard let kind = try FileKind(ofFileAt: path) else {
      throw StoreError(.notFound, "There is no store at \(path).", advice: .create)
    }
    guard kind == .directory, try hasJournal else {
      throw StoreError(
        .notAStore, "\(path) is not a Daybook store: it has no journal.", advice: "Check the path.")
    }
    if !options.allowsNetworkFileSystem, try isNetworkFileSystem(path) {
      throw StoreError(
        .inputOutput, "\(path) is on a network file system, where locks and maps are not reliable.",
        advice: "Move the store to a local disk, or allow it in the options.")
    }
  }

  /// Calls a closure while no process has the store open.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `busy` if a process has the store open.
  package func whileUnused<Result>(_ body: () throws -> Result) throws -> Result {
    if let result = try Environment.whileUnused(at: journalPath, body) { return result }
    throw StoreError(
      .busy, "A process has the store \(path) open.", advice: "End all programs that use it, and try again.")
  }

  /// Creates a store in a temporary directory, and renames it when all of it is on disk.
  ///
  /// - Returns: Whether the store was created; it is not if there is something at the path.
  /// - Throws: `StoreError`: `badModel`, `inputOutput`.
  package func create(model: Model, options: StoreOptions) throws -> Bool {
    guard try !exists else { return false }
    let first = try PendingCommit(creating: model, recordedAt: options.clock())
    do {
      try create { try $0.fill(first: first, options) }
      return true
    } catch let error as LMDBError where error.kind == .alreadyExists {
      // Another process has just created it.
      return false
    } catch let error as LMDBError where error.kind == .noSuchFile {
      throw StoreError(
        .inputOutput, "The store \(path) cannot be created: its directory does not exist.", advice: "Create that first."
      )
    }
  }

  /// Calls a closure with a temporary directory, and renames it to this one when all of it is on disk.
  ///
  /// If anything fails, nothing is left.
  package func create(_ fill: (StoreDirectory) throws -> Void) throws {
    try createDirectoryAtomically(at: path) { try fill(StoreDirectory($0)) }
  }

  /// Removes the directory with all that is in it.
  package func remove() throws { try removeTree(path) }

  /// Makes the journal of a new store, with a model as its only commit.
  package func fill(first: PendingCommit, _ options: StoreOptions) throws {
    let milliseconds = UInt64(max(0, first.header.recordedAt.microseconds / 1_000))
    let id = ObjectID(milliseconds: milliseconds, random: (options.randomBits(), options.randomBits()))
    try fill(id: id, first: first, options)
  }

  /// Makes a journal with a model as its only commit.
  package func fill(id: ObjectID, first: PendingCommit, _ options: StoreOptions) throws {
    try makeDirectory(journalPath)
    let environment = try openJournal(options)
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    for name in JournalTables.names { _ = try transaction.openTable(name, create: true) }
    var tables: [Table] = []
    for name in JournalTables.names {
      if let table = try transaction.openTable(name, create: true) { tables.append(table) }
    }
    let journal = JournalTables(tables)
    let format = StoreFormat.first.raised(to: first.neededFormat)
    var identity: [UInt8] = []
    identity.append(id)
    var models: [UInt8] = []
    models.appendFixed(first.header.position.number)
    try transaction.putMeta(JournalMeta.format, format.bytes, in: journal)
    try transaction.putMeta(JournalMeta.storeID, identity, in: journal)
    try transaction.putMeta(JournalMeta.models, models, in: journal)
    try transaction.append(first, to: journal)
    try transaction.commit()
  }

  /// Throws if the journal has damage that the storage engine would not survive.
  ///
  /// Only finds damage that shows without reading the whole file.
  ///
  /// - Throws: `StoreError` with the code `damaged`, or `notAStore` if the file never was a journal.
  /// - Complexity: O(1)
  func checkJournalFile() throws {
    let check = try PageCheck.checkHead(fileAt: journalFile)
    guard let fault = check.faults.first else { return }
    if check.isForeign {
      throw StoreError(
        .notAStore, "\(journalFile) is not the journal of a store, or nothing is left of it: \(fault).",
        advice: "Check the path, or restore a backup.")
    }
    throw StoreError(
      .damaged, "The journal \(journalFile) is damaged: \(fault).",
      advice: .verifyAndRestore)
  }

  /// - Parameter readers: Notified of the journal's readers by each check of a writer.
  func openJournal(_ options: StoreOptions, readers: ReaderWatch? = nil) throws -> Environment {
    var settings = EnvironmentOptions(
      mapSizeInBytes: options.journalMapSizeInBytes, maximumTables: 16,
      flush: options.durability == .full ? .full : .relaxed)
    settings.readerCheckInterval = options.readerCheckInterval
    settings.requiresPath = true
    if let readers { settings.afterReaderCheck = { readers.check($0) } }
    return try Environment.open(at: journalPath, options: settings)
  }

  /// - Parameter path: The directory of the environment; `nil` for the present projections.
  func openProjections(_ options: StoreOptions, at path: String? = nil) throws -> Environment {
    var settings = EnvironmentOptions(
      mapSizeInBytes: options.projectionsMapSizeInBytes, maximumTables: options.maximumTableCount, flush: .none,
      hasChecksums: TableName.hasChecksums)
    settings.readerCheckInterval = options.readerCheckInterval
    return try Environment.open(at: path ?? projectionsPath, options: settings)
  }

  func openJournalTables(in environment: Environment) throws -> JournalTables {
    let tables = try environment.openTables(JournalTables.names).compactMap { $0 }
    guard tables.count == JournalTables.names.count else {
      throw StoreError(
        .notAStore, "\(path) is not a Daybook store: its journal lacks tables.", advice: "Check the path.")
    }
    return JournalTables(tables)
  }

  func makeDirectory(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StoreError(.inputOutput, "Cannot create the directory \(path): \(String(cString: strerror(errno))).")
    }
  }
}
