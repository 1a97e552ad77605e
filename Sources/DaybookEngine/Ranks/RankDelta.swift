import DaybookModel

/// The difference between a request's rows in one state and in the state below it, with their sections.
struct RankDelta {
  /// The rows that only one of the states has.
  private(set) var rows = KeyDelta()
  /// The sections that only one of the states has.
  private(set) var sections = KeyDelta()
  /// The sections whose number of rows differs, each with its name and the difference.
  private var sizes: [[UInt8]: (name: String, difference: Int)] = [:]

  /// Returns the difference between the numbers of a section's rows.
  func difference(ofSection key: [UInt8]) -> Int { sizes[key]?.difference ?? 0 }

  /// Returns the name of a section whose number of rows differs, or `nil` for any other.
  func name(ofSection key: [UInt8]) -> String? { sizes[key]?.name }

  /// Moves rows of this state.
  ///
  /// - Parameter countBelow: Returns the number of a section's rows in the state below.
  mutating func apply(_ moves: [RowMove], countBelow: ([UInt8]) -> Int) {
    let (old, new) = (moves.compactMap(\.old), moves.compactMap(\.new))
    rows.apply(removing: old.map(\.key.bytes), inserting: new.map(\.key.bytes))
    var changed: Set<[UInt8]> = []
    for (states, step) in [(old, -1), (new, 1)] {
      for state in states where state.key.sectionSize > 0 {
        let section = state.key.section
        sizes[section, default: (state.sectionName, 0)].difference += step
        changed.insert(section)
      }
    }
    for section in changed {
      let (below, difference) = (countBelow(section), difference(ofSection: section))
      if difference == 0 { sizes[section] = nil }
      sections.set(section, isHere: below + difference > 0, isBelow: below > 0)
    }
  }
}

/// The difference between the sorted keys of one state and of the state below it.
///
/// The rank of a key is its rank in the state below, corrected by the number of added and removed keys before it.
struct KeyDelta {
  /// Keys that the state below lacks.
  private(set) var added = SortedKeys()
  /// Keys that only the state below has.
  private(set) var removed = SortedKeys()

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// The number of keys of this state minus the number of keys of the state below.
  var difference: Int { added.count - removed.count }

  /// Returns the difference between a key's rank and its rank in the state below.
  ///
  /// - Complexity: O(log *k*) for *k* added and removed keys.
  func shift(at key: [UInt8]) -> Int { added.rank(of: key) - removed.rank(of: key) }

  /// Returns the n-th key.
  ///
  /// - Parameters:
  ///   - rankBelow: Returns the number of keys of the state below that are less than a key.
  ///   - keyBelow: Returns the n-th key of the state below.
  /// - Complexity: O(log *k*) calls of `rankBelow`.
  func key(
    _ number: Int, rankBelow: ([UInt8]) throws -> Int, keyBelow: (Int) throws -> [UInt8]
  ) rethrows -> [UInt8] {
    // The number of added keys at or before the number; the rank of an added key rises with its index.
    let addedBefore = try added.partitioningIndex { try rankBelow($0) + shift(at: $0) > number }
    if addedBefore > 0 {
      let last = added[addedBefore - 1]
      if try rankBelow(last) + shift(at: last) == number { return last }
    }
    // The key is in both states, and `remaining` keys that are in both are before it.
    let remaining = number - addedBefore
    let removedBefore = try (0..<removed.count).partitioningIndex { try rankBelow(removed[$0]) - $0 > remaining }
    return try keyBelow(remaining + removedBefore)
  }

  /// Returns all keys of this state in order.
  ///
  /// - Parameter below: All keys of the state below, in order.
  func applied(to below: [[UInt8]]) -> [[UInt8]] {
    let kept = removed.isEmpty ? below : below.filter { !removed.contains($0) }
    return added.isEmpty ? kept : KeyDelta.sorted(kept + added)
  }

  /// Removes keys that this state has, and inserts keys that it lacks.
  ///
  /// - Complexity: O(*m* log *m*) for *m* keys if the states were equal, else O(*m* log *k*).
  mutating func apply(removing old: [[UInt8]], inserting new: [[UInt8]]) {
    if isEmpty {
      // Sorting many keys takes less than half the time of inserting one after the other.
      (added, removed) = (SortedKeys(sorted: KeyDelta.sorted(new)), SortedKeys(sorted: KeyDelta.sorted(old)))
      return
    }
    for key in old where !added.remove(key) { removed.insert(key) }
    for key in new where !removed.remove(key) { added.insert(key) }
  }

  /// Records which of the states have a key.
  mutating func set(_ key: [UInt8], isHere: Bool, isBelow: Bool) {
    if isHere, !isBelow { added.insert(key) } else { added.remove(key) }
    if isBelow, !isHere { removed.insert(key) } else { removed.remove(key) }
  }

  private static func sorted(_ keys: [[UInt8]]) -> [[UInt8]] {
    keys.sorted { compareBytes($0.rawSpan, $1.rawSpan) < 0 }
  }
}
