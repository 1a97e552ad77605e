import DaybookModel
import LMDB

/// The one way in which projections are read: a snapshot of the tables with layers of changes on top.
///
/// A write, an editing context, a preview, the past and the old side of a difference are all this type; they differ in
/// what the layers hold. Layers are few (one, or one for each nesting of contexts), so a look-up asks them in turn.
///
/// A reader lives as long as the transaction under it and belongs to its thread.
package final class Reader {
  package let snapshot: Snapshot
  package let tables: ProjectionTables
  package let model: ResolvedModel
  /// The lowest first.
  package private(set) var layers: [Layer]

  /// By the number of the entity.
  private let tags: [Tag]
  // A look-up lends it to nothing that could come back here.
  @exclusivity(unchecked) private var keyBuffer: [UInt8] = []

  package init(snapshot: Snapshot, tables: ProjectionTables, model: ResolvedModel, layers: [Layer] = []) {
    self.snapshot = snapshot
    self.tables = tables
    self.model = model
    self.layers = layers
    tags = model.entities.map(\.tag)
  }

  /// The value of a key, or nil.
  ///
  /// What it borrows stays valid until the row is changed by a flush, or the transaction ends.
  ///
  /// - Complexity: O(log *n*) for each layer and for the table.
  @_lifetime(immortal)
  package func value(for key: RawSpan, in table: TableName) throws -> RawSpan? {
    for number in layers.indices.reversed() {
      switch layers[number][table].storedEntry(for: key) {
      case .absent: continue
      case .deleted: return nil
      case .value(let value): return value.bytes
      }
    }
    guard let value = try snapshot.storedValue(for: key, in: tables[table]) else { return nil }
    return value.bytes
  }

  /// The value of a key that was put together as an array, or nil.
  @_lifetime(immortal)
  package func value(for key: [UInt8], in table: TableName) throws -> RawSpan? {
    try value(for: key.span.bytes, in: table)
  }

  /// The record of an object, or nil if there has never been one. A deleted object has a tombstone.
  ///
  /// - Throws: `LMDBError` if damage may hide it.
  @_lifetime(immortal)
  package func record(of key: ObjectKey) throws -> RawSpan? {
    if let record = try foundRecord(of: key) { return record }
    try proveAbsence(of: key)
    return nil
  }

  /// The record of an object, or nil if none was found: whether damage hides it is for the caller to find out, where that
  /// matters.
  @_lifetime(immortal)
  package func foundRecord(of key: ObjectKey) throws -> RawSpan? {
    // Taken out while it is used: what a class holds is retained each time that it is looked at.
    var rowKey: [UInt8] = []
    swap(&rowKey, &keyBuffer)
    defer { swap(&rowKey, &keyBuffer) }
    RowKey.object(tags[key.entity], key.id, into: &rowKey)
    return try value(for: rowKey.span.bytes, in: .objects)
  }

  /// Makes sure that no damage hides a row that was not found.
  ///
  /// - Throws: `LMDBError` if a row next to where it would be is not what was written.
  /// - Complexity: O(log *n*)
  func proveAbsence(of key: RawSpan, in table: TableName) throws {
    try snapshot.proveAbsence(of: key, in: tables[table])
  }

  /// Makes sure that no damage hides the row of an object that was not found.
  func proveAbsence(of object: ObjectKey) throws {
    var row: [UInt8] = []
    RowKey.object(tags[object.entity], object.id, into: &row)
    try proveAbsence(of: row.span.bytes, in: .objects)
  }

  /// The same for an object of any entity.
  func proveAbsence(of id: ObjectID) throws {
    for entity in model.entities { try proveAbsence(of: ObjectKey(entity: entity.index, id: id)) }
  }

  /// The error of rows that contradict each other: one leads to another that is not there, or is not what it must be.
  func contradiction(in table: TableName) -> LMDBError {
    snapshot.damage(.readValue, detail: table.name)
  }

  /// The first and the last identity of an entity that have a row, be it a tombstone; nil if there is none.
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

  /// A cursor over a table and the layers above it.
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
