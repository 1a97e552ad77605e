/// The place of a row in a sectioned list: the number of its section and its number there, both from 0.
///
/// Paths are ordered by section, then by row. A path means something only together with the list that it counts in: the
/// old one or the new one of a ``Difference``.
public struct RowPath: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number of the section, from 0.
  public var section: Int
  /// The number of the row in its section, from 0.
  public var row: Int

  /// The place of a row.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (a: RowPath, b: RowPath) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }

  public var description: String { "[\(section), \(row)]" }
}
