import Testing

@testable import LMDB

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite(.hangLimit) struct TableTests {
  let directory = TemporaryDirectory()

  @Test func `tables are made, found, listed and emptied`() throws {
    let environment = try Environment.temporary(directory)
    let (one, two) = try environment.write { (try $0.createTable("one"), try $0.createTable("two")) }
    try environment.write { transaction in
      try transaction.put([1], [1], in: one)
      try transaction.put([1], [2], in: two)
      #expect(try transaction.openTable("three", create: false) == nil)
      #expect(try transaction.openTable("one", create: true) == one)
      #expect(try transaction.tableNames() == ["one", "two"])
    }
    #expect(try environment.openTables(["two", "three", "one"]) == [two, nil, one])
    try environment.write { try $0.clear(one) }
    #expect(try environment.read { try $0.entryCount(in: one) } == 0)
    #expect(try environment.read { try $0.entryCount(in: two) } == 1)
    #expect(try environment.read { try $0.tableNames() } == ["one", "two"])
  }

  @Test func `a table made by an aborted transaction does not exist`() throws {
    let environment = try Environment.temporary(directory)
    var transaction = try environment.beginWrite()
    let table = try transaction.createTable("table")
    try transaction.put([1], [1], in: table)
    transaction.abort()
    #expect(kind { _ = try environment.read { try $0.value([1], in: table) } } == .tableMissing)
    #expect(try environment.openTables(["table"]) == [nil])
    // Another table receives the same handle, and is not confused with the first.
    let other = try environment.makeTable("other")
    #expect(kind { _ = try environment.read { try $0.value([1], in: table) } } == .tableMissing)
    #expect(try environment.read { try $0.entryCount(in: other) } == 0)
  }

  @Test func `a table of another environment is refused`() throws {
    let first = try Environment.temporary(directory)
    let elsewhere = TemporaryDirectory()
    let second = try Environment.temporary(elsewhere)
    let table = try first.makeTable()
    _ = try second.makeTable()
    #expect(kind { _ = try second.read { try $0.value([1], in: table) } } == .tableMissing)
    #expect(kind { try second.write { try $0.put([1], [1], in: table) } } == .tableMissing)
  }

  @Test func `a table is missing in a snapshot that is older`() throws {
    let environment = try Environment.temporary(directory)
    let reader = try environment.beginRead()
    let table = try environment.makeTable()
    let snapshot = reader.snapshot
    #expect(kind { _ = try snapshot.value([1], in: table) } == .tableMissing)
    #expect(kind { _ = try snapshot.makeCursor(in: table) } == .tableMissing)
    reader.end()
  }

  @Test func `a table that a reader found is refused in the commit that drops it`() throws {
    let environment = try Environment.temporary(directory)
    let (table, other) = try environment.write { (try $0.createTable("table"), try $0.createTable("other")) }
    try environment.write { try $0.put([1], [1], in: table) }
    // The second and third reader of the commit rely on the first.
    for _ in 0..<3 { #expect(try environment.read { try $0.value([1], in: table) } == [1]) }
    let former = try environment.beginRead()
    #expect(try former.snapshot.value([1], in: table) == [1])
    try environment.write { try $0.drop(table) }
    #expect(kind { _ = try environment.read { try $0.value([1], in: table) } } == .tableMissing)
    former.end()
    #expect(kind { _ = try environment.read { try $0.value([1], in: table) } } == .tableMissing)
    #expect(try environment.read { try $0.entryCount(in: other) } == 0)
  }

  @Test func `what a reader found no longer counts after a table was retired`() throws {
    let environment = try Environment.temporary(directory)
    var tables = TableDirectory()
    let table = tables.makeTable(name: "table", handle: 2, of: environment)
    tables.publish(table)
    var found = tables.foundTables(at: 5)
    #expect(found.serials == 0)
    found.serials = 2
    tables.add(found)
    #expect(tables.foundTables(at: 5).serials == 2)
    #expect(tables.foundTables(at: 4).serials == 0)
    #expect(tables.foundTables(at: 6).serials == 0)
    // A reader of an earlier commit that ends late changes nothing.
    var late = tables.foundTables(at: 4)
    late.serials = 4
    tables.add(late)
    #expect(tables.foundTables(at: 4).serials == 0)
    #expect(tables.foundTables(at: 5).serials == 2)
    // Nor does a reader that began before a table was retired.
    let former = tables.foundTables(at: 5)
    tables.retire(table, at: 5)
    #expect(tables.foundTables(at: 5).serials == 0)
    tables.add(former)
    #expect(tables.foundTables(at: 5).serials == 0)
  }

  @Test func `a dropped table is gone for all but readers that began before`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { try $0.put([1], [1], in: table) }
    let untouched = try environment.beginRead()
    try environment.write { transaction in
      try transaction.drop(table)
      #expect(kind { try transaction.put([2], [2], in: table) } == .tableMissing)
      #expect(try transaction.openTable("table", create: false) == nil)
      #expect(try transaction.tableNames() == [])
    }
    let snapshot = untouched.snapshot
    #expect(try snapshot.entries(in: table) == [[[1], [1]]])
    #expect(try environment.openTables(["table"]) == [nil])
    #expect(kind { _ = try environment.read { try $0.value([1], in: table) } } == .tableMissing)
    #expect(try environment.read { try $0.tableNames() } == [])
    let again = try environment.makeTable("table")
    try environment.write { try $0.put([3], [3], in: again) }
    #expect(try snapshot.entries(in: table) == [[[1], [1]]])
    #expect(try environment.read { try $0.entries(in: again) } == [[[3], [3]]])
    untouched.end()
  }

  @Test func `the handle of a dropped table is not given away while somebody may be reading`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { try $0.put([1], [1], in: table) }
    let reader = try environment.beginRead()
    try environment.write { try $0.drop(table) }
    let other = try environment.makeTable("other")
    try environment.write { try $0.put([2], [2], in: other) }
    #expect(other.handle != table.handle)
    let snapshot = reader.snapshot
    #expect(try snapshot.entries(in: table) == [[[1], [1]]])
    reader.end()
    let next = try environment.makeTable("next")
    #expect(next.handle == table.handle)
  }

  @Test func `a drop that is aborted has not happened`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { try $0.put([1], [1], in: table) }
    var transaction = try environment.beginWrite()
    try transaction.drop(table)
    transaction.abort()
    #expect(try environment.read { try $0.entries(in: table) } == [[[1], [1]]])
    #expect(try environment.openTables(["table"]) == [table])
  }

  @Test func `handles and records of dropped tables are used again`() throws {
    let environment = try Environment.temporary(directory, maximumTables: 4)
    let kept = try environment.makeTable("kept")
    var dropped: [Table] = []
    for round in 0..<50 {
      let table = try environment.makeTable("generation \(round)")
      try environment.write { try $0.put(bytes(round), bytes(round), in: table) }
      #expect(try environment.read { try $0.entries(in: table) } == [[bytes(round), bytes(round)]])
      try environment.write { try $0.drop(table) }
      dropped.append(table)
    }
    for table in dropped {
      #expect(kind { _ = try environment.read { try $0.entryCount(in: table) } } == .tableMissing)
    }
    #expect(try environment.read { try $0.entryCount(in: kept) } == 0)
    environment.close()
    let again = try Environment.temporary(directory)
    // The last one was still open when it was dropped.
    #expect(try again.read { try $0.tableNames() } == ["generation 49", "kept"])
    try again.write { transaction in
      let left = try #require(try transaction.openTable("generation 49", create: false))
      try transaction.drop(left)
      #expect(try transaction.tableNames() == ["kept"])
    }
    #expect(try again.read { try $0.tableNames() } == ["kept"])
    again.close()
    #expect(try PageCheck.check(fileAt: directory.dataFile).faults == [])
  }

  @Test func `a drop that cannot be finished is finished later`() throws {
    let environment = try Environment.temporary(directory, maximumTables: 4)
    let table = try environment.makeTable("old")
    try environment.write { try $0.drop(table) }
    // Closes the handle and removes the record, but does not commit.
    var transaction = try environment.beginWrite()
    _ = try transaction.createTable("new")
    transaction.abort()
    #expect(try environment.openTables(["old", "new"]) == [nil, nil])
    let new = try environment.makeTable("new")
    try environment.write { try $0.put([1], [1], in: new) }
    environment.close()
    let again = try Environment.temporary(directory)
    #expect(try again.read { try $0.tableNames() } == ["new"])
  }

  @Test func `with all handles in use opening fails, and nothing is lost`() throws {
    let environment = try Environment.temporary(directory, maximumTables: 2)
    let first = try environment.makeTable("a")
    _ = try environment.makeTable("b")
    #expect(kind { _ = try environment.makeTable("c") } == .tablesFull)
    try environment.write { try $0.put([1], [1], in: first) }
    environment.close()
    let more = try Environment.temporary(directory)
    #expect(try more.openTables(["a", "b", "c"]).map { $0?.name } == ["a", "b", nil])
  }

  @Test func `threads that open tables at once get the right ones`() throws {
    let environment = try Environment.temporary(directory, maximumTables: 64)
    let names = (0..<40).map { "table \($0)" }
    try environment.write { transaction in
      for name in names {
        let table = try transaction.createTable(name)
        try transaction.put(bytes("name"), bytes(name), in: table)
      }
    }
    environment.close()
    let again = try Environment.temporary(directory, maximumTables: 64)
    let threads = (0..<4).map { number in
      Thread {
        for (index, name) in names.enumerated() {
          let table =
            index % 4 == number ? try! again.write { try $0.createTable(name) } : try! again.openTables([name])[0]!
          let found = try! again.read { try $0.value(bytes("name"), in: table) }
          precondition(found == bytes(name), "A handle belongs to another table")
        }
      }
    }
    for thread in threads { thread.join() }
  }

  @Test func `a table is not opened while a writer could give its handle to another one`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable("known")
    try environment.write { try $0.put([1], [1], in: table) }
    environment.close()
    let again = try Environment.temporary(directory)
    var transaction = try again.beginWrite()
    let reader = Thread {
      let known = try! again.openTables(["known"])[0]!
      precondition(try! again.read { try $0.entries(in: known) } == [[[1], [1]]])
    }
    usleep(50_000)
    let new = try transaction.createTable("new")
    try transaction.put([2], [2], in: new)
    try transaction.commit()
    reader.join()
    #expect(try again.openTables(["known"])[0]?.handle != new.handle)
    #expect(try again.read { try $0.entries(in: new) } == [[[2], [2]]])
  }

  @Test func `statistics tell the shape of the tree`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    #expect(try environment.read { try $0.statistics(in: table).depth } == 0)
    try environment.write { transaction in
      for index in 0..<10_000 { try transaction.put(bytes(index), bytes(index), in: table, mode: .append) }
      try transaction.put(bytes("large"), [UInt8](repeating: 1, count: 50_000), in: table)
    }
    let figures = try environment.read { try $0.statistics(in: table) }
    #expect(figures.entryCount == 10_001)
    #expect(figures.depth == 2)
    #expect(figures.overflowPageCount == 13)
    #expect(figures.branchPageCount == 1)
    let pageCount = figures.branchPageCount + figures.leafPageCount + figures.overflowPageCount
    #expect(figures.sizeInBytes == pageCount * environment.info.pageSizeInBytes)
  }
}
