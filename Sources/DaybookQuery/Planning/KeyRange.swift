import DaybookModel

/// A range of an index's keys, without the index's tag: from `lower` up to before `upper`.
///
/// It is compared with keys of a row's terms, cut to ``SortKey/maximumTermsSize`` bytes, and its id. The
/// bounds are never longer than the terms of a key.
package struct KeyRange: Hashable, Sendable {
  package var lower: [UInt8]
  /// The upper bound, or `nil` for the end of the index.
  package var upper: [UInt8]?

  /// All keys.
  package static let all = KeyRange(lower: [], upper: nil)

  /// Creates the range of all keys with a prefix.
  package init(prefix: [UInt8]) {
    self.init(lower: prefix, upper: KeyRange.successor(of: prefix))
  }

  init(lower: [UInt8], upper: [UInt8]?) {
    self.lower = lower
    self.upper = upper
  }

  var isEmpty: Bool {
    guard let upper else { return false }
    return !lower.lexicographicallyPrecedes(upper)
  }

  package func contains(_ key: [UInt8]) -> Bool {
    guard !key.lexicographicallyPrecedes(lower) else { return false }
    guard let upper else { return true }
    return key.lexicographicallyPrecedes(upper)
  }

  /// Returns the least bytes above all bytes with a prefix, or `nil` if no bytes are above them.
  static func successor(of prefix: [UInt8]) -> [UInt8]? {
    var bytes = prefix
    while bytes.last == 255 { bytes.removeLast() }
    guard let last = bytes.popLast() else { return nil }
    bytes.append(last + 1)
    return bytes
  }

  /// Returns the same keys as ascending ranges that do not touch.
  package static func merged(_ ranges: [KeyRange]) -> [KeyRange] {
    if ranges.count == 1 { return ranges[0].isEmpty ? [] : ranges }
    var merged: [KeyRange] = []
    let sorted = ranges.filter { !$0.isEmpty }.sorted { $0.lower.lexicographicallyPrecedes($1.lower) }
    for range in sorted {
      guard let last = merged.last else {
        merged.append(range)
        continue
      }
      guard let end = last.upper else { break }
      if end.lexicographicallyPrecedes(range.lower) {
        merged.append(range)
      } else if range.upper.map({ end.lexicographicallyPrecedes($0) }) ?? true {
        merged[merged.count - 1].upper = range.upper
      }
    }
    return merged
  }
}
