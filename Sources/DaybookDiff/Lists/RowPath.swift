/// The place of a row in a sectioned list: its section's number and its own there, from 0.
///
/// Paths are ordered by section, then by row. A path is valid only for its own list: the old one or the new one of a
/// ``Difference``.
public struct RowPath: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number of the section, from 0.
  public var section: Int
  /// The number of the row in its section, from 0.
  public var row: Int

  /// Creates the path of a row.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (a: RowPath, b: RowPath) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }

  public var description: String { "[\(section), \(row)]" }
}
