import DaybookDiff
import LMDB

/// Keys in order, none twice.
protocol SortedKeys: RandomAccessCollection where Element == [UInt8], Index == Int {
  /// How many keys are less than `key`.
  func rank(of key: [UInt8]) -> Int
}

extension [[UInt8]]: SortedKeys {
  func rank(of key: [UInt8]) -> Int {
    partitioningIndex { compareBytes($0.span.bytes, key.span.bytes) >= 0 }
  }
}

extension KeyList: SortedKeys {
  var startIndex: Int { 0 }
  var endIndex: Int { count }
}

/// How the sorted keys of one state differ from those of another, the base: which were added and which removed.
///
/// Numbers in the one state are those in the base, corrected by how many of the keys that differ are below.
struct KeyShift<Keys: SortedKeys> {
  fileprivate(set) var added: Keys
  fileprivate(set) var removed: Keys

  /// - Parameters:
  ///   - added: Keys that the base lacks.
  ///   - removed: Keys that only the base has.
  init(added: Keys, removed: Keys) {
    (self.added, self.removed) = (added, removed)
  }

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// How many keys more than the base there are.
  var difference: Int { added.count - removed.count }

  /// What a key's number differs from that in the base.
  ///
  /// - Complexity: O(log *k*) for *k* keys that differ.
  func shift(at key: [UInt8]) -> Int { added.rank(of: key) - removed.rank(of: key) }

  /// The key of a number.
  ///
  /// - Parameters:
  ///   - baseRank: How many keys of the base are less than a given one.
  ///   - baseKey: The key of a number in the base.
  /// - Complexity: O(log *k*) calls of `baseRank`.
  func key(_ number: Int, baseRank: ([UInt8]) throws -> Int, baseKey: (Int) throws -> [UInt8]) throws -> [UInt8] {
    func rank(_ key: [UInt8]) throws -> Int { try baseRank(key) + shift(at: key) }
    // The added keys that come at or before the number: the rank of an added key rises with its index.
    let addedBefore = try added.partitioningIndex { try rank($0) > number }
    if addedBefore > 0, try rank(added[addedBefore - 1]) == number { return added[addedBefore - 1] }
    // It is one of the keys that both have, and so many of them are before it.
    let remaining = number - addedBefore
    let removedBefore = try (0..<removed.count).partitioningIndex { try baseRank(removed[$0]) - $0 > remaining }
    return try baseKey(remaining + removedBefore)
  }
}

extension KeyShift<KeyList> {
  /// No difference.
  init() {
    self.init(added: KeyList(), removed: KeyList())
  }

  /// Adds a key to this state.
  mutating func insert(_ key: [UInt8]) {
    if !removed.remove(key) { added.insert(key) }
  }

  /// Takes a key out of this state.
  mutating func remove(_ key: [UInt8]) {
    if !added.remove(key) { removed.insert(key) }
  }

  /// Notes that the base has a key more; this state stays as it is.
  mutating func noteBaseInserted(_ key: [UInt8]) { remove(key) }

  /// Notes that the base has lost a key; this state stays as it is.
  mutating func noteBaseRemoved(_ key: [UInt8]) { insert(key) }
}
