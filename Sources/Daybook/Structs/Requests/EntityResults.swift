import DaybookDiff
import DaybookModel
import DaybookRuntime

/// The result of a request: sections of structs, at a position. A value that never changes.
///
///     let recipes = try store.fetch(Recipe.all.sorted(by: \.name))
///     recipes.rows.first?.name
///
/// It holds all rows; for large results, whose rows are read on access, see ``EntityLiveResults``. Its rows keep the
/// store open.
public struct EntityResults<Object: Storable>: Sendable {
  /// The position of the store that it was read from.
  public let position: Position
  /// The sections in order. Without a section key, one section with an empty name, even if it has no rows.
  public let sections: [Section]

  /// A section of a result.
  public struct Section: Sendable, Identifiable {
    /// The name that the section key gives to its rows.
    public let name: String
    /// The rows in order.
    public let rows: [Stored<Object>]
    /// The name, which is unique among the sections of a result.
    public var id: String { name }
  }

  init(_ results: FetchedResults, source: RowSource) throws {
    position = results.position
    sections = try results.sections.map { section in
      Section(name: section.name, rows: try section.objects.map { try Stored($0, source: source) })
    }
  }

  /// All rows, section by section.
  public var rows: [Stored<Object>] { sections.flatMap(\.rows) }

  /// The number of rows.
  public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// The row at an index path, which must be in the result.
  public subscript(path: RowPath) -> Stored<Object> { sections[path.section].rows[path.row] }

  /// Returns the path of an object's row, or `nil` if the result lacks it.
  ///
  /// - Complexity: O(*n*).
  public func path(of id: EntityID<Object>) -> RowPath? {
    for (section, rows) in sections.enumerated() {
      if let row = rows.rows.firstIndex(where: { $0.id == id }) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  /// The ids by section, to which differences are applied.
  public var ids: SectionedIDs<EntityID<Object>> {
    SectionedIDs(sections: sections.map { SectionedIDs.Section(name: $0.name, ids: $0.rows.map(\.id)) })
  }
}
