import DaybookTestSupport
import LMDB
import Testing

@Suite(.hangLimit) struct MemoryTableTests {
  @Test func `the last of put, delete and remove counts`() {
    let table = MemoryTable()
    table.put(bytes("a"), bytes("1"))
    table.put(bytes("a"), bytes("a longer value than before"))
    table.put(bytes("b"), bytes("2"))
    table.delete(bytes("b"))
    table.delete(bytes("c"))
    table.put(bytes("c"), [])
    table.put(bytes("d"), [4])
    table.remove(bytes("d"))
    table.remove(bytes("e"))
    #expect(table.description == "a=a longer value than before b- c=")
    #expect(table.count == 3)
    table.removeAll()
    #expect(table.isEmpty)
    #expect(table.description == "")
    table.put(bytes("a"), bytes("1"))
    #expect(table.description == "a=1")
  }

  @Test func `the empty key and keys of zeros are different keys`() {
    let table = MemoryTable()
    let keys: [[UInt8]] = [[], [0], [0, 0], [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0, count: 9)]
    for key in keys.reversed() { table.put(key, bytes("\(key.count)")) }
    table.checkInvariants()
    var cursor = table.makeCursor()
    var found: [[UInt8]] = []
    while cursor.moveToNext() { found.append([UInt8](cursor.key)) }
    #expect(found == keys)
  }

  @Test(arguments: [0, 1, 2])
  func `random changes agree with a dictionary`(shape: Int) throws {
    try SeededRandom.run { generator in
      let table = MemoryTable()
      var model: [[UInt8]: [UInt8]?] = [:]
      for round in 0..<40 {
        for _ in 0..<Int.random(in: 1...1500, using: &generator) {
          let key = key(shape, &generator)
          switch Int.random(in: 0..<(round % 10 > 7 ? 3 : 8), using: &generator) {
          case 0, 1:
            table.remove(key)
            model[key] = nil
          case 2:
            table.delete(key)
            model[key] = .some(nil)
          default:
            let value = randomValue(&generator)
            table.put(key, value)
            model[key] = value
          }
        }
        if Int.random(in: 0..<15, using: &generator) == 0 {
          table.removeAll()
          model = [:]
        }
        table.checkInvariants()
        try compare(table, model)
      }
    }
  }

  /// New keys below all others are inserted under the first child of each branch.
  @Test(arguments: [1, 7])
  func `keys that fall are found`(step: Int) throws {
    try SeededRandom.run { generator in
      let table = MemoryTable()
      var model: [[UInt8]: [UInt8]?] = [:]
      for number in stride(from: 30_000, to: 0, by: -step) {
        // Mainly falling, with some keys between existing ones.
        let key = bytes(number + (Int.random(in: 0..<4, using: &generator) == 0 ? number / 3 : 0))
        table.put(key, [1])
        model[key] = [1]
        if Int.random(in: 0..<10, using: &generator) == 0, let other = model.keys.first {
          table.remove(other)
          model[other] = nil
        }
        if number % 1_000 < step { table.checkInvariants() }
      }
      table.checkInvariants()
      try compare(table, model)
    }
  }

  @Test func `what follows a savepoint is undone, and what precedes it stays`() {
    let table = MemoryTable()
    let empty = table.makeSavepoint()
    table.put(bytes("a"), bytes("1"))
    table.put(bytes("b"), bytes("2"))
    table.delete(bytes("c"))
    let first = table.makeSavepoint()
    table.put(bytes("a"), bytes("3"))
    table.put(bytes("a"), bytes("4"))
    table.delete(bytes("b"))
    table.remove(bytes("c"))
    table.put(bytes("d"), bytes("5"))
    let second = table.makeSavepoint()
    table.put(bytes("a"), bytes("6"))
    table.put(bytes("c"), bytes("7"))
    #expect(table.description == "a=6 b- c=7 d=5")
    table.rollBack(to: second)
    #expect(table.description == "a=4 b- d=5")
    table.put(bytes("d"), bytes("8"))
    table.rollBack(to: first)
    #expect(table.description == "a=1 b=2 c-")
    table.put(bytes("b"), bytes("9"))
    table.rollBack(to: first)
    #expect(table.description == "a=1 b=2 c-")
    table.rollBack(to: empty)
    #expect(table.description == "")
  }

