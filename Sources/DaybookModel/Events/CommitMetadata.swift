/// What an application notes about a commit: keys with strings, numbers, booleans or null.
///
///     try store.write(CommitInfo(author: "editor", metadata: ["ticket": "A-17", "attempt": 2])) { tx in
///       try tx.rename(cake, to: "Chocolate cake")
///     }
///
/// Keys differ in their UTF-8 bytes, have 1 to 128 bytes, and are sorted by them. There are at most 64 keys, and their
/// canonical JSON has at most 16 KiB. Numbers are integers that fit `Int64`, and finite doubles. The limits are checked
/// when a commit is written.
public struct CommitMetadata: Sendable {
  /// The entries, by the bytes of their keys; a value is a string, an integer, a double, a boolean, or null.
  public private(set) var entries: [(key: String, value: Value)] = []

  /// The most keys of one commit.
  package static let maximumCount = 64
  /// The most bytes of a key.
  package static let maximumKeySizeInBytes = 128
  /// The most bytes of the canonical JSON.
  package static let maximumSizeInBytes = 16 << 10

  package init() {}

  /// The number of keys.
  package var count: Int { entries.count }

  /// Whether there are no entries.
  package var isEmpty: Bool { entries.isEmpty }

  /// The value of a key, or `nil` without one; assigning `nil` removes the key.
  ///
  /// `metadata["key"] == nil` compares with the value ``Value/null``: use `if let` to find out whether a key exists.
  ///
  /// - Complexity: O(log *n*) for reading, O(*n*) for writing.
  public subscript(key: String) -> Value? {
    get {
      let place = place(of: key)
      // Two statements, because `nil` in a conditional expression would be the null value.
      if !place.isTaken { return nil }
      return entries[place.index].value
    }
    set {
      let (index, isTaken) = place(of: key)
      if isTaken { entries.remove(at: index) }
      if let newValue { entries.insert((key, newValue), at: index) }
    }
  }

  /// Returns these entries with others, whose values win where keys are equal.
  package func merging(_ others: CommitMetadata) -> CommitMetadata {
    var merged = self
    for entry in others.entries { merged[entry.key] = entry.value }
    return merged
  }

  /// Returns the place of a key, or the place at which it would be inserted.
  private func place(of key: String) -> (index: Int, isTaken: Bool) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let order = compareBytes(entries[middle].key, key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}

extension CommitMetadata: Hashable {
  /// Returns whether both have the same keys, compared by their bytes, with the same values.
  public static func == (a: CommitMetadata, b: CommitMetadata) -> Bool {
    a.entries.elementsEqual(b.entries) { equalBytes($0.key, $1.key) && $0.value == $1.value }
  }

  public func hash(into hasher: inout Hasher) {
    for entry in entries { hasher.combine(entry.value) }
  }
}

extension CommitMetadata: ExpressibleByDictionaryLiteral {
  /// Creates metadata; of a key that is repeated, the last value counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}
