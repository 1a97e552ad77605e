#if Import

import DaybookModel
import GRDB

/// The query of a relationship's links.
struct LinkQuery {
  /// Selects `s`, `t` and `o`: the keys of the source and the target, and the order key.
  var sql: String
  /// Selects the same as the store has it, if `sql` leaves out what contradicts another link; `nil` if both are alike.
  var stored: String?
  let sourceTable: String
  let sourceNumbers: String
  let targetTable: String
  let targetNumbers: String

  /// The links between rows that exist, in order.
  var existing: String {
    """
    SELECT l.s, l.t, l.o FROM (\(sql)) l JOIN \(sourceTable) a ON a.Z_PK = l.s JOIN \(targetTable) b ON b.Z_PK = l.t
    WHERE a.Z_ENT IN (\(sourceNumbers)) AND b.Z_ENT IN (\(targetNumbers))
    ORDER BY l.s, l.o IS NULL, l.o, l.t
    """
  }

  /// The links to or from rows that do not exist.
  var dangling: String {
    """
    SELECT l.s, l.t FROM (\(stored ?? sql)) l
    WHERE NOT EXISTS (SELECT 1 FROM \(sourceTable) a WHERE a.Z_PK = l.s AND a.Z_ENT IN (\(sourceNumbers)))
    OR NOT EXISTS (SELECT 1 FROM \(targetTable) b WHERE b.Z_PK = l.t AND b.Z_ENT IN (\(targetNumbers)))
    ORDER BY l.s, l.t
    """
  }
}

extension CoreDataObjects {
  package func forEachLink(
    of field: SourceField, _ body: (SourceLink) throws -> Void
  ) throws -> [SourceNote] {
    guard let relationship = lookup.relationship(field), let query = query(of: field, relationship) else { return [] }
    let (sourceRoot, targetRoot) = (lookup.root(of: field.entity), lookup.root(of: relationship.destination))
    var order = LinkOrder(isOrdered: relationship.isOrdered && !lookup.isMirrored(field))
    try store.file.read { database in
      let rows = try Row.fetchCursor(database, sql: query.existing)
      while let row = try rows.next() {
        guard let source = row.integer(0), let target = row.integer(1) else { continue }
        let key = row.integer(2)
        order.add(source, key)
        try body(
          SourceLink(
            source: SourceKey(root: sourceRoot, row: source), target: SourceKey(root: targetRoot, row: target),
            order: key))
      }
    }
    return try danglingNotes(field, query, sourceRoot) + oneToOneNotes(field) + mirroredNotes(field, query)
      + order.notes(field)
  }

  private func danglingNotes(_ field: SourceField, _ query: LinkQuery, _ root: String) throws -> [SourceNote] {
    let (count, first) = try countAndFirst(query.dangling)
    guard count > 0 else { return [] }
    return [
      SourceNote(
        .danglingLinks, field.description, count: count, first: first.map { "\(root)/p\($0)" },
        "\(field): \(count) links to or from rows that do not exist are not read")
    ]
  }

  /// Returns the number of rows of a query, and the first value of the first row.
  private func countAndFirst(_ sql: String) throws -> (count: Int, first: Int64?) {
    try store.file.read { database in
      let count = try Row.fetchOne(database, sql: "SELECT count(*) FROM (\(sql))")?.count(0) ?? 0
      return (count, count > 0 ? try Row.fetchOne(database, sql: sql)?.integer(0) : nil)
    }
  }
}

// MARK: - Queries

extension CoreDataObjects {
  /// Returns the query of a relationship, or `nil` where the store lacks its column or table.
  private func query(of field: SourceField, _ relationship: SourceRelationship) -> LinkQuery? {
    guard hasTable(field.entity), hasTable(relationship.destination), let sql = selection(of: field, relationship)
    else {
      return nil
    }
    let isMirrored = lookup.isMirrored(field)
    return LinkQuery(
      sql: isMirrored ? mirrored(sql, relationship) : sql, stored: isMirrored ? sql : nil,
      sourceTable: quoted(layout.table(of: field.entity)), sourceNumbers: numbers(of: field.entity),
      targetTable: quoted(layout.table(of: relationship.destination)),
      targetNumbers: numbers(of: relationship.destination))
  }

