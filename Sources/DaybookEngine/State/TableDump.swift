import DaybookModel
import LMDB

/// All rows of the built-in projections, which a check compares byte for byte.
package struct TableDump: Sendable, Equatable {
  /// A row as stored in its table.
  package struct Row: Sendable, Hashable {
    package let key: [UInt8]
    package let value: [UInt8]
  }

  /// The rows by the number of the table, in the order of the keys.
  package private(set) var tables: [[Row]]

  package subscript(table: TableName) -> [Row] { tables[table.rawValue] }

  /// Reads all rows that a reader sees, layers included.
  ///
  /// The counts know no layers. Below layers, the counts that the visible rows would have are computed.
  package init(_ reader: Reader) throws {
    tables = []
    for table in TableName.allCases {
      if table == .counts, !reader.layers.isEmpty {
        tables.append(TableDump.counts(of: tables[TableName.indexes.rawValue], reader.tables.boundaries))
        continue
      }
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

  /// Counts the rows of the indexes in the plainest way.
  private static func counts(of rows: [Row], _ boundaries: StretchBoundaries) -> [Row] {
    var counts: [[UInt8]: EntryCount] = [:]
    // The highest level of each index, and the stretch of each level to which the next entry belongs.
    var (tag, starts) = ([UInt8](), [[UInt8]]())
    let highest = Dictionary(grouping: rows) { Array($0.key.prefix(CountRow.tagSize)) }.mapValues { rows in
      max(1, rows.map { boundaries.levelCount(of: $0.key.rawSpan) }.max() ?? 0)
    }
    for row in rows {
      if !row.key.starts(with: tag) || tag.isEmpty {
        tag = Array(row.key.prefix(CountRow.tagSize))
        starts = (0..<(highest[tag] ?? 0)).map { [UInt8($0)] + tag }
      }
      for level in 0..<boundaries.levelCount(of: row.key.rawSpan) { starts[level] = [UInt8(level)] + row.key }
      // The first stretch has a row even if the first key is a boundary.
      for level in starts.indices { counts[[UInt8(level)] + tag, default: .zero] += .zero }
      let isCut = row.key.count >= CountRow.cutKeySize
      for start in starts { counts[start, default: .zero] += EntryCount(all: 1, long: isCut ? 1 : 0) }
    }
    return counts.sorted { compareBytes($0.key.rawSpan, $1.key.rawSpan) < 0 }.map { key, count in
      var value: [UInt8] = []
      value.appendFixed(UInt64(count.all))
      value.appendFixed(UInt64(count.long))
      return Row(key: key, value: value)
    }
  }

  /// Returns a description of the first difference, or `nil` if the rows are equal.
  ///
  /// - Parameter other: The expected rows.
  package func firstDifference(from other: TableDump) -> String? {
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
    return "\(hexadecimalText(of: row.key.rawSpan)) = \(hexadecimalText(of: row.value.rawSpan))"
  }
}

extension TableDump {
  /// Returns the same rows without the fields that mean the same as a missing field.
  ///
  /// An event that changes an attribute which a later model added stores the default that the object showed as the old
  /// value. So undoing the event leaves this default in the record, where there was no field before: the state is the
  /// same.
  package func withoutDefaults(in model: ResolvedModel) throws -> TableDump {
    var rows = self
    rows.tables[TableName.objects.rawValue] = try self[.objects].map { row in
      var key = ByteReader(row.key.rawSpan)
      let record = try RecordView(row.value.rawSpan)
      let root = Tag(try key.fixed(UInt16.self))
      guard !record.isTombstone, let entity = model.entity(tagged: record.entity ?? root) else { return row }
      var value: [UInt8] = []
      value.appendRecordHead(record.stamps, of: record.entity)
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
