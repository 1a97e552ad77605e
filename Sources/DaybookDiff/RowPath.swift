/// The place of a row in a sectioned list: the number of its section and its number there, both from 0.
public struct RowPath: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var section: Int
  public var row: Int

  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (a: RowPath, b: RowPath) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }

  public var description: String { "[\(section), \(row)]" }
}
