import DaybookDiff
import DaybookModel

/// The answer to a request: sections of structs, at a position. A value that does not change when the store does.
///
///     let recipes = try store.fetch(Recipe.all.sorted(by: \.name))
///     recipes.rows.first?.name
///
/// It holds all rows; for answers of any size, read as they are looked at, see ``EntityLiveResults``. Its rows keep the
/// store open.
public struct EntityResults<Object: Storable>: Sendable {
  /// The state of the store that it was read from.
  public let position: Position
  /// The sections in order. A request without a section key has one, whose name is empty, even over no objects.
  public let sections: [Section]

  /// A section of an answer.
  public struct Section: Sendable, Identifiable {
    /// What the section key makes of its rows.
    public let name: String
    /// The rows in order.
    public let rows: [Stored<Object>]
    /// The name: no two sections of an answer share it.
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

  /// The row at an index path, which must be one of the answer.
  public subscript(path: RowPath) -> Stored<Object> { sections[path.section].rows[path.row] }

  /// Where an object is; nil if it is not in the answer.
  ///
  /// - Complexity: O(*n*).
  public func path(of id: EntityID<Object>) -> RowPath? {
    for (section, rows) in sections.enumerated() {
      if let row = rows.rows.firstIndex(where: { $0.id == id }) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  /// The ids by section: what differences are applied to.
  public var ids: SectionedIDs<EntityID<Object>> {
    SectionedIDs(sections: sections.map { SectionedIDs.Section(name: $0.name, ids: $0.rows.map(\.id)) })
  }
}
