import DaybookModel
import DaybookRuntime

/// A range of the keys of a projection's table.
///
///     TableRequest(Activity.byDay, keys: .from(20_000, upTo: 20_031))
///     TableRequest(Activity.byAuthor, keys: .beginning(with: ["emma"]))      // of a key of several values
public struct KeyRange<Key: TableKey>: Sendable {
  private enum Bound: Sendable {
    case key(Key)
    /// All keys that begin with the values.
    case values([Value])
  }

  private let lower: Bound?
  private let upper: Bound?
  private let includesUpper: Bool

  private init(_ lower: Bound?, _ upper: Bound?, includesUpper: Bool = false) {
    (self.lower, self.upper, self.includesUpper) = (lower, upper, includesUpper)
  }

  /// All keys.
  public static var all: KeyRange { KeyRange(nil, nil) }

  /// Returns the range from a key on.
  public static func from(_ first: Key) -> KeyRange { KeyRange(.key(first), nil) }

  /// Returns the range of the keys before a key.
  public static func upTo(_ end: Key) -> KeyRange { KeyRange(nil, .key(end)) }

  /// Returns the range through a key, which it includes.
  public static func through(_ last: Key) -> KeyRange { KeyRange(nil, .key(last), includesUpper: true) }

  /// Returns the range from a key up to another one, which it does not include.
  public static func from(_ first: Key, upTo end: Key) -> KeyRange { KeyRange(.key(first), .key(end)) }

  /// Returns the range from a key through another one, which it includes.
  public static func from(_ first: Key, through last: Key) -> KeyRange {
    KeyRange(.key(first), .key(last), includesUpper: true)
  }

  /// Returns the range of the keys whose first values are these.
  public static func beginning(with values: [Value]) -> KeyRange {
    KeyRange(.values(values), .values(values), includesUpper: true)
  }

  /// Returns the range of bytes in a table.
  ///
  /// - Throws: `StoreError` with the code `badValue` for an invalid name or key.
  func bytes(in table: String) throws -> ProjectionRange {
    var range = try ProjectionRange(table)
    if let lower { range.lower = try bytes(of: lower, in: table) }
    if let upper {
      range.upper = try bytes(of: upper, in: table)
      // No key has these bytes, and each part of a key begins with 0 or 1.
      if includesUpper { range.upper.append(2) }
    }
    return range
  }

  private func bytes(of bound: Bound, in table: String) throws -> [UInt8] {
    switch bound {
    case .key(let key): try ProjectionKey.full(key.keyBytes(), in: table)
    case .values(let values): try ProjectionKey.full(Key.bytes(of: values, isWhole: false), in: table)
    }
  }
}