  private func numbers(of entity: String) -> String {
    layout.familyNumbers(of: entity).map(String.init).joined(separator: ", ")
  }

  private func selection(of field: SourceField, _ relationship: SourceRelationship) -> String? {
    switch layout.links[field] {
    case nil: return nil
    case .sourceColumn:
      guard let own = sourceSelection(field) else { return nil }
      return oneToOneInverse(field).flatMap { union(field, own, with: $0) } ?? own
    case .targetColumn(let column, let order):
      return targetSelection(relationship, column, order)
    case .joinTable:
      guard let join = joinTables[field] else { return nil }
      let order = relationship.isOrdered ? join.orderColumn.map(quoted) ?? "NULL" : "NULL"
      return """
        SELECT \(quoted(join.sourceColumn)) AS s, \(quoted(join.targetColumn)) AS t, \(order) AS o FROM \(quoted(join.table))
        """
    }
  }

  /// Selects the links in a column of the source's table.
  private func sourceSelection(_ field: SourceField) -> String? {
    let table = layout.table(of: field.entity)
    guard let column = layout.columns[field], store.schema.hasColumn(column, in: table) else { return nil }
    return """
      SELECT Z_PK AS s, \(quoted(column)) AS t, NULL AS o FROM \(quoted(table))
      WHERE \(quoted(column)) IS NOT NULL AND Z_ENT IN (\(numbers(of: field.entity)))
      """
  }

  /// Selects the links in a column of the target's table.
  private func targetSelection(_ relationship: SourceRelationship, _ column: String, _ order: String?) -> String? {
    let table = layout.table(of: relationship.destination)
    guard store.schema.hasColumn(column, in: table) else { return nil }
    let order = order.flatMap { store.schema.hasColumn($0, in: table) ? quoted($0) : nil } ?? "NULL"
    return """
      SELECT \(quoted(column)) AS s, Z_PK AS t, \(order) AS o FROM \(quoted(table))
      WHERE \(quoted(column)) IS NOT NULL AND Z_ENT IN (\(numbers(of: relationship.destination)))
      """
  }
}

// MARK: - Relationships that are their own inverses

extension CoreDataObjects {
  /// Selects each link from both of its objects, whichever of them the store has it from.
  ///
  /// To one, the links that both rows have come first. A link that one row has alone is read if the other row has none, and
  /// no row with a lesser key leads to it.
  private func mirrored(_ sql: String, _ relationship: SourceRelationship) -> String {
    let links =
      relationship.isToMany
      ? sql
      : """
      SELECT a.s AS s, a.t AS t FROM (\(sql)) a JOIN (\(sql)) b ON b.s = a.t AND b.t = a.s
      UNION SELECT min(s) AS s, t FROM (\(sql)) WHERE t NOT IN (SELECT s FROM (\(sql))) GROUP BY t
      """
    return "SELECT s, t, NULL AS o FROM (\(links)) UNION SELECT t AS s, s AS t, NULL AS o FROM (\(links))"
  }

  /// Returns the notes of the links to one that only one of the two rows has.
  private func mirroredNotes(_ field: SourceField, _ query: LinkQuery) throws -> [SourceNote] {
    guard let stored = query.stored, lookup.relationship(field)?.isToMany == false else { return [] }
    let alone = "SELECT s, t FROM (\(stored)) EXCEPT SELECT t AS s, s AS t FROM (\(stored))"
    let (different, lost) = (
      try countAndFirst(alone), try countAndFirst("\(alone) EXCEPT SELECT s, t FROM (\(query.sql))")
    )
    guard different.count > 0 else { return [] }
    let name = { (number: Int64?) in number.map { "\(lookup.root(of: field.entity))/p\($0)" } }
    var notes = [
      SourceNote(
        .oneSidedLinks, field.description, count: different.count, first: name(different.first),
        "\(field): its own inverse, and \(different.count) links are in the row of one object only")
    ]
    if lost.count > 0 {
      notes.append(
        SourceNote(
          .contradictoryLinks, field.description, count: lost.count, first: name(lost.first),
          "\(field): its own inverse, and \(lost.count) links contradict another one; they are not read"))
    }
    return notes
  }
}

