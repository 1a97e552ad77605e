#if Import

/// The table of a many-to-many relationship, as a store has it.
///
/// It is named `Z_<n><NAME>` for either side. A column is named for the relationship that leads to the object in it, with
/// the object's entity number. Digits are added where several relationships share a name, in an order that is not
/// known, so the names are matched by pattern.
package struct JoinTable: Hashable, Sendable {
  package let table: String
  package let sourceColumn: String
  package let targetColumn: String
  /// The column of the order key among the targets of one source.
  package let orderColumn: String?

  /// Finds the table of a relationship, or returns `nil` if none or several match.
  package init?(_ field: SourceField, in layout: StoreLayout, _ schema: StoreSchema) {
    guard let relationship = layout.lookup.relationship(field), let inverse = layout.lookup.inverse(of: field),
      let here = layout.numbers[field.entity], let there = layout.numbers[inverse.field.entity]
    else { return nil }
    let sourceName = "Z_\(here)\(inverse.field.name.uppercased())"
    let targetName = "Z_\(there)\(relationship.name.uppercased())"
    let tableNames = ["Z_\(here)\(relationship.name.uppercased())", "Z_\(there)\(inverse.field.name.uppercased())"]
    var found: [JoinTable] = []
    for (table, columns) in schema.tables.sorted(by: { $0.key < $1.key })
    where tableNames.contains(where: { JoinTable.matches(table, $0) }) {
      let names = columns.map(\.name)
      found += JoinTable.candidates(table, names, sourceName, targetName)
      if found.isEmpty, field == inverse.field { found += JoinTable.selfInverse(table, names) }
    }
    let exact = found.filter { $0.sourceColumn == sourceName && $0.targetColumn == targetName }
    var best = exact.isEmpty ? found : exact
    // Both columns of a relationship that is its own inverse match both patterns, and either direction has all links.
    if field == inverse.field, best.count == 2, best[0].table == best[1].table { best.removeLast() }
    guard best.count == 1 else { return nil }
    self = best[0]
  }

  private init(_ table: String, _ source: String, _ target: String, _ order: String?) {
    (self.table, sourceColumn, targetColumn, orderColumn) = (table, source, target, order)
  }

  private static func candidates(
    _ table: String, _ columns: [String], _ source: String, _ target: String
  ) -> [JoinTable] {
    let main = mainColumns(columns)
    var found: [JoinTable] = []
    for a in main where matches(a, source) {
      for b in main where matches(b, target) && a != b {
        let order = "Z_FOK_" + b.dropFirst(2)
        found.append(JoinTable(table, a, b, columns.contains(order) ? order : nil))
      }
    }
    return found
  }

  /// Returns the table of a relationship that is its own inverse: its columns have one name with and without digits, or the
  /// second one is `REFLEXIVE`.
  private static func selfInverse(_ table: String, _ columns: [String]) -> [JoinTable] {
    let main = mainColumns(columns)
    if main.count == 2 { return [JoinTable(table, main[0], main[1], nil)] }
    return main.count == 1 && columns.contains("REFLEXIVE") ? [JoinTable(table, main[0], "REFLEXIVE", nil)] : []
  }

  private static func mainColumns(_ columns: [String]) -> [String] {
    columns.filter { !$0.hasPrefix("Z_FOK_") && $0 != "REFLEXIVE" }
  }

  /// Returns whether a name is a pattern, with or without digits after it.
  private static func matches(_ name: String, _ pattern: String) -> Bool {
    name.hasPrefix(pattern) && name.dropFirst(pattern.count).allSatisfy { $0.isASCII && $0.isNumber }
  }
}

#endif
