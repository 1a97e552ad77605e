import DaybookTestSupport
import LMDB
import Testing

@Suite(.hangLimit) struct CursorTests {
  let directory = TemporaryDirectory()

  @Test func `a cursor stands on, before, after or nowhere`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { for key in ["b", "d", "f"] { try $0.put(bytes(key), bytes(key + "!"), in: table) } }
    try environment.read { snapshot in
      var cursor = try snapshot.makeCursor(in: table)
      func check(_ isFound: Bool, _ cursor: borrowing Cursor, _ key: String?) {
        #expect(isFound == (key != nil))
        let isValid = cursor.isValid
        #expect(isValid == isFound)
        guard isValid, let key else { return }
        let (found, value) = ([UInt8](cursor.key), [UInt8](cursor.value))
        #expect(found == bytes(key))
        #expect(value == bytes(key + "!"))
      }
      check(try cursor.moveToPrevious(), cursor, "f")
      check(try cursor.moveToNext(), cursor, nil)
      check(try cursor.moveToNext(), cursor, nil)
      check(try cursor.moveToPrevious(), cursor, "f")
      check(try cursor.moveToPrevious(), cursor, "d")
      check(try cursor.moveToPrevious(), cursor, "b")
      check(try cursor.moveToPrevious(), cursor, nil)
      check(try cursor.moveToPrevious(), cursor, nil)
      check(try cursor.moveToNext(), cursor, "b")
      check(try cursor.seek(atOrAfter: bytes("c").rawSpan), cursor, "d")
      check(try cursor.seek(atOrAfter: bytes("d").rawSpan), cursor, "d")
      check(try cursor.seek(atOrAfter: [UInt8]().rawSpan), cursor, "b")
      check(try cursor.seek(atOrAfter: bytes("g").rawSpan), cursor, nil)
      check(try cursor.moveToPrevious(), cursor, "f")
      check(try cursor.seek(to: bytes("d").rawSpan), cursor, "d")
      check(try cursor.moveToNext(), cursor, "f")
      check(try cursor.seek(to: bytes("c").rawSpan), cursor, nil)
      check(try cursor.moveToNext(), cursor, "b")
      check(try cursor.seek(to: [UInt8]().rawSpan), cursor, nil)
      check(try cursor.moveToLast(), cursor, "f")
      check(try cursor.moveToFirst(), cursor, "b")
    }
  }

  @Test(arguments: [false, true])
  func `a cursor counts and passes the entries of a sorted array`(hasChecksums: Bool) throws {
    let environment = try Environment.open(
      at: directory.path, options: EnvironmentOptions(flush: .none, hasChecksums: { _ in hasChecksums }))
    let table = try environment.makeTable()
    try environment.write { transaction in
      for number in 0..<300 { try transaction.put(bytes(number * 2), [1, 2], in: table) }
    }
    try environment.read { snapshot in
      var cursor = try snapshot.makeCursor(in: table)
      #expect(try cursor.countEntries(before: bytes(9).rawSpan, longSize: 1) == .zero)
      for (start, end) in [(0, 0), (0, 1), (0, 2), (5, 4), (10, 500), (598, 900), (0, 900), (600, 900)] {
        let numbers = (0..<300).map { $0 * 2 }.filter { $0 >= start && $0 < end }
        for limit in [1, 7, Int.max] {
          _ = try cursor.seek(atOrAfter: bytes(start).rawSpan)
          let count = try cursor.countEntries(before: bytes(end).rawSpan, longSize: 9, limit: limit)
          #expect(count == EntryCount(all: min(numbers.count, limit), long: 0))
          // It stands on the entry after the counted ones, which has its value.
          if cursor.isValid { #expect([UInt8](cursor.value) == [1, 2]) }
        }
        _ = try cursor.seek(atOrAfter: bytes(start).rawSpan)
        #expect(try cursor.countEntries(before: bytes(end).rawSpan, longSize: 8).long == numbers.count)
      }
      for (start, step) in [(0, 0), (0, 1), (0, 299), (0, 300), (400, 99), (400, 100)] {
        _ = try cursor.seek(atOrAfter: bytes(start).rawSpan)
        let place = start / 2 + step
        #expect(try cursor.move(by: step) == (place < 300))
        if place < 300 { #expect([UInt8](cursor.key) == bytes(place * 2)) }
      }
    }
  }

  @Test func `an empty table has no place to stand on`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.read { snapshot in
      var cursor = try snapshot.makeCursor(in: table)
      let found = [
        try cursor.moveToNext(), try cursor.moveToPrevious(), try cursor.moveToFirst(), try cursor.moveToLast(),
        try cursor.seek(atOrAfter: bytes("a").rawSpan), try cursor.seek(to: bytes("a").rawSpan),
      ]
      #expect(found.allSatisfy { !$0 })
    }
  }

  @Test func `random walks agree with a sorted array`() throws {
    try SeededRandom.run { generator in
      let environment = try Environment.temporary(directory)
      let table = try environment.makeTable()
      let count = 3000
      let keys = Set((0..<count).map { _ in randomKey(&generator) }).sorted(by: precedes)
      try environment.write { transaction in
        for key in keys.shuffled(using: &generator) { try transaction.put(key, key + [1], in: table) }
      }
      try environment.read { snapshot in
        var cursor = try snapshot.makeCursor(in: table)
        var model = CursorModel(keys: keys)
        for _ in 0..<20_000 {
          let key = randomKey(&generator)
          let step = Int.random(in: 0..<12, using: &generator)
          let isFound: Bool
          switch step {
          case 0: isFound = try cursor.seek(atOrAfter: key.rawSpan)
          case 1: isFound = try cursor.seek(to: key.rawSpan)
          case 2: isFound = try cursor.moveToFirst()
          case 3: isFound = try cursor.moveToLast()
          case 4..<8: isFound = try cursor.moveToNext()
          default: isFound = try cursor.moveToPrevious()
          }
          let expected = model.move(step, key)
          try #require(isFound == (expected != nil))
          guard isFound else { continue }
          let found = [UInt8](cursor.key)
          try #require(found == expected)
        }
      }
    }
  }
}

/// A model of a cursor over a sorted array.
struct CursorModel {
  let keys: [[UInt8]]
  /// The index, from before the first to after the last key; `nil` for nowhere.
  var index: Int?

  init(keys: [[UInt8]]) { self.keys = keys }

  /// Performs a step by its number, and returns the key on which the cursor then stands.
  mutating func move(_ step: Int, _ key: [UInt8]) -> [UInt8]? {
    let following = keys.firstIndex { !precedes($0, key) } ?? keys.count
    switch step {
    case 0: index = following
    case 1: index = following < keys.count && keys[following] == key ? following : nil
    case 2: index = keys.isEmpty ? keys.count : 0
    case 3: index = keys.count - 1
    case 4..<8: index = min((index ?? -1) + 1, keys.count)
    default: index = max((index ?? keys.count) - 1, -1)
    }
    guard let index, keys.indices.contains(index) else { return nil }
    return keys[index]
  }
}
