import CLMDB
import CLMDBGuard
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A directory with one LMDB data file, opened for reading and writing.
///
///     let environment = try Environment.open(at: directory, options: EnvironmentOptions())
///     var transaction = try environment.beginWrite()
///     let table = try transaction.openTable("events", create: true)!
///     try transaction.put(key, value, in: table, mode: .append)
///     try transaction.commit()
///
/// Readers never wait for writers, nor writers for readers; there is one writer at a time, over all processes. This
/// class meets the requirements that LMDB sets for its callers and does not check:
///
/// - A file is opened once in a process (see `EnvironmentRegistry`).
/// - A write transaction stays on one thread, and a second one on that thread is an error instead of a hang.
/// - The map is resized only while no transaction of the process is live: a *gate* holds new ones back until then.
/// - A table's handle is opened while no other transaction opens one, and closed while it is not in use.
///
/// It may be used from any thread. The monitor guards `state`; LMDB guards its own state in `engine`.
@safe
package final class Environment: Sendable {
  /// The directory, as passed by the caller.
  package let path: String
  /// The identity of the data file.
  package let identity: FileIdentity
  /// The absolute path of the data file as a C string, which need not be UTF-8.
  let filePath: [CChar]

  let lockIdentity: FileIdentity
  let monitor = Monitor()
  let options: EnvironmentOptions
  /// Distinguishes this environment's tables from the tables of other environments.
  @usableFromInline let number: UInt32
  /// LMDB's environment; used outside the monitor only while counted in `State.useCount`.
  nonisolated(unsafe) let engine: OpaquePointer
  /// Read and changed inside the monitor only.
  nonisolated(unsafe) var state = State()

  @safe
  struct State {
    var isClosed = false
    /// Set if the map was lost during a resize. The environment can then only be closed.
    var isBroken = false
    /// The number of live read transactions and other calls that need the map or the engine.
    var useCount = 0
    /// The thread that has, or is about to get, the write transaction of this process.
    var writer: ThreadIdentity?
    /// Whether the writer still waits for another process's.
    ///
    /// Until then tables may be opened, and the map may move.
    var isWriterWaiting = false
    /// Whether a thread waits for all transactions to end.
    ///
    /// New transactions wait until it is done.
    var isGateClosed = false
    /// Whether table handles are being opened outside of a write transaction.
    var isOpeningTables = false
    /// Read transactions that were reset and keep their reader slots.
    var idleReaders: [OpaquePointer] = unsafe []
    var tables = TableDirectory()
    /// Where the file is in memory, once a cursor needed it.
    var fileMap: FileMap?
    /// The locks of this process, or `nil` for a read-only or closed environment.
    var presence: Presence?
    /// When a writer last looked whether these locks were lost.
    var presenceExamined: ContinuousClock.Instant?
    /// When the reader slots of dead processes were last freed.
    var readersChecked = ContinuousClock.now
  }

  /// The unnamed table, whose keys are the names of the others.
  static let mainHandle: UInt32 = 1
  private static let lastNumber = Atomic<UInt32>(0)

  private init(
    path: String, options: EnvironmentOptions, identity: FileIdentity, lockIdentity: FileIdentity,
    engine: OpaquePointer
  ) {
    self.path = path
    self.options = options
    self.identity = identity
    self.lockIdentity = lockIdentity
    filePath = absolutePath(path + "/data.mdb")
    unsafe self.engine = unsafe engine
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
  }

  deinit {
    // Every transaction retains the environment, so none is live here.
    if unsafe !state.isClosed { closeEngine() }
  }
}

