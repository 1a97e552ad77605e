import DaybookModel
import LMDB

/// All rows of the built-in projections: what a check compares, byte for byte.
package struct ProjectionRows: Sendable, Equatable {
  /// A row as it lies in its table.
  package struct Row: Sendable, Hashable {
    package let key: [UInt8]
    package let value: [UInt8]
  }

  /// By the number of the table, in the order of the keys.
  package private(set) var tables: [[Row]]

  package subscript(table: TableName) -> [Row] { tables[table.rawValue] }

  /// Reads all rows that a reader sees, layers included.
  package init(_ reader: Reader) throws {
    tables = []
    for table in TableName.allCases {
      var rows: [Row] = []
      var cursor = try reader.makeCursor(in: table)
      var isValid = try cursor.seek(atOrAfter: RawSpan())
      while isValid {
        rows.append(Row(key: [UInt8](cursor.key), value: [UInt8](cursor.value)))
        isValid = try cursor.advance()
      }
      tables.append(rows)
    }
  }

  /// The first difference, in words; nil if there is none.
  ///
  /// - Parameter other: What the rows should be.
  package func firstDifference(from other: ProjectionRows) -> String? {
    for table in TableName.allCases where self[table] != other[table] {
      let (here, there) = (self[table], other[table])
      for index in 0..<max(here.count, there.count) {
        let (a, b) = (index < here.count ? here[index] : nil, index < there.count ? there[index] : nil)
        if a != b { return "\(table), row \(index): \(text(a)) instead of \(text(b))" }
      }
    }
    return nil
  }

  private func text(_ row: Row?) -> String {
    guard let row else { return "nothing" }
    return "\(hexadecimalText(of: row.key.span.bytes)) = \(hexadecimalText(of: row.value.span.bytes))"
  }
}

extension Store {
  /// The rows of the projections as they are.
  package func projectionRows() throws -> ProjectionRows {
    try read { try ProjectionRows($0.reader) }
  }

  /// The rows that a rebuild of all projections makes; the store stays as it is.
  package func rebuiltRows() throws -> ProjectionRows {
    try checkOpen()
    return try healing { try rebuiltRowsOnce() }
  }

  private func rebuiltRowsOnce() throws -> ProjectionRows {
    // The lock of the journal keeps other writers away; both transactions are given up in the end.
    let opened = currentProjections
    let journal = try journalEnvironment.beginWrite()
    var projections = try opened.environment.beginWrite()
    let reader = LMDBJournal(snapshot: journal.snapshot, tables: journalTables)
    var rebuilder = Rebuilder(store: self, opened: opened, journal: reader, head: try reader.head())
    let (catalog, _) = try rebuilder.rebuild(TableName.allCases, in: &projections)
    let rows = try ProjectionRows(
      Reader(snapshot: projections.snapshot, tables: catalog.tables, model: catalog.model))
    projections.abort()
    journal.abort()
    return rows
  }

  /// The rows as they were at an earlier position: the commits since then folded backward over the present.
  ///
  /// No commit of a model may lie in between.
  package func projectionRows(at position: Position) throws -> ProjectionRows {
    try read { present in
      let layer = Layer()
      let reader = Reader(
        snapshot: present.reader.snapshot, tables: present.reader.tables, model: present.reader.model, layers: [layer])
      let fold = Fold(reader: reader, layer: layer, uses: ModelUses(reader.model))
      var number = present.position.number
      while number > position.number {
        try present.journal.withCommit(at: Position(number)) { commit in
          fold.reset()
          try fold.apply(
            commit.body, position: commit.header.position, time: commit.header.time, direction: .backward)
          _ = try fold.finish()
        }
        number -= 1
      }
      return try ProjectionRows(reader)
    }
  }
}

extension ProjectionRows {
  /// The same rows without the fields that say what a missing one would say.
  ///
  /// An event that changes an attribute which a later model added writes the default that the object showed as the old
  /// value. So going back leaves that default in the record, where before there was no field: the state is the same.
  package func withoutDefaults(in model: ResolvedModel) throws -> ProjectionRows {
    var rows = self
    rows.tables[TableName.objects.rawValue] = try self[.objects].map { row in
      var key = ByteReader(row.key.span.bytes)
      let record = try RecordView(row.value.span.bytes)
      guard !record.isTombstone, let entity = model.entity(tagged: Tag(try key.fixed(UInt16.self))) else { return row }
      var value: [UInt8] = []
      value.appendRecordHead(record.stamps)
      var fields = FieldReader(record.fields)
      while !fields.isAtEnd {
        let field = try fields.next()
        if let number = model.entities[entity].attribute(tagged: field.tag),
          try field.value() == model.entities[entity].attributes[number].missingValue
        {
          continue
        }
        value.append(bytes: field.whole)
      }
      return Row(key: row.key, value: value)
    }
    return rows
  }
}
