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

@Suite(.hangLimit) struct TransactionTests {
  let directory = TemporaryDirectory()

  @Test func `entries are put, replaced, read and deleted`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { transaction in
      try transaction.put(bytes("a"), bytes("1"), in: table)
      try transaction.put(bytes("b"), [], in: table)
      try transaction.put(bytes("a"), bytes("2"), in: table)
      #expect(try transaction.snapshot.value(bytes("a"), in: table) == bytes("2"))
      #expect(try transaction.snapshot.value(bytes("b"), in: table) == [])
      #expect(try transaction.delete(bytes("a"), in: table))
      #expect(try !transaction.delete(bytes("a"), in: table))
      #expect(try !transaction.delete([], in: table))
    }
    #expect(try environment.read { try $0.entries(in: table) } == [[bytes("b"), []]])
    #expect(try environment.read { try $0.value([], in: table) } == nil)
    #expect(try environment.read { try $0.entryCount(in: table) } == 1)
  }

  @Test func `a transaction that is aborted or forgotten leaves no trace`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    var transaction = try environment.beginWrite()
    try transaction.put(bytes("a"), bytes("1"), in: table)
    transaction.abort()
    do {
      var forgotten = try environment.beginWrite()
      try forgotten.put(bytes("a"), bytes("1"), in: table)
    }
    #expect(throws: CancellationError.self) {
      try environment.write {
        try $0.put(bytes("a"), bytes("1"), in: table)
        throw CancellationError()
      }
    }
    #expect(try environment.read { try $0.entryCount(in: table) } == 0)
    #expect(environment.info.lastTransactionID == 1)
  }

  @Test func `a transaction that continues after a commit has the same snapshot`() throws {
    let environment = try Environment.temporary(directory)
    var transaction = try environment.beginWrite()
    let table = try transaction.createTable("table")
    let snapshot = transaction.snapshot
    for number in 0..<3 {
      try transaction.put(bytes(number), bytes("value"), in: table)
      #expect(try transaction.commitAndContinue())
      #expect(transaction.snapshot === snapshot && snapshot.isLive)
      #expect(try snapshot.entryCount(in: table) == number + 1)
      // Others read what is committed, and wait to write until the last of the transactions has ended.
      #expect(try environment.read { try $0.entryCount(in: table) } == number + 1)
      #expect(onAnotherThread { kind { _ = try environment.beginWrite(waitingAtMost: .zero) } } == .writerBusy)
    }
    try transaction.put(bytes("left"), [], in: table)
    transaction.abort()
    #expect(!snapshot.isLive)
    #expect(try environment.read { try $0.entryCount(in: table) } == 3)
    try environment.write { try $0.put(bytes(3), [], in: table) }
    #expect(environment.info.lastTransactionID == 4)
  }

  @Test func `a transaction does not continue while a cursor is open`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    var transaction = try environment.beginWrite()
    try transaction.put(bytes("a"), bytes("1"), in: table)
    do {
      var cursor = try transaction.snapshot.makeCursor(in: table)
      #expect(try cursor.moveToFirst())
      #expect(try !transaction.commitAndContinue())
      #expect(cursor.isValid && [UInt8](cursor.value) == bytes("1"))
    }
    do {
      var editor = try transaction.snapshot.makeEditor(of: table)
      #expect(try editor.seek(atOrAfter: bytes("a").rawSpan))
      #expect(try !transaction.commitAndContinue())
    }
    #expect(environment.info.lastTransactionID == 1)
    #expect(try transaction.commitAndContinue())
    #expect(environment.info.lastTransactionID == 2)
    try transaction.put(bytes("b"), bytes("2"), in: table)
    try transaction.commit()
    #expect(try environment.read { try $0.entryCount(in: table) } == 2)
  }

  @Test func `a misplaced append and a repeated insert are refused, and the transaction goes on`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { transaction in
      try transaction.put(bytes(5), [], in: table, mode: .append)
      for key in [5, 4] {
        #expect(kind { try transaction.put(bytes(key), [1], in: table, mode: .append) } == .keyExists)
      }
      #expect(kind { try transaction.put(bytes(5), [1], in: table, mode: .insert) } == .keyExists)
      try transaction.put(bytes(6), [], in: table, mode: .append)
      try transaction.put(bytes(1), [], in: table, mode: .insert)
    }
    let keys = try environment.read { try $0.entries(in: table).map { $0[0] } }
    #expect(keys == [bytes(1), bytes(5), bytes(6)])
  }

  @Test func `keys that LMDB cannot hold are refused, and the transaction goes on`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    let longest = [UInt8](repeating: 1, count: 511)
    try environment.write { transaction in
      #expect(kind { try transaction.put([], [1], in: table) } == .badValueSize)
      #expect(kind { try transaction.put(longest + [1], [1], in: table) } == .badValueSize)
      try transaction.put(longest, [1], in: table)
    }
    #expect(try environment.read { try $0.value(longest, in: table) } == [1])
    #expect(try environment.read { try $0.value(longest + [1], in: table) } == nil)
  }

  @Test func `a reader sees the commit at which it began, and the next one sees the newest`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    for round in 1...100 {
      let old = try environment.beginRead()
      try environment.write { try $0.put(bytes("round"), bytes(round), in: table) }
      let snapshot = old.snapshot
      #expect(try snapshot.value(bytes("round"), in: table) == (round == 1 ? nil : bytes(round - 1)))
      old.end()
      #expect(try environment.read { try $0.value(bytes("round"), in: table) } == bytes(round))
    }
    // Slots are reused.
    #expect(try environment.readers().count <= 2)
  }

  @Test func `a second write on a thread is an error, on another thread it waits`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    var transaction = try environment.beginWrite()
    #expect(kind { _ = try environment.beginWrite() } == .nestedWrite)
    // A name without a table needs no transaction of its own.
    #expect(try environment.openTables(["unknown"]) == [nil])
    #expect(kind { try environment.growMap(toAtLeast: 4 << 30) } == .busy)
    let flag = Shared(Atomic<Bool>(false))
    let other = Thread {
      try! environment.write { try $0.put(bytes("b"), [2], in: table) }
      flag.value.store(true, ordering: .sequentiallyConsistent)
    }
    usleep(50_000)
    let hasWritten = flag.value.load(ordering: .sequentiallyConsistent)
    #expect(!hasWritten)
    try transaction.put(bytes("a"), [1], in: table)
    try transaction.commit()
    other.join()
    #expect(try environment.read { try $0.entries(in: table) } == [[bytes("a"), [1]], [bytes("b"), [2]]])
  }

  @Test func `a full map is an error that loses nothing, and growing it makes room`() throws {
    let environment = try Environment.temporary(directory, mapSizeInBytes: 1 << 20)
    let table = try environment.makeTable()
    let value = [UInt8](repeating: 7, count: 3000)
    var written = 0
    var growths = 0
    while written < 2000 {
      do {
        try environment.write { transaction in
          for index in written..<written + 50 { try transaction.put(bytes(index), value, in: table, mode: .append) }
        }
        written += 50
      } catch let error as LMDBError where error.isMapFull {
        #expect(try environment.read { try $0.entryCount(in: table) } == written)
        try environment.growMap(toAtLeast: environment.info.mapSizeInBytes * 2)
        growths += 1
      }
    }
    #expect(growths > 1)
    #expect(try environment.read { try $0.entryCount(in: table) } == 2000)
    environment.close()
    #expect(try PageCheck.check(fileAt: directory.dataFile).faults == [])
  }

  @Test func `after a full map the transaction refuses to go on and to commit`() throws {
    let environment = try Environment.temporary(directory, mapSizeInBytes: 1 << 16)
    let table = try environment.makeTable()
    var transaction = try environment.beginWrite()
    let failure = kind { try transaction.put(bytes("a"), [UInt8](repeating: 1, count: 1 << 17), in: table) }
    #expect(failure == .mapFull)
    #expect(kind { try transaction.put(bytes("b"), [1], in: table) } == .badTransaction)
    do {
      try transaction.commit()
      Issue.record("The commit should have failed")
    } catch {
      #expect(error.kind == .badTransaction)
      #expect(!error.isUnknownOutcome)
    }
    try environment.write { try $0.put(bytes("b"), [1], in: table) }
  }

  @Test func `the map grows only when no transaction is alive`() throws {
    let environment = try Environment.temporary(directory)
    let reader = try environment.beginRead()
    #expect(kind { try environment.growMap(toAtLeast: 2 << 30, waitingAtMost: .milliseconds(20)) } == .busy)
    // The failed resize has opened the gate again.
    _ = try environment.makeTable()
    let grower = Thread { try! environment.growMap(toAtLeast: 2 << 30, waitingAtMost: .seconds(20)) }
    usleep(20_000)
    reader.end()
    grower.join()
    #expect(environment.info.mapSizeInBytes == 2 << 30)
    try environment.growMap(toAtLeast: 1)
    #expect(environment.info.mapSizeInBytes == 2 << 30)
    #expect(kind { try environment.growMap(toAtLeast: 1 << 60) } == .outOfMemory)
    #expect(kind { try environment.growMap(toAtLeast: .max) } == .outOfMemory)
    _ = try environment.makeTable("still usable")
  }

  @Test func `when all reader slots are taken, beginning fails until one is free`() throws {
    let environment = try Environment.temporary(directory, maximumReaders: 2)
    let first = try environment.beginRead()
    let second = try environment.beginRead()
    let error = #expect(throws: LMDBError.self) { _ = try environment.beginRead() }
    #expect(error?.isReadersFull == true)
    first.end()
    _ = try environment.beginRead()
    second.end()
  }

  @Test func `readers and writers on many threads go on while the map grows`() throws {
    let environment = try Environment.temporary(directory, mapSizeInBytes: 1 << 20, maximumReaders: 32)
    let table = try environment.makeTable()
    let failures = Shared(Mutex<[String]>([]))
    let isDone = Shared(Atomic<Bool>(false))
    let writers = (0..<2).map { number in
      Thread {
        var done = 0
        while done < 200 {
          do {
            try environment.write { transaction in
              let count = try transaction.snapshot.entryCount(in: table)
              for index in count..<count + 4 {
                try transaction.put(bytes(index), [UInt8](repeating: UInt8(number), count: 2000), in: table)
              }
            }
            done += 1
          } catch let error as LMDBError where error.isMapFull {
            try! environment.growMap(
              toAtLeast: environment.info.mapSizeInBytes + (1 << 19), waitingAtMost: .seconds(60))
          } catch {
            failures.value.withLock { $0.append("\(error)") }
            return
          }
        }
      }
    }
    let readers = (0..<4).map { _ in
      Thread {
        while !isDone.value.load(ordering: .relaxed) {
          do {
            try environment.read { snapshot in
              let count = try snapshot.entryCount(in: table)
              if count % 4 != 0 { failures.value.withLock { $0.append("A reader saw half a commit") } }
              if count > 0, try snapshot.value(bytes(count - 1), in: table) == nil {
                failures.value.withLock { $0.append("A reader missed an entry") }
              }
            }
          } catch { failures.value.withLock { $0.append("\(error)") } }
        }
      }
    }
    for writer in writers { writer.join() }
    isDone.value.store(true, ordering: .relaxed)
    for reader in readers { reader.join() }
    let found = failures.value.withLock { $0 }
    #expect(found == [])
    #expect(try environment.read { try $0.entryCount(in: table) } == 1600)
  }
}

/// A value that several threads share.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}