extension Environment {
  /// Opens the environment in an existing directory; creates its files if they are missing.
  ///
  /// The files are readable by their owner only, and child processes do not inherit their descriptors. Reader slots of
  /// dead processes are freed. A read-only environment is neither created nor locked. The creation of a file is not
  /// safe against a crash: do it inside ``createDirectoryAtomically(at:_:)``.
  ///
  /// If another thread is closing the same environment, this method waits until it is closed.
  ///
  /// - Throws: `LMDBError` of kind `alreadyOpen` if this process has the same file open, under whatever path;
  ///   `lockLost` if another process has it open and has lost its lock.
  package static func open(
    at directory: String, options: EnvironmentOptions = EnvironmentOptions()
  ) throws(LMDBError) -> Environment {
    let paths = [directory + "/data.mdb", directory + "/lock.mdb"]
    return try EnvironmentRegistry.withFiles(opening: paths) { files throws(LMDBError) -> Environment in
      for path in paths {
        guard let identity = try FileIdentity(ofFileAt: path), files.contains(identity) else { continue }
        throw LMDBError(.alreadyOpen, .openEnvironment, path: directory)
      }
      if options.isReadOnly { return try openReadOnly(at: directory, options: options, files: &files) }
      let lockFile = LockFile(path: paths[1])
      let directoryLock = try Presence.admit(to: directory, lockFile)
      if lockFile.exists() {
        try lockFile.takeRoom()
      } else {
        // Only LMDB knows the size of the file; so it creates the file, which is opened again once it has room.
        try lockFile.checkRoom()
        unsafe mdb_env_close(try openEngine(at: directory, options: options))
        try lockFile.takeRoom()
      }
      let engine = try unsafe openEngine(at: directory, options: options)
      guard let identity = try FileIdentity(ofFileAt: paths[0]), let lock = try FileIdentity(ofFileAt: paths[1]) else {
        unsafe mdb_env_close(engine)
        throw LMDBError(.noSuchFile, .openEnvironment, path: directory)
      }
      files.formUnion([identity, lock])
      let environment = unsafe Environment(
        path: directory, options: options, identity: identity, lockIdentity: lock, engine: engine)
      unsafe environment.state.presence = Presence(directoryLock, lockFile)
      return environment
    }
  }

  private static func openReadOnly(
    at directory: String, options: EnvironmentOptions, files: inout Set<FileIdentity>
  ) throws(LMDBError) -> Environment {
    let engine = try unsafe openEngine(at: directory, options: options)
    guard let identity = try FileIdentity(ofFileAt: directory + "/data.mdb") else {
      unsafe mdb_env_close(engine)
      throw LMDBError(.noSuchFile, .openEnvironment, path: directory)
    }
    files.insert(identity)
    return unsafe Environment(
      path: directory, options: options, identity: identity, lockIdentity: identity, engine: engine)
  }

  private static func openEngine(
    at directory: String, options: EnvironmentOptions
  ) throws(LMDBError) -> OpaquePointer {
    var size = options.mapSizeInBytes
    while true {
      var created: OpaquePointer?
      let code = unsafe mdb_env_create(&created)
      guard code == 0, let engine = unsafe created else {
        throw LMDBError(code: code, .openEnvironment, path: directory)
      }
      let failure = unsafe prepare(engine, at: directory, options: options, mapSize: size)
      if failure == 0 { return unsafe engine }
      unsafe mdb_env_close(engine)
      // Under a limit of address space a smaller map may suffice; LMDB maps at least the whole file.
      guard failure == ENOMEM, size > leastMapSizeInBytes else {
        throw LMDBError(code: failure, .openEnvironment, path: directory)
      }
      size = max(size / 2, leastMapSizeInBytes)
    }
  }

  /// The smallest map to try if the process has too little address space.
  private static let leastMapSizeInBytes = 16 << 20

  private static func prepare(
    _ engine: OpaquePointer, at directory: String, options: EnvironmentOptions, mapSize: Int
  ) -> CInt {
    let access = options.isReadOnly ? UInt32(bitPattern: MDB_RDONLY) | UInt32(bitPattern: MDB_NOLOCK) : 0
    let flags = UInt32(bitPattern: MDB_NOTLS) | options.flush.flags | access
    var descriptor: CInt = -1
    var staleCount: CInt = 0
    let steps: [() -> CInt] = [
      { unsafe daybook_lmdb_guard(engine) },
      { unsafe mdb_env_set_mapsize(engine, roundedToPages(mapSize)) },
      { unsafe mdb_env_set_maxreaders(engine, UInt32(options.maximumReaders)) },
      { unsafe mdb_env_set_maxdbs(engine, UInt32(options.maximumTables)) },
      { unsafe mdb_env_open(engine, directory, flags, 0o600) },
      { unsafe mdb_env_get_fd(engine, &descriptor) },
      { fcntl(descriptor, F_SETFD, FD_CLOEXEC) == -1 ? errno : 0 },
      { unsafe mdb_reader_check(engine, &staleCount) },
      { unsafe prepareMainTable(engine) },
    ]
    for step in steps {
      let code = step()
      if code != 0 { return code }
    }
    return 0
  }

