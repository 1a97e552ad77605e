import DaybookMacros

/// A stand-in for the list view of a user interface: it prints its content and each step.
///
/// It shows only the content passed to it: it applies differences to its own list, which would fail if a difference
/// were wrong.
public final class ListView<Object: Storable> {
  private let title: String
  private let rowLimit: Int
  private let emptySectionTitle: String
  private let cell: (Stored<Object>) throws -> String
  private var shown = SectionedIDs<EntityID<Object>>(sections: [])
  private var cells: [EntityID<Object>: String] = [:]

  /// - Parameters:
  ///   - rowLimit: The maximum number of rows to print; the others are counted.
  ///   - emptySectionTitle: The title of the section whose name is empty.
  ///   - cell: Returns the text of a row.
  public init(
    _ title: String, rowLimit: Int = .max, emptySectionTitle: String = "",
    cell: @escaping (Stored<Object>) throws -> String
  ) {
    (self.title, self.rowLimit) = (title, rowLimit)
    (self.emptySectionTitle, self.cell) = (emptySectionTitle, cell)
  }

  /// Shows a result from scratch.
  public func show(_ rows: EntityRows<Object, some RowReading>) throws {
    shown = try rows.ids
    for row in try rows.rows(in: 0..<rows.count) { cells[row.id] = try cell(row) }
    let lines = shown.sections.flatMap { section -> [String] in
      let rows = section.ids.map { "      \(cells[$0] ?? "")" }
      return section.name.isEmpty && shown.sections.count == 1 ? rows : ["    [\(heading(section.name))]"] + rows
    }
    printLines(["   \(title)\(shown.count == 0 ? ": empty" : "")"] + lines)
  }

  /// Performs the steps of a difference.
  public func perform(_ change: EntityChange<Object>?) throws {
    guard let change else { return print("   \(title): nothing to do") }
    for row in try change.rows() { cells[row.id] = try cell(row) }
    shown = try shown.applying(change.difference)
    let sections = change.difference.sections.map {
      "\($0.isDelete ? "-" : "+") section \($0.index) [\(heading($0.name))]"
    }
    let rows = change.difference.rows.map { "\(step($0)) \(cells[$0.id] ?? "")" }
    printLines((sections + rows).map { "   \(title): \($0)" })
  }

  private func heading(_ name: String) -> String { name.isEmpty ? emptySectionTitle : name }

  private func step(_ change: RowChange<EntityID<Object>>) -> String {
    switch change {
    case .delete(_, let from): "- \(from)"
    case .insert(_, let to): "+ \(to)"
    case .move(_, let from, let to): "> \(from) to \(to)"
    case .update(_, let from, let to): from == to ? "~ \(to)" : "~ \(from) now \(to)"
    }
  }

  private func printLines(_ lines: [String]) {
    for line in lines.prefix(rowLimit) { print(line) }
    if lines.count > rowLimit { print("      ... and \(lines.count - rowLimit) more") }
  }
}
