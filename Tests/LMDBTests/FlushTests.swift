import DaybookTestSupport
import LMDB
import Testing

@Suite(.hangLimit) struct FlushTests {
  let directory = TemporaryDirectory()

  @Test(arguments: [false, true])
  func `flushed changes leave what the same puts and deletes leave`(hasChecksums: Bool) throws {
    try SeededRandom.run { generator in
      let directory = TemporaryDirectory()
      let environment = try Environment.open(
        at: directory.path,
        options: EnvironmentOptions(mapSizeInBytes: 1 << 28, flush: .none, hasChecksums: { _ in hasChecksums }))
      let table = try environment.makeTable()
      var model: [[UInt8]: [UInt8]] = [:]
      for _ in 0..<60 {
        let changes = MemoryTable()
        for _ in 0..<Int.random(in: 0...400, using: &generator) {
          let key = randomKey(&generator)
          if Int.random(in: 0..<3, using: &generator) == 0 {
            changes.delete(key)
            model[key] = nil
          } else {
            let longest = Int.random(in: 0..<20, using: &generator) == 0 ? 9000 : 60
            let value = randomValue(&generator, longest: longest)
            changes.put(key, value)
            model[key] = value
          }
        }
        try environment.write { try $0.flush(changes, into: table) }
        let expected = model.sorted { precedes($0.key, $1.key) }.map { [$0.key, $0.value] }
        try #require(try environment.read { try $0.entries(in: table) } == expected)
      }
      environment.close()
      #expect(try PageCheck.check(fileAt: directory.dataFile).faults == [])
    }
  }

  @Test func `a fresh table is filled with full pages, and so is the end of an old one`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    for start in [0, 20_000] {
      let changes = MemoryTable()
      for index in (start..<start + 20_000).shuffled() { changes.put(bytes(index), bytes(index)) }
      try environment.write { try $0.flush(changes, into: table) }
    }
    let figures = try environment.read { try $0.statistics(in: table) }
    #expect(figures.entryCount == 40_000)
    // An entry takes 26 bytes with its pointer; a page has 4080 for them.
    #expect(figures.leafPageCount <= 40_000 / (4080 / 26) + 2)
  }

  @Test func `deletions of what is not there change nothing`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { try $0.put(bytes(5), [5], in: table) }
    let changes = MemoryTable()
    for key in [1, 5, 9] { changes.delete(bytes(key)) }
    changes.delete([])
    changes.put(bytes(7), [7])
    try environment.write { try $0.flush(changes, into: table) }
    #expect(try environment.read { try $0.entries(in: table) } == [[bytes(7), [7]]])
    changes.removeAll()
    try environment.write { try $0.flush(changes, into: table) }
    #expect(try environment.read { try $0.entryCount(in: table) } == 1)
  }

  @Test(arguments: [false, true])
  func `a flush notes exactly the rows that appear and disappear`(hasChecksums: Bool) throws {
    try SeededRandom.run { generator in
      let environment = try Environment.open(
        at: directory.path, options: EnvironmentOptions(flush: .none, hasChecksums: { _ in hasChecksums }))
      let table = try environment.makeTable()
      var model: [[UInt8]: [UInt8]] = [:]
      for _ in 0..<40 {
        let changes = MemoryTable()
        var expected = model
        for _ in 0..<Int.random(in: 0...100, using: &generator) {
          let (key, value) = (randomKey(&generator), randomValue(&generator, longest: 3))
          if Bool.random(using: &generator) { changes.delete(key) } else { changes.put(key, value) }
          expected[key] = nil
          if case .value = changes.lookup(key.rawSpan) { expected[key] = value }
        }
        var noted: [[UInt8]: Bool] = [:]
        var last: [UInt8] = []
        try environment.write { transaction in
          try transaction.flush(changes, into: table) { (key, isInserted) throws(LMDBError) in
            #expect(precedes(last, [UInt8](key)))
            last = [UInt8](key)
            noted[last] = isInserted
          }
        }
        let inserted = Set(expected.keys).subtracting(model.keys)
        let removed = Set(model.keys).subtracting(expected.keys)
        try #require(Set(noted.filter(\.value).keys) == inserted)
        try #require(Set(noted.filter { !$0.value }.keys) == removed)
        model = expected
        let entries = model.sorted { precedes($0.key, $1.key) }.map { [$0.key, $0.value] }
        try #require(try environment.read { try $0.entries(in: table) } == entries)
      }
      environment.close()
    }
  }

  @Test func `a change that LMDB refuses is reported`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    let changes = MemoryTable()
    changes.put([UInt8](repeating: 1, count: 600), [])
    #expect(kind { try environment.write { try $0.flush(changes, into: table) } } == .badValueSize)
  }
}