  /// Makes LMDB set the unnamed table's comparison function.
  ///
  /// LMDB does this at the first opening only.
  private static func prepareMainTable(_ engine: OpaquePointer) -> CInt {
    var transaction: OpaquePointer?
    let code = unsafe mdb_txn_begin(engine, nil, UInt32(bitPattern: MDB_RDONLY), &transaction)
    guard code == 0 else { return code }
    defer { unsafe mdb_txn_abort(transaction) }
    var handle: UInt32 = 0
    return unsafe mdb_dbi_open(transaction, nil, 0, &handle)
  }

  static func roundedToPages(_ size: Int) -> Int {
    let pageSize = Int(sysconf(CInt(_SC_PAGESIZE)))
    let (sum, overflow) = size.addingReportingOverflow(pageSize - 1)
    let rounded = overflow ? Int.max : sum
    return rounded - rounded % pageSize
  }
}

extension Environment {
  /// Closes the environment, once all transactions of this process have ended.
  ///
  /// New transactions wait until then. If live transactions do not end within the limit, the environment stays open and
  /// usable, because closing it would unmap memory that they read. Closing twice has no effect.
  ///
  /// - Returns: Whether the environment is closed.
  @discardableResult
  package func close(waitingAtMost limit: Duration = .seconds(5)) -> Bool {
    monitor.withLock {
      if unsafe state.isClosed { return true }
      guard closeGate(waitingAtMost: limit, passesWaitingWriter: false) else {
        if unsafe !state.isClosed { EnvironmentRegistry.noteOpen([identity, lockIdentity]) }
        return unsafe state.isClosed
      }
      defer { openGate() }
      // Another thread may have closed it while this one waited.
      if unsafe !state.isClosed { closeEngine() }
      return true
    }
  }

  /// Announces a close; until the environment is closed, opening it in this process waits.
  package func noteClosing() {
    EnvironmentRegistry.noteClosing([identity, lockIdentity])
  }

  /// Whether the calling thread has, or is about to get, the write transaction.
  package var isWritingOnThisThread: Bool { monitor.withLock { unsafe state.writer == .current } }

  /// Returns whether any process, including this one, has the environment in a directory open.
  ///
  /// The result is `false` if the directory does not exist.
  package static func isOpenAnywhere(at directory: String) -> Bool { Presence.isAnywhere(in: directory) }

  /// Runs `body` while no process has the environment in a directory open; one that opens it meanwhile waits for a
  /// second, and is refused then.
  ///
  /// - Returns: What `body` returned; nil, without having run it, if a process has the environment open for a second.
  package static func whileUnused<Result>(at directory: String, _ body: () throws -> Result) throws -> Result? {
    guard let lock = try Presence.exclusion(of: directory) else { return nil }
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  /// Closes LMDB's environment. Must be called inside the monitor, or from `deinit`.
  private func closeEngine() {
    unsafe state.idleReaders.forEach(mdb_txn_abort)
    unsafe state.idleReaders.removeAll()
    unsafe state.isClosed = true
    unsafe mdb_env_close(engine)
    // Release the presence last, because this closes a descriptor of the lock file.
    unsafe state.presence = nil
    EnvironmentRegistry.remove([identity, lockIdentity])
  }

  /// Creates an error that names this environment.
  @usableFromInline
  func failure(_ code: CInt, _ operation: LMDBError.Operation, detail: String = "") -> LMDBError {
    LMDBError(code: code, operation, path: path, detail: detail)
  }

  func refusal(_ kind: LMDBError.Kind, _ operation: LMDBError.Operation, detail: String = "") -> LMDBError {
    LMDBError(kind, operation, path: path, detail: detail)
  }
}

private extension EnvironmentOptions.Flush {
  var flags: UInt32 {
    switch self {
    case .full: 0
    case .relaxed: UInt32(bitPattern: MDB_NOMETASYNC)
    case .none: UInt32(bitPattern: MDB_NOSYNC)
    }
  }
}
