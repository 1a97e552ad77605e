/// A section of a list: its name and its rows in order, as objects or as ids.
public struct ListSection<Row: Sendable>: Sendable, Identifiable {
  /// The name of the section, unique in a list; empty for a list without sections.
  public let name: String
  /// Its rows in their order.
  public let rows: [Row]

  /// Creates a section with these rows.
  public init(name: String, rows: [Row]) {
    self.name = name
    self.rows = rows
  }

  /// The name.
  public var id: String { name }
}

extension ListSection: Equatable where Row: Equatable {
  /// Returns whether the names have the same bytes and the rows are equal.
  public static func == (a: ListSection, b: ListSection) -> Bool {
    SectionName(a.name) == SectionName(b.name) && a.rows == b.rows
  }
}

extension ListSection: Hashable where Row: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(SectionName(name))
    hasher.combine(rows)
  }
}

extension ListSection: CustomStringConvertible {
  public var description: String { "\(name.debugDescription): \(rows)" }
}
