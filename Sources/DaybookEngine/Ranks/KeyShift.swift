import DaybookModel

/// Sorted keys without duplicates.
protocol SortedKeys: RandomAccessCollection where Element == [UInt8], Index == Int {
  /// Returns the number of keys that are less than `key`.
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

/// The difference between the sorted keys of one state and of another, the base.
///
/// The rank of a key is its rank in the base, corrected by the number of added and removed keys below it.
struct KeyShift<Keys: SortedKeys> {
  fileprivate(set) var added: Keys
  fileprivate(set) var removed: Keys

  /// - Parameters:
  ///   - added: Keys that the base lacks.
  ///   - removed: Keys that only the base has.
  package init(added: Keys, removed: Keys) {
    (self.added, self.removed) = (added, removed)
  }

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// The number of keys of this state minus the number of keys of the base.
  var difference: Int { added.count - removed.count }

  /// Returns the difference between a key's rank and its rank in the base.
  ///
  /// - Complexity: O(log *k*) for *k* added and removed keys.
  func shift(at key: [UInt8]) -> Int { added.rank(of: key) - removed.rank(of: key) }

  /// Returns the n-th key.
  ///
  /// - Parameters:
  ///   - baseRank: Returns the number of keys of the base that are less than a key.
  ///   - baseKey: Returns the n-th key of the base.
  /// - Complexity: O(log *k*) calls of `baseRank`.
  func key(_ number: Int, baseRank: ([UInt8]) throws -> Int, baseKey: (Int) throws -> [UInt8]) throws -> [UInt8] {
    func rank(_ key: [UInt8]) throws -> Int { try baseRank(key) + shift(at: key) }
    // The number of added keys at or before the number; the rank of an added key rises with its index.
    let addedBefore = try added.partitioningIndex { try rank($0) > number }
    if addedBefore > 0, try rank(added[addedBefore - 1]) == number { return added[addedBefore - 1] }
    // The key is in both states, and `remaining` keys that are in both are before it.
    let remaining = number - addedBefore
    let removedBefore = try (0..<removed.count).partitioningIndex { try baseRank(removed[$0]) - $0 > remaining }
    return try baseKey(remaining + removedBefore)
  }
}

extension KeyShift<KeyList> {
  /// Makes an empty difference.
  package init() {
    self.init(added: KeyList(), removed: KeyList())
  }

  /// Inserts a key into this state.
  mutating func insert(_ key: [UInt8]) {
    if !removed.remove(key) { added.insert(key) }
  }

  /// Removes a key from this state.
  mutating func remove(_ key: [UInt8]) {
    if !added.remove(key) { removed.insert(key) }
  }

  /// Records that a key was inserted into the base, while this state is unchanged.
  mutating func noteBaseInserted(_ key: [UInt8]) { remove(key) }

  /// Records that a key was removed from the base, while this state is unchanged.
  mutating func noteBaseRemoved(_ key: [UInt8]) { insert(key) }
}