  @Test(arguments: [0, 1, 2])
  func `random changes with savepoints agree with copies of a dictionary`(shape: Int) throws {
    try SeededRandom.run { generator in
      let table = MemoryTable()
      var model: [[UInt8]: [UInt8]?] = [:]
      var savepoints: [(savepoint: MemoryTable.Savepoint, model: [[UInt8]: [UInt8]?])] = []
      for _ in 0..<120 {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1, 2:
          savepoints.append((table.makeSavepoint(), model))
        case 3, 4:
          guard !savepoints.isEmpty else { break }
          let number = Int.random(in: max(0, savepoints.count - 3)..<savepoints.count, using: &generator)
          table.rollBack(to: savepoints[number].savepoint)
          model = savepoints[number].model
          savepoints.removeLast(savepoints.count - 1 - number)
        case 5 where savepoints.count > 5:
          table.forgetSavepoints()
          savepoints = []
        case 6 where model.count > 3_000:
          table.removeAll()
          (model, savepoints) = ([:], [])
        default:
          for _ in 0..<Int.random(in: 1...400, using: &generator) {
            let key = key(shape, &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
              table.remove(key)
              model[key] = nil
            case 1:
              table.delete(key)
              model[key] = .some(nil)
            default:
              let value = randomValue(&generator)
              table.put(key, value)
              model[key] = value
            }
          }
        }
        table.checkInvariants()
        try compare(table, model)
      }
    }
  }

  private func key(_ shape: Int, _ generator: inout SeededRandom) -> [UInt8] {
    switch shape {
    case 0: randomKey(&generator)
    case 1: bytes(Int.random(in: 0..<5000, using: &generator))
    default:
      // Far more common bytes than a node stores.
      [UInt8](repeating: 9, count: 70) + bytes(Int.random(in: 0..<3000, using: &generator) * 257)
    }
  }

  private func compare(_ table: MemoryTable, _ model: [[UInt8]: [UInt8]?]) throws {
    let expected = model.sorted { precedes($0.key, $1.key) }
    try #require(table.count == expected.count)
    var cursor = table.makeCursor()
    for (key, value) in expected {
      let isFound = cursor.moveToNext()
      try #require(isFound)
      let found = ([UInt8](cursor.key), [UInt8](cursor.value), cursor.isDeletion)
      try #require(found == (key, value ?? [], value == nil))
      try #require(table.value(key) == .some(value))
    }
    let isAtEnd = !cursor.moveToNext()
    try #require(isAtEnd)
    for (key, _) in expected.reversed() {
      let isFound = cursor.moveToPrevious()
      try #require(isFound)
      let found = [UInt8](cursor.key)
      try #require(found == key)
    }
    let isAtStart = !cursor.moveToPrevious()
    try #require(isAtStart)
  }

  @Test func `random walks agree with a sorted array, also over changes`() throws {
    try SeededRandom.run { generator in
      let table = MemoryTable()
      var keys = Set((0..<2000).map { _ in randomKey(&generator) }).sorted(by: precedes)
      for key in keys.shuffled(using: &generator) { table.put(key, key) }
      var cursor = table.makeCursor()
      // The model's place is stored as its key, so that it too can be found again.
      var model = CursorModel(keys: keys)
      for _ in 0..<30_000 {
        let key = randomKey(&generator)
        let step = Int.random(in: 0..<12, using: &generator)
        if Int.random(in: 0..<4, using: &generator) == 0, let place = model.index, keys.indices.contains(place) {
          let current = keys[place]
          change(table, &keys, key, &generator)
          // The place of the key; the model has no place between two keys, but can predict the move.
          let following = keys.firstIndex { !precedes($0, current) } ?? keys.count
          let isThere = following < keys.count && keys[following] == current
          model = CursorModel(keys: keys)
          model.index = isThere || step >= 8 ? following : following - 1
        }
        let isFound: Bool
        switch step {
        case 0: isFound = cursor.seek(atOrAfter: key.rawSpan)
        case 1: isFound = cursor.seek(to: key.rawSpan)
        case 2: isFound = cursor.moveToFirst()
        case 3: isFound = cursor.moveToLast()
        case 4..<8: isFound = cursor.moveToNext()
        default: isFound = cursor.moveToPrevious()
        }
        let expected = model.move(step, key)
        try #require(isFound == (expected != nil))
        guard isFound else { continue }
        let found = [UInt8](cursor.key)
        try #require(found == expected)
      }
      table.checkInvariants()
    }
  }

  private func change(
    _ table: MemoryTable, _ keys: inout [[UInt8]], _ key: [UInt8], _ generator: inout SeededRandom
  ) {
    let index = keys.firstIndex { !precedes($0, key) } ?? keys.count
    let isThere = index < keys.count && keys[index] == key
    if Bool.random(using: &generator) {
      table.put(key, key)
      if !isThere { keys.insert(key, at: index) }
    } else {
      table.remove(key)
      if isThere { keys.remove(at: index) }
    }
  }

  @Test func `after removing all a cursor stands nowhere`() {
    let table = MemoryTable()
    for index in 0..<1000 { table.put(bytes(index), bytes(index)) }
    var cursor = table.makeCursor()
    _ = cursor.seek(to: bytes(700).rawSpan)
    table.removeAll()
    let isValid = cursor.isValid
    #expect(!isValid)
    table.put(bytes(3), [3])
    let isFound = cursor.moveToNext()
    #expect(isFound)
    let key = [UInt8](cursor.key)
    #expect(key == bytes(3))
  }

  @Test func `a value may be put that is a piece of the one it replaces`() {
    let table = MemoryTable()
    table.put(bytes("key"), bytes("0123456789"))
    if case .value(let span) = table.lookup(bytes("key").rawSpan) {
      table.put(bytes("key").rawSpan, span.extracting(3..<8))
    }
    #expect(table.description == "key=34567")
  }

  @Test func `memory is counted and given back`() {
    let table = MemoryTable()
    #expect(table.sizeInBytes == 0)
    for index in 0..<10_000 { table.put(bytes(index), [UInt8](repeating: 0, count: 100)) }
    #expect(table.sizeInBytes > 1_200_000)
    #expect(table.sizeInBytes < 1_800_000)
    let filled = table.sizeInBytes
    for index in 0..<10_000 { table.put(bytes(index), [UInt8](repeating: 1, count: 90)) }
    #expect(table.sizeInBytes == filled)
    for index in 0..<10_000 { table.remove(bytes(index)) }
    #expect(table.count == 0)
    table.checkInvariants()
    table.removeAll()
    #expect(table.sizeInBytes == 0)
  }

  @Test func `a cursor that is read after a change traps`() async {
    await expectTrap(
      #expect(processExitsWith: .failure) {
        let table = MemoryTable()
        table.put(bytes("b"), [])
        var cursor = table.makeCursor()
        _ = cursor.moveToNext()
        table.put(bytes("a"), [])
        _ = [UInt8](cursor.key)
      })
  }
}

extension MemoryTable {
  /// Returns `nil` for an absent key, `.some(nil)` for a deleted one.
  func value(_ key: [UInt8]) -> [UInt8]?? {
    switch lookup(key.rawSpan) {
    case .absent: nil
    case .deleted: .some(nil)
    case .value(let span): [UInt8](span)
    }
  }

  var description: String {
    var cursor = makeCursor()
    var parts: [String] = []
    while cursor.moveToNext() {
      let key = String(decoding: [UInt8](cursor.key), as: UTF8.self)
      parts.append(cursor.isDeletion ? key + "-" : key + "=" + String(decoding: [UInt8](cursor.value), as: UTF8.self))
    }
    return parts.joined(separator: " ")
  }
}
