import DaybookTestSupport
import LMDB
import Synchronization
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A directory for one test, removed when the object is released.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/daybook-lmdb-XXXXXX".utf8CString)
    guard let pointer = mkdtemp(&template) else { fatalError("No temporary directory could be made") }
    path = String(cString: pointer)
  }

  // Remaining files are in the system's temporary directory.
  deinit { try? removeTree(path) }

  var dataFile: String { path + "/data.mdb" }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Returns eight bytes that sort like the number.
func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } }

/// Returns whether a key precedes another in LMDB's order.
/// Returns a key that often shares a prefix with others.
func randomKey(_ generator: inout SeededRandom, longest: Int = 40) -> [UInt8] {
  let prefixes: [[UInt8]] = [
    [], [0], [0, 0, 0, 1], bytes("recipe"), bytes("recipe/title/"), [UInt8](repeating: 255, count: 9),
  ]
  let tail = (0..<Int.random(in: 0...12, using: &generator)).map { _ in UInt8.random(in: 0...3, using: &generator) }
  let key = (prefixes.randomElement(using: &generator) ?? []) + tail
  return key.isEmpty ? [1] : Array(key.prefix(longest))
}

func randomValue(_ generator: inout SeededRandom, longest: Int = 60) -> [UInt8] {
  let count = Int.random(in: 0...longest, using: &generator)
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}

extension [UInt8] {
  init(_ span: RawSpan) { self = span.withUnsafeBytes { Array($0) } }

  var rawSpan: RawSpan {
    @_lifetime(borrow self)
    get { _overrideLifetime(RawSpan(_unsafeBytes: withUnsafeBytes { $0 }), borrowing: self) }
  }
}

extension TransactionSnapshot {
  func value(_ key: [UInt8], in table: Table) throws -> [UInt8]? {
    guard let value = try value(for: key.rawSpan, in: table) else { return nil }
    return [UInt8](value)
  }

  func entries(in table: Table) throws -> [[[UInt8]]] {
    var cursor = try makeCursor(in: table)
    var entries: [[[UInt8]]] = []
    while try cursor.moveToNext() { entries.append([[UInt8](cursor.key), [UInt8](cursor.value)]) }
    return entries
  }
}

extension WriteTransaction {
  mutating func put(_ key: [UInt8], _ value: [UInt8], in table: Table, mode: PutMode = .replace) throws(LMDBError) {
    try put(key.rawSpan, value.rawSpan, in: table, mode: mode)
  }

  mutating func delete(_ key: [UInt8], in table: Table) throws(LMDBError) -> Bool {
    try delete(key.rawSpan, in: table)
  }

  mutating func createTable(_ name: String) throws -> Table {
    try #require(try openTable(name, create: true))
  }
}

extension MemoryTable {
  func put(_ key: [UInt8], _ value: [UInt8]) { put(key.rawSpan, value.rawSpan) }
  func delete(_ key: [UInt8]) { delete(key.rawSpan) }
  func remove(_ key: [UInt8]) { remove(key.rawSpan) }
}

extension Environment {
  static func temporary(
    _ directory: TemporaryDirectory, mapSizeInBytes: Int = 1 << 30, maximumReaders: Int = 64, maximumTables: Int = 16,
    flush: EnvironmentOptions.Flush = .none
  ) throws -> Environment {
    try open(
      at: directory.path,
      options: EnvironmentOptions(
        mapSizeInBytes: mapSizeInBytes, maximumReaders: maximumReaders, maximumTables: maximumTables, flush: flush))
  }

  func write<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
    var transaction = try beginWrite()
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  func read<Result>(_ body: (TransactionSnapshot) throws -> Result) throws -> Result {
    let transaction = try beginRead()
    return try body(transaction.snapshot)
  }

  func makeTable(_ name: String = "table") throws -> Table { try write { try $0.createTable(name) } }
}

/// Returns the kind of the error that a closure throws, or `nil`.
func kind(_ body: () throws -> Void) -> LMDBError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LMDBError)?.kind
  }
}

/// A closure on its own thread, for tests of threads.
final class Thread: @unchecked Sendable {
  // Only the new thread uses the body; joining orders the two.
  private let body: @Sendable () -> Void
  private var handle: pthread_t?

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    #if canImport(Darwin)
    var handle: pthread_t?
    #else
    var handle = pthread_t()
    #endif
    let code = pthread_create(
      &handle, nil,
      { pointer in
        #if canImport(Darwin)
        let pointer: UnsafeMutableRawPointer? = pointer
        #endif
        if let pointer { Unmanaged<Thread>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(code == 0)
    self.handle = handle
  }

  /// Waits for the thread's end.
  func join() {
    if let handle { pthread_join(handle, nil) }
    handle = nil
  }
}

/// Runs a closure on another thread and returns its result.
func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
  let result = Mutex<Result?>(nil)
  let box = Box(result: result)
  Thread { box.result.withLock { $0 = body() } }.join()
  guard let value = box.result.withLock({ $0 }) else { fatalError("The thread has ended") }
  return value
}

private final class Box<Result: Sendable>: Sendable {
  let result: Mutex<Result?>
  init(result: consuming Mutex<Result?>) { self.result = result }
}

/// Checks that a process ended by a trap, and not by an error.
func expectTrap(_ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation) {
  guard let result else { return }
  if case .signal = result.exitStatus { return }
  Issue.record("It ended with \(result.exitStatus)", sourceLocation: sourceLocation)
}

/// A read transaction that can be kept in an array.
final class Reading {
  private let transaction: ReadTransaction
  init(_ transaction: consuming ReadTransaction) { self.transaction = transaction }

  var transactionID: Int { transaction.snapshot.transactionID }
}
