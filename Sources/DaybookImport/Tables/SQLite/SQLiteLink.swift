#if Import

import DaybookModel

/// The tables and columns that a relationship is read from.
struct SQLiteLink: Sendable {
  /// Columns that equal the columns of another table's key.
  struct Join: Sendable {
    let parent: SQLiteKey
    let columns: [String]
    let parentColumns: [String]
    /// The columns of the parent whose collation only their application has.
    let foreignCollations: Set<String>

    /// Returns the condition that joins the tables.
    func condition(child: String, parent: String) -> String {
      zip(columns, parentColumns).map { column, target in
        // The collation of the left side decides, as it does in a foreign key.
        let collation = foreignCollations.contains(target.folded) ? " COLLATE BINARY" : ""
        return "\(parent).\(target.quotedName)\(collation) = \(child).\(column.quotedName)"
      }
      .joined(separator: " AND ")
    }
  }

  /// The table of the keys, which is the source's own table or a table of links.
  let table: SQLiteKey
  /// The source of a table of links; `nil` if the rows of `table` are the sources.
  let source: Join?
  let target: Join
  /// Whether the links are read from the target to the source.
  let isReversed: Bool

  var reversed: SQLiteLink { SQLiteLink(table: table, source: source, target: target, isReversed: !isReversed) }

  /// The two keys in a row of ``sql``, source first.
  var keys: [SQLiteKey] {
    let keys = [source?.parent ?? table, target.parent]
    return isReversed ? keys.reversed() : keys
  }

  /// The query of all links, sorted by source, then by target.
  var sql: String {
    let aliases = [source == nil ? "c" : "a", "b"]
    let ends = Array(zip(keys, isReversed ? aliases.reversed() : aliases))
    let columns = ends.flatMap { $0.0.columns(of: $0.1) }.joined(separator: ", ")
    let order = ends.flatMap { $0.0.order(of: $0.1) }.joined(separator: ", ")
    let joins = source.map { " JOIN \($0.parent.table.quotedName) a ON \($0.condition(child: "c", parent: "a"))" } ?? ""
    return "SELECT \(columns) FROM \(table.table.quotedName) c\(joins)"
      + " JOIN \(target.parent.table.quotedName) b ON \(target.condition(child: "c", parent: "b")) ORDER BY \(order)"
  }

  /// The query of the rows whose keys name rows that do not exist.
  var danglingSQL: String {
    let joins = [target] + (source.map { [$0] } ?? [])
    let conditions = joins.map { join in
      let present = join.columns.map { "c.\($0.quotedName) IS NOT NULL AND " }.joined()
      return
        "(\(present)NOT EXISTS (SELECT 1 FROM \(join.parent.table.quotedName) p WHERE \(join.condition(child: "c", parent: "p"))))"
    }
    let columns = table.columns(of: "c").joined(separator: ", ")
    return "SELECT \(columns) FROM \(table.table.quotedName) c WHERE \(conditions.joined(separator: " OR "))"
  }
}

#endif
