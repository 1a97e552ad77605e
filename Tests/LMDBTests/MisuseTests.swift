import LMDB
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A programmer's mistake, each in its own process, traps and does no further harm.
@Suite(.hangLimit) struct MisuseTests {
  @Test func `a snapshot traps after its transaction`() async {
    await expectTrap(
      #expect(processExitsWith: .failure) {
        let directory = TemporaryDirectory()
        let environment = try Environment.temporary(directory)
        let table = try environment.makeTable()
        let transaction = try environment.beginRead()
        let snapshot = transaction.snapshot
        _ = try snapshot.value([1], in: table)
        transaction.end()
        try? removeTree(directory.path)
        _ = try snapshot.value([1], in: table)
      })
  }

  @Test func `a cursor traps after its transaction`() async {
    await expectTrap(
      #expect(processExitsWith: .failure) {
        let directory = TemporaryDirectory()
        let environment = try Environment.temporary(directory)
        let table = try environment.makeTable()
        let transaction = try environment.beginRead()
        var cursor = try transaction.snapshot.makeCursor(in: table)
        transaction.end()
        try? removeTree(directory.path)
        _ = try cursor.moveToNext()
      })
  }

  @Test func `a cursor that was not put in place again after a change traps`() async {
    await expectTrap(
      #expect(processExitsWith: .failure) {
        let directory = TemporaryDirectory()
        let environment = try Environment.temporary(directory)
        let table = try environment.makeTable()
        var transaction = try environment.beginWrite()
        try transaction.put([1], [1], in: table)
        var cursor = try transaction.snapshot.makeCursor(in: table)
        _ = try cursor.moveToFirst()
        try transaction.put([2], [1], in: table)
        try? removeTree(directory.path)
        _ = [UInt8](cursor.value)
      })
  }

  @Test func `a write transaction traps on another thread`() async {
    await expectTrap(
      #expect(processExitsWith: .failure) {
        let directory = TemporaryDirectory()
        let environment = try Environment.temporary(directory)
        let box = TransactionBox(try environment.beginWrite())
        Thread { try! box.commit() }.join()
      })
  }

  @Test func `the same steps without the mistake end well`() async {
    await #expect(processExitsWith: .success) {
      let directory = TemporaryDirectory()
      let environment = try Environment.temporary(directory)
      let table = try environment.makeTable()
      let box = TransactionBox(try environment.beginWrite())
      try box.commit()
      let transaction = try environment.beginRead()
      var cursor = try transaction.snapshot.makeCursor(in: table)
      _ = try cursor.moveToNext()
    }
  }

  @Test func `slots of a process that died are freed`() async throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.temporary(directory, maximumReaders: 3)
    _ = try environment.makeTable()
    let path = directory.path
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let environment = try Environment.open(at: path, options: EnvironmentOptions(mapSizeInBytes: 1 << 30))
      let readings = try (0..<3).map { _ in Reading(try environment.beginRead()) }
      precondition(readings.allSatisfy { $0.transactionID == 1 })
      withExtendedLifetime(readings) { _exit(7) }
    }
    let stale = try environment.readers().filter { $0.processID != Int(getpid()) }
    #expect(stale.count == 3)
    // All slots are taken, and beginning a transaction frees the stale ones.
    let reader = try environment.beginRead()
    reader.end()
    #expect(try environment.readers().allSatisfy { $0.processID == Int(getpid()) })
    #expect(try environment.checkReaders() == 0)
  }

  @Test func `a map that another process enlarged is adopted`() async throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.temporary(directory, mapSizeInBytes: 1 << 20)
    let table = try environment.makeTable()
    let path = directory.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(at: path, options: EnvironmentOptions(mapSizeInBytes: 64 << 20))
      try environment.write { transaction in
        let table = try #require(try transaction.openTable("table", create: false))
        for index in 0..<1000 { try transaction.put(bytes(index), [UInt8](repeating: 1, count: 4000), in: table) }
      }
    }
    #expect(try environment.read { try $0.entryCount(in: table) } == 1000)
    #expect(environment.info.mapSizeInBytes == 64 << 20)
    try environment.write { try $0.put(bytes(1000), [1], in: table) }
  }

  @Test func `a table that another process dropped is missing, not empty, and can be made again`() async throws {
    let directory = TemporaryDirectory()
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { try $0.put([1], [1], in: table) }
    let path = directory.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(at: path, options: EnvironmentOptions(mapSizeInBytes: 1 << 30))
      try environment.write { transaction in
        let table = try #require(try transaction.openTable("table", create: false))
        try transaction.drop(table)
      }
    }
    #expect(kind { _ = try environment.read { try $0.value([1], in: table) } } == .tableMissing)
    #expect(kind { _ = try environment.read { try $0.entryCount(in: table) } } == .tableMissing)
    #expect(kind { try environment.write { try $0.put([1], [2], in: table) } } == .tableMissing)
    let reader = try environment.beginRead()
    #expect(kind { try environment.write { _ = try $0.createTable("table") } } == .busy)
    reader.end()
    let again = try environment.makeTable()
    try environment.write { try $0.put([1], [2], in: again) }
    #expect(try environment.read { try $0.entries(in: again) } == [[[1], [2]]])
  }
}

/// A transaction that is passed to another thread.
final class TransactionBox: @unchecked Sendable {
  // The tests use it on one thread at a time.
  private var transaction: WriteTransaction?

  init(_ transaction: consuming WriteTransaction) { self.transaction = consume transaction }

  func commit() throws {
    guard let transaction = transaction.take() else { return }
    try transaction.commit()
  }
}
