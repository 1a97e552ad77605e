import DaybookTestSupport
import LMDB
import Testing

/// Tables that collect their changes, compared with tables that sort each change as it is made.
@Suite(.hangLimit) struct CollectingTests {
  @Test func `the last change of a key counts`() {
    let table = MemoryTable()
    table.startCollecting()
    table.put(bytes("b"), bytes("1"))
    table.put(bytes("a"), bytes("2"))
    table.delete(bytes("b"))
    table.delete(bytes("c"))
    table.put(bytes("c"), [])
    #expect(table.count == 5)
    table.sort()
    #expect(table.description == "a=2 b- c=")
    #expect(table.count == 3)
  }

  @Test func `changes after a sorting join the sorted ones`() {
    let table = MemoryTable()
    table.put(bytes("m"), bytes("0"))
    table.startCollecting()
    table.put(bytes("z"), bytes("1"))
    table.put(bytes("a"), bytes("2"))
    table.sort()
    table.put(bytes("m"), bytes("3"))
    table.finishCollecting()
    table.put(bytes("b"), bytes("4"))
    #expect(table.description == "a=2 b=4 m=3 z=1")
    table.checkInvariants()
  }

  @Test func `removed changes are forgotten`() {
    let table = MemoryTable()
    table.startCollecting()
    table.put(bytes("a"), bytes("1"))
    #expect(!table.isEmpty)
    table.removeAll()
    #expect(table.isEmpty)
    #expect(table.sizeInBytes == 0)
    table.put(bytes("b"), bytes("2"))
    table.finishCollecting()
    #expect(table.description == "b=2")
  }

  @Test func `a table takes the entries of another one`() {
    let (table, other) = (MemoryTable(), MemoryTable())
    var cursor = table.makeCursor()
    let isAtEnd = !cursor.moveToNext()
    #expect(isAtEnd)
    for key in ["b", "a"] { other.put(bytes(key), bytes("1")) }
    table.take(other)
    #expect(table.description == "a=1 b=1")
    #expect(other.isEmpty)
    #expect(other.sizeInBytes == 0)
    other.put(bytes("b"), bytes("2"))
    other.delete(bytes("c"))
    table.take(other)
    #expect(table.description == "a=1 b=2 c-")
    let isValid = cursor.isValid
    #expect(!isValid)
    table.checkInvariants()
    other.checkInvariants()
  }

  @Test(arguments: [0, 1, 255, 256, 257, 65_536, 65_537, 70_000]) func `many rising keys fill their nodes`(count: Int) {
    let table = MemoryTable()
    table.startCollecting()
    for number in 0..<count { table.put(bytes(number), bytes(number)) }
    table.finishCollecting()
    table.checkInvariants()
    #expect(table.count == count)
    var cursor = table.makeCursor()
    for number in 0..<count {
      let isFound = cursor.moveToNext()
      let isRight = isFound && [UInt8](cursor.key) == bytes(number)
      guard isRight else {
        Issue.record("key \(number) is missing")
        return
      }
    }
    let isAtEnd = !cursor.moveToNext()
    #expect(isAtEnd)
  }

  @Test(arguments: 0..<5) func `random changes agree with a sorting table`(shape: Int) throws {
    try SeededRandom.run { generator in
      let (collecting, sorting) = (MemoryTable(), MemoryTable())
      collecting.startCollecting()
      for _ in 0..<6 {
        for _ in 0..<Int.random(in: 0...4_000, using: &generator) {
          let key = key(shape, &generator)
          if Int.random(in: 0..<5, using: &generator) == 0 {
            collecting.delete(key)
            sorting.delete(key)
          } else {
            let value = randomValue(&generator, longest: 9)
            collecting.put(key, value)
            sorting.put(key, value)
          }
        }
        collecting.sort()
        collecting.checkInvariants()
        try compare(collecting, sorting)
        guard Bool.random(using: &generator) else { continue }
        collecting.removeAll()
        sorting.removeAll()
      }
    }
  }

  private func key(_ shape: Int, _ generator: inout SeededRandom) -> [UInt8] {
    switch shape {
    case 0: randomKey(&generator)
    case 1: bytes(Int.random(in: 0..<9_000_000, using: &generator))
    // Ties of many keys in their first bytes, and keys that end within the next eight.
    case 2: bytes(Int.random(in: 0..<3, using: &generator)) + bytes(Int.random(in: 0..<3_000, using: &generator))
    case 3: bytes(7) + [UInt8](repeating: 0, count: Int.random(in: 0..<24, using: &generator))
    default: [UInt8](repeating: 9, count: 70) + bytes(Int.random(in: 0..<3_000, using: &generator) * 257)
    }
  }

  private func compare(_ left: MemoryTable, _ right: MemoryTable) throws {
    try #require(left.count == right.count)
    var first = left.makeCursor()
    var second = right.makeCursor()
    while second.moveToNext() {
      let isFound = first.moveToNext()
      try #require(isFound)
      let found = ([UInt8](first.key), [UInt8](first.value), first.isDeletion)
      try #require(found == ([UInt8](second.key), [UInt8](second.value), second.isDeletion))
    }
    let isAtEnd = !first.moveToNext()
    try #require(isAtEnd)
  }

  @Test func `a table that is read before it is sorted traps`() async {
    await expectTrap(
      #expect(processExitsWith: .failure) {
        let table = MemoryTable()
        table.startCollecting()
        table.put(bytes("a"), [])
        _ = table.makeCursor()
      })
  }
}