// MARK: - One-to-one

extension CoreDataObjects {
  /// Returns the inverse of a one-to-one relationship, which has a column of its own.
  private func oneToOneInverse(_ field: SourceField) -> SourceField? {
    guard let inverse = lookup.mutualInverse(of: field), !inverse.relationship.isToMany, inverse.field != field else {
      return nil
    }
    return inverse.field
  }

  /// Selects the links of both columns: the side declared first decides, and the other one fills what it leaves open.
  private func union(_ field: SourceField, _ own: String, with inverse: SourceField) -> String? {
    guard let other = sourceSelection(inverse) else { return nil }
    let back = "SELECT t AS s, s AS t, NULL AS o FROM (\(other))"
    let (first, second) = lookup.isDeclared(field, before: inverse) ? (own, back) : (back, own)
    return """
      SELECT s, t, o FROM (\(first)) UNION ALL SELECT s, t, o FROM (\(second))
      WHERE s NOT IN (SELECT s FROM (\(first))) AND t NOT IN (SELECT t FROM (\(first)))
      """
  }

  /// Returns the notes of the links in which the two columns differ.
  private func oneToOneNotes(_ field: SourceField) throws -> [SourceNote] {
    guard let inverse = oneToOneInverse(field), let own = sourceSelection(field), let other = sourceSelection(inverse)
    else {
      return []
    }
    let back = "SELECT t AS s, s AS t, NULL AS o FROM (\(other))"
    let isFirst = lookup.isDeclared(field, before: inverse)
    let (first, second) = isFirst ? (own, back) : (back, own)
    let sides =
      ["(SELECT s, t FROM (\(first)) EXCEPT SELECT s, t FROM (\(second)))"]
      + ["(SELECT s, t FROM (\(second)) EXCEPT SELECT s, t FROM (\(first)))"]
    let different = try countAndFirst(sides.map { "SELECT s, t FROM \($0)" }.joined(separator: " UNION ALL "))
    guard different.count > 0 else { return [] }
    let lost = try countAndFirst(
      "SELECT s, t FROM \(sides[1]) WHERE s IN (SELECT s FROM (\(first))) OR t IN (SELECT t FROM (\(first)))")
    let place = min(field, inverse)
    let name = { (number: Int64?) in number.map { "\(lookup.root(of: field.entity))/p\($0)" } }
    var notes = [
      SourceNote(
        .oneSidedLinks, place.description, count: different.count, first: name(different.first),
        "\(place): one-to-one, and \(different.count) links are in the column of one side only")
    ]
    if lost.count > 0 {
      let decider = isFirst ? field : inverse
      notes.append(
        SourceNote(
          .contradictoryLinks, place.description, count: lost.count, first: name(lost.first),
          "\(place): one-to-one, and \(lost.count) links contradict \(decider), which is declared first; they are not read"
        ))
    }
    return notes
  }
}

/// Counts the links of lists whose order is not certain.
private struct LinkOrder {
  let isOrdered: Bool
  private var last: (source: Int64, key: Int64)?
  private var missing = 0
  private var equal = 0

  init(isOrdered: Bool) {
    self.isOrdered = isOrdered
  }

  mutating func add(_ source: Int64, _ key: Int64?) {
    guard isOrdered else { return }
    guard let key else {
      missing += 1
      return
    }
    if let last, last == (source, key) { equal += 1 }
    last = (source, key)
  }

  func notes(_ field: SourceField) -> [SourceNote] {
    var notes: [SourceNote] = []
    if missing > 0 {
      notes.append(
        SourceNote(
          .missingOrder, field.description, count: missing,
          "\(field): \(missing) links have no order key; they come last, by primary key"))
    }
    if equal > 0 {
      notes.append(
        SourceNote(
          .equalOrder, field.description, count: equal,
          "\(field): \(equal) order keys occur twice in a list; the primary key decides"))
    }
    return notes
  }
}

#endif
