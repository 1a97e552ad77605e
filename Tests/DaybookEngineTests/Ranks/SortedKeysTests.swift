import DaybookDiff
import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

@Suite(.hangLimit) struct SortedKeysTests {
  @Test func anEmptyListHasNothing() {
    var list = SortedKeys()
    #expect(list.count == 0 && list.rank(of: [1]) == 0 && !list.contains([1]) && !list.remove([1]))
    #expect(Array(list) == [])
  }

  @Test func everyOrderOfInsertsAndRemovesOfAFewKeysIsRight() throws {
    let keys: [[UInt8]] = [[], [0], [0, 0], [1], [255]]
    for order in permutations(of: keys) {
      var (list, plain) = (SortedKeys(), [[UInt8]]())
      for key in order {
        #expect(list.insert(key) && !list.insert(key))
        plain.insert(key, at: plain.partitioningIndex { compareBytes($0.rawSpan, key.rawSpan) > 0 })
        try check(list, plain, keys)
      }
      for key in order.reversed() {
        #expect(list.remove(key) && !list.remove(key))
        plain.removeAll { $0 == key }
        try check(list, plain, keys)
      }
    }
  }

  private func permutations(of keys: [[UInt8]]) -> [[[UInt8]]] {
    guard keys.count > 1 else { return [keys] }
    return keys.indices.flatMap { index in
      var rest = keys
      let key = rest.remove(at: index)
      return permutations(of: rest).map { [key] + $0 }
    }
  }

  /// Enough keys to split blocks by number, and long keys to split them by weight.
  @Test(arguments: [8, 40, 20_000]) func aLongListAgreesWithASortedArray(longestKey: Int) throws {
    try Seeds.run(4) { seed in
      var random = SeededRandom(seed: seed)
      func key() -> [UInt8] {
        let head = (0..<2).map { _ in UInt8(random.number(0...40)) }
        return head + Array(repeating: UInt8(random.number(0...2)), count: random.number(0...longestKey))
      }
      var plain = Set((0..<random.number(0...(longestKey > 1_000 ? 40 : 900))).map { _ in key() })
      var list = SortedKeys(sorted: sorted(plain))
      try check(list, sorted(plain), (0..<20).map { _ in key() })
      let isGrowing = random.isTrue(percent: 50)
      for _ in 0..<(longestKey > 1_000 ? 60 : 1_500) {
        if random.isTrue(percent: isGrowing ? 75 : 25) || plain.isEmpty {
          let new = key()
          guard list.insert(new) == plain.insert(new).inserted else { throw Mismatch("the insert of \(new)") }
        } else {
          let old = random.isTrue(percent: 90) ? list[random.number(0...(list.count - 1))] : key()
          guard list.remove(old) == (plain.remove(old) != nil) else { throw Mismatch("the removal of \(old)") }
        }
      }
      try check(list, sorted(plain), (0..<20).map { _ in key() })
    }
  }

  private func sorted(_ keys: Set<[UInt8]>) -> [[UInt8]] {
    keys.sorted(by: precedes)
  }

  private func check(_ list: SortedKeys, _ plain: [[UInt8]], _ others: [[UInt8]]) throws {
    guard list.count == plain.count, Array(list) == plain else { throw Mismatch("the keys are not \(plain)") }
    for (number, key) in plain.enumerated() {
      guard list[number] == key, list.rank(of: key) == number, list.contains(key) else {
        throw Mismatch("key \(number) is not \(key)")
      }
    }
    for key in others {
      guard list.rank(of: key) == plain.count(where: { precedes($0, key) }) else {
        throw Mismatch("the rank of \(key)")
      }
      guard list.contains(key) == plain.contains(key) else { throw Mismatch("whether \(key) is there") }
    }
  }
}
