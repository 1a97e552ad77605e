import DaybookModel
import LMDB

/// The only type that reads projections: a snapshot of the tables, below layers of changes.
///
/// A write, an editing context, a preview, the past and the old side of a difference all use this type; they differ in
/// the contents of the layers. Layers are few (one, or one for each nesting of contexts), so a look-up searches them
/// one after the other.
///
/// A reader is valid as long as the transaction below it, and belongs to its thread.
package final class Reader: PathSource {
  package let snapshot: Snapshot
  package let tables: ProjectionTables
  package let model: ResolvedModel
  /// The layers, the lowest first.
  package private(set) var layers: [Layer]

  /// The tags by the number of the entity.
  private let tags: [Tag]
  // A look-up lends it to no code that could call this reader again.
  @exclusivity(unchecked) private var keyBuffer: [UInt8] = []

  package init(snapshot: Snapshot, tables: ProjectionTables, model: ResolvedModel, layers: [Layer] = []) {
    self.snapshot = snapshot
    self.tables = tables
    self.model = model
    self.layers = layers
    tags = model.entities.map(\.tag)
  }

  /// Returns the value of a key, or `nil` if there is no row.
  ///
  /// The borrowed bytes are valid until a flush changes the row, or the transaction ends.
  ///
  /// - Complexity: O(log *n*) for each layer and for the table.
  @_lifetime(immortal)
  package func value(for key: RawSpan, in table: TableName) throws -> RawSpan? {
    for number in layers.indices.reversed() {
      switch layers[number][table].unsafeEntry(for: key) {
      case .absent: continue
      case .deleted: return nil
      case .value(let value): return value.bytes
      }
    }
    guard let value = try snapshot.unsafeValue(for: key, in: tables[table]) else { return nil }
    return value.bytes
  }

  /// Returns the value of a key in an array, or `nil` if there is no row.
  @_lifetime(immortal)
  package func value(for key: [UInt8], in table: TableName) throws -> RawSpan? {
    try value(for: key.span.bytes, in: table)
  }

  /// Returns the record of an object, or `nil` if there has never been one.
  ///
  /// A deleted object has a tombstone.
  ///
  /// - Throws: `LMDBError` if damage may hide the record.
  @_lifetime(immortal)
  package func record(of key: ObjectKey) throws -> RawSpan? {
    if let record = try foundRecord(of: key) { return record }
    try proveAbsence(of: key)
    return nil
  }

  /// Returns the record of an object, or `nil` if none was found.
  ///
  /// The caller checks with ``proveAbsence(of:)`` that no damage hides the record, if this matters.
  @_lifetime(immortal)
  package func foundRecord(of key: ObjectKey) throws -> RawSpan? {
    // Removed while it is used: a member of a class is retained at each access.
    var rowKey: [UInt8] = []
    swap(&rowKey, &keyBuffer)
    defer { swap(&rowKey, &keyBuffer) }
    RowKey.object(tags[key.entity], key.id, into: &rowKey)
    return try value(for: rowKey.span.bytes, in: .objects)
  }

  /// Checks that no damage hides a row that was not found.
  ///
  /// - Throws: `LMDBError` if a row next to the missing row's place is not as it was written.
  /// - Complexity: O(log *n*)
  func proveAbsence(of key: RawSpan, in table: TableName) throws {
    try snapshot.proveAbsence(of: key, in: tables[table])
  }

  /// Checks that no damage hides the row of an object that was not found.
  func proveAbsence(of object: ObjectKey) throws {
    var row: [UInt8] = []
    RowKey.object(tags[object.entity], object.id, into: &row)
    try proveAbsence(of: row.span.bytes, in: .objects)
  }

  /// Checks that no damage hides the row of an object of any entity that was not found.
  func proveAbsence(of id: ObjectID) throws {
    for entity in model.entities { try proveAbsence(of: ObjectKey(entity: entity.index, id: id)) }
  }

  /// Returns the error of rows that contradict each other.
  ///
  /// A row leads to another row that does not exist or has unexpected contents.
  package func contradiction(in table: TableName) -> LMDBError {
    snapshot.damage(.readValue, detail: table.name)
  }

  /// Returns the first and the last identity of an entity, or `nil` if it has no rows.
  ///
  /// Tombstones count as rows.
  func firstAndLastObject(of tag: Tag) throws -> (first: ObjectID, last: ObjectID)? {
    var prefix: [UInt8] = []
    prefix.appendFixed(tag.number)
    var end: [UInt8] = []
    end.appendFixed(tag.number + 1)
    var cursor = try makeCursor(in: .objects)
    guard try cursor.seek(atOrAfter: prefix.span.bytes), hasPrefix(cursor.key, prefix.span.bytes) else { return nil }
    let first = try RowKey.leadingID(of: cursor.key)
    guard try cursor.seek(before: end.span.bytes) else { return nil }
    return (first, try RowKey.leadingID(of: cursor.key))
  }

  /// Returns a cursor over a table and the layers above it.
  package func makeCursor(in table: TableName) throws -> MergingCursor {
    MergingCursor(
      base: try snapshot.makeCursor(in: tables[table]), layers: layers.map { $0[table] }.filter { !$0.isEmpty })
  }
}

/// The tables of the built-in projections in their present generations.
package struct ProjectionTables: Sendable {
  package let objects: Table
  package let links: Table
  package let views: Table
  package let unique: Table

  package init(objects: Table, links: Table, views: Table, unique: Table) {
    self.objects = objects
    self.links = links
    self.views = views
    self.unique = unique
  }

  package subscript(table: TableName) -> Table {
    switch table {
    case .objects: objects
    case .links: links
    case .views: views
    case .unique: unique
    }
  }
}

extension Reader {
  /// Returns the last commits that named an object: one for each entity that it is or was of.
  package func lastPositions(of id: ObjectID) throws -> [Position] {
    var positions: [Position] = []
    for entity in model.entities {
      guard let record = try record(of: ObjectKey(entity: entity.index, id: id)) else { continue }
      positions.append(try RecordView(record).stamps.last)
    }
    return positions
  }

  /// Returns this reader with another layer on top.
  package func adding(_ layer: Layer) -> Reader {
    Reader(snapshot: snapshot, tables: tables, model: model, layers: layers + [layer])
  }

  /// Returns a reader of the same state without the highest layer.
  func removingTop() -> Reader {
    Reader(snapshot: snapshot, tables: tables, model: model, layers: layers.dropLast())
  }

  /// - Throws: `LMDBError` if anything that was read from the tables was damaged, even if the error was caught.
  package func checkUndamaged() throws {
    if snapshot.hasMetDamage { throw snapshot.damage(.readValue) }
  }
}
