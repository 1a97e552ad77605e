import DaybookDiff
import DaybookEngine
import DaybookModel

/// The result of a request at a position: sections of rows. A value that never changes.
///
///     let recipes = try store.fetch(Recipe.all.sorted(by: \.name))
///     recipes[RowPath(section: 0, row: 2)].name
///     recipes.path(of: cake)
///
/// It holds all rows; of a result of any size, `LiveResults` reads them when they are asked for. Rows that read related
/// objects keep the store open.
public struct Results<Row: Identifiable & Sendable>: Sendable where Row.ID: Sendable {
  /// The position at which the result was read.
  public let position: Position
  /// The time at which it was read, if the result depends on the time.
  let time: Timestamp?
  /// The sections in order.
  ///
  /// A request without a section key has one section, whose name is empty, even without any rows.
  public let sections: [ListSection<Row>]

  package init(position: Position, at time: Timestamp? = nil, sections: [ListSection<Row>]) {
    (self.position, self.time, self.sections) = (position, time, sections)
  }

  /// All rows, section by section.
  public var rows: [Row] { sections.count == 1 ? sections[0].rows : sections.flatMap(\.rows) }

  /// The number of rows.
  public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// The row at an index path, which must be in the result.
  public subscript(path: RowPath) -> Row { sections[path.section].rows[path.row] }

  /// Returns the index path of a row, or `nil` if it is not in the result.
  ///
  /// - Complexity: O(*n*).
  public func path(of id: Row.ID) -> RowPath? {
    for (section, rows) in sections.enumerated() {
      if let row = rows.rows.firstIndex(where: { $0.id == id }) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  /// The ids by section, to which differences are applied.
  public var ids: SectionedIDs<Row.ID> {
    SectionedIDs(sections: sections.map { ListSection(name: $0.name, rows: $0.rows.map(\.id)) })
  }

  /// The titles of an index beside a list.
  ///
  /// They are the first characters of the sections' names in upper case, each once.
  public var sectionIndexTitles: [String] { SectionIndex.titles(of: sections.map(\.name)) }

  /// Returns the same result with other rows in the places of these.
  package func map<Other>(_ transform: (Row) throws -> Other) rethrows -> Results<Other> {
    Results<Other>(
      position: position, at: time,
      sections: try sections.map { ListSection(name: $0.name, rows: try $0.rows.map(transform)) })
  }
}

extension Results: Equatable where Row: Equatable {}
extension Results: Hashable where Row: Hashable {}

/// The index beside a long list: short titles, each of which leads to a section.
package enum SectionIndex {
  /// Returns a section's title: the first character of its name in upper case, or nothing.
  package static func title(of name: String) -> String {
    name.first.map { $0.uppercased() } ?? ""
  }

  /// Returns the titles of sections in their order, each title once.
  package static func titles(of names: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return names.map(title).filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
