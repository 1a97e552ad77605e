import DaybookModel
import DaybookQuery
import LMDB

/// The only type that reads the built-in projections: a snapshot of the tables, below layers of changes.
///
/// A write, an editing context, a preview, the past and the old side of a difference all use this type; they differ in
/// the contents of the layers.
///
/// A reader is valid as long as the transaction below it, and belongs to its thread.
package final class Reader: PathSource {
  package let snapshot: TransactionSnapshot
  package let tables: BuiltInTables
  package let model: ResolvedModel
  /// The layers, the lowest first.
  package let layers: [Layer]
  /// The plans of the store's last requests, or `nil` for a reader whose requests are planned each time.
  package let plans: PlanCache?
  /// The place from which the objects' large values are read; `nil` for a reader that returns no objects.
  package let largeValues: (any LargeValueSource)?

  /// The tables of derived entities; empty for a reader of the journal's own model.
  package let derived: [DerivedTables]
  /// The built-in tables, in which all rows are whose tags are not derived.
  private let stored: TableStack
  private let derivedStacks: [TableStack]
  /// The tags by which the rows of objects are found, by the number of the entity.
  private let tags: [Tag]
  /// Whether objects of several entities are found by one tag.
  private let hasHierarchies: Bool
  /// The further tags by which objects of an entity and of its descendants are found, while the rows belong to another
  /// model.
  private let otherTags: [Int: [Tag]]
  // A look-up lends it to no code that could call this reader again.
  @safe @exclusivity(unchecked) private var keyBuffer: [UInt8] = []
  /// The entity of the object that was found last by its identity, which the next one is likely to share.
  @safe @exclusivity(unchecked) var likelyEntity = 0

  init(
    snapshot: TransactionSnapshot, tables: BuiltInTables, derived: [DerivedTables] = [], model: ResolvedModel,
    layers: [Layer] = [], largeValues: (any LargeValueSource)? = nil, plans: PlanCache? = nil,
    rowsOf rowModel: ResolvedModel? = nil
  ) {
    self.plans = plans
    self.largeValues = largeValues
    self.snapshot = snapshot
    self.tables = tables
    self.model = model
    self.layers = layers
    self.derived = derived
    stored = TableStack(tags: 0..<Tag.firstDerived, tables, in: snapshot, layers: layers)
    derivedStacks = derived.map {
      TableStack(
        tags: $0.tags, $0.tables, in: $0.snapshot, layers: Array(layers.dropFirst($0.skippedLayerCount)))
    }
    hasHierarchies = model.hasHierarchies
    let tags = model.entities.map { entity in
      let former = rowModel?.entity(tagged: entity.tag).flatMap { rowModel?.entities[$0] }
      return former.flatMap { rowModel?.entities[$0.root].tag } ?? model.entities[entity.root].tag
    }
    self.tags = tags
    var otherTags: [Int: [Tag]] = [:]
    if rowModel != nil {
      for entity in model.entities {
        let others = Set(entity.descendants.map { tags[$0] }).subtracting([tags[entity.index]])
        if !others.isEmpty { otherTags[entity.index] = others.sorted() }
      }
    }
    self.otherTags = otherTags
  }

  /// Returns the value of a key, or `nil` if there is no row.
  ///
  /// The borrowed bytes are valid until a flush changes the row, or the transaction ends.
  ///
  /// - Complexity: O(log *n*) for each layer and for the table.
  @unsafe
  @_lifetime(immortal)
  package func unsafeValue(for key: RawSpan, in table: TableName) throws -> RawSpan? {
    if let derived = derivedStack(of: key) { return try unsafe derived[table].unsafeValue(for: key) }
    // Not through the subscript: it returns a copy, and a copy retains its parts.
    return switch table {
    case .objects: try unsafe stored.objects.unsafeValue(for: key)
    case .links: try unsafe stored.links.unsafeValue(for: key)
    case .indexes: try unsafe stored.indexes.unsafeValue(for: key)
    case .unique: try unsafe stored.unique.unsafeValue(for: key)
    case .counts: try unsafe stored.counts.unsafeValue(for: key)
    }
  }

  /// Returns the value of a key in an array, or `nil` if there is no row.
  @unsafe
  @_lifetime(immortal)
  package func unsafeValue(for key: [UInt8], in table: TableName) throws -> RawSpan? {
    try unsafe unsafeValue(for: key.rawSpan, in: table)
  }

  /// Returns the record of an object, or `nil` if there has never been one.
  ///
  /// A deleted object has a tombstone. The object is of the key's entity or of a descendant of it.
  ///
  /// - Throws: `LMDBError` if damage may hide the record.
  @unsafe
  @_lifetime(immortal)
  package func unsafeRecord(of key: ObjectKey) throws -> RawSpan? {
    if let record = try unsafe unsafeFoundRecord(of: key) { return record }
    // A row of an object of another entity is no absence.
    if hasHierarchies, try unsafe unsafeRow(of: key) != nil { return nil }
    try proveAbsence(of: key)
    return nil
  }

  /// Returns the record of an object, or `nil` if none was found.
  ///
  /// The caller checks with ``proveAbsence(of:)`` that no damage hides the record, if this matters.
  @unsafe
  @_lifetime(immortal)
  package func unsafeFoundRecord(of key: ObjectKey) throws -> RawSpan? {
    let tag = tags[key.entity]
    if let record = try unsafe unsafeRow(of: key.id, tagged: tag) {
      if !hasHierarchies { return record }
      if try isKind(RecordView(record), of: key.entity, tagged: tag) { return record }
    }
    if otherTags.isEmpty { return nil }
    for tag in otherTags[key.entity] ?? [] {
      guard let record = try unsafe unsafeRow(of: key.id, tagged: tag) else { continue }
      if try isKind(RecordView(record), of: key.entity, tagged: tag) { return record }
    }
    return nil
  }

  /// Returns whether a record that is found by a tag is of an object of an entity or of a descendant of it.
  func isKind(_ record: RecordView, of entity: Int, tagged tag: Tag) throws -> Bool {
    // Without the rows of another model, the tag is the one of the root.
    guard !otherTags.isEmpty, record.entity == nil, let own = model.entity(tagged: tag) else {
      return try model.isKind(record, of: entity)
    }
    return model.entities[own].isKind(of: model.entities[entity])
  }

  /// Returns the record of the object with an identity in the hierarchy of an entity, or `nil` if none was found.
  @unsafe
  @_lifetime(immortal)
  func unsafeRow(of key: ObjectKey) throws -> RawSpan? {
    try unsafe unsafeRow(of: key.id, tagged: tags[key.entity])
  }

  @unsafe
  @inline(__always)
  @_lifetime(immortal)
  private func unsafeRow(of id: ObjectID, tagged tag: Tag) throws -> RawSpan? {
    // Removed while it is used: a member of a class is retained at each access.
    var rowKey: [UInt8] = []
    swap(&rowKey, &keyBuffer)
    defer { swap(&rowKey, &keyBuffer) }
    RowKey.object(tag, id, into: &rowKey)
    if let derived = derivedStack(of: tag) {
      return try unsafe derived.objects.unsafeValue(for: rowKey.rawSpan)
    }
    return try unsafe stored.objects.unsafeValue(for: rowKey.rawSpan)
  }

  /// The tags by which the objects of an entity and of its descendants are found.
  func rowTags(of entity: Int) -> [Tag] { [tags[entity]] + (otherTags[entity] ?? []) }

  /// Checks that no damage hides a row that was not found.
  func proveAbsence(of key: RawSpan, in table: TableName) throws {
    try (derivedStack(of: key) ?? stored)[table].proveAbsence(of: key)
  }

  /// Checks that no damage hides the row of an object that was not found.
  func proveAbsence(of object: ObjectKey) throws {
    var row: [UInt8] = []
    RowKey.object(tags[object.entity], object.id, into: &row)
    try (derivedStack(of: tags[object.entity]) ?? stored).objects.proveAbsence(of: row.rawSpan)
  }

  /// Checks that no damage hides the row of an object of any entity that was not found.
  func proveAbsence(of id: ObjectID) throws {
    for root in model.roots { try proveAbsence(of: ObjectKey(entity: root, id: id)) }
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
    var cursor = try makeCursor(in: .objects, of: tag)
    guard try cursor.seek(atOrAfter: prefix.rawSpan), hasPrefix(cursor.key, prefix.rawSpan) else { return nil }
    let first = try RowKey.leadingID(of: cursor.key)
    guard try cursor.seek(before: end.rawSpan) else { return nil }
    return (first, try RowKey.leadingID(of: cursor.key))
  }

  /// Returns the tables of derived entities with the rows of a tag, or `nil` if the rows are in the built-in ones.
  ///
  /// A class that is taken from an array is retained, which a look-up in the built-in tables does without.
  @inline(__always)
  private func derivedStack(of tag: Tag) -> TableStack? {
    tag.isDerived && !derivedStacks.isEmpty ? foundStack(of: tag) : nil
  }

  /// Returns the same for the row of a key, which begins with a tag.
  @inline(__always)
  private func derivedStack(of key: RawSpan) -> TableStack? {
    if derivedStacks.isEmpty || key.byteCount < 2 { return nil }
    let number = unsafe key.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self).bigEndian
    return derivedStack(of: Tag(number))
  }

  @inline(never)
  private func foundStack(of tag: Tag) -> TableStack? { derivedStacks.first { $0.tags.contains(tag.number) } }

  /// Returns the counts of an index below all layers.
  func counts(of index: Tag) -> CountReader {
    let stack = derivedStack(of: index) ?? stored
    return CountReader(index, of: stack.tables, in: stack.snapshot)
  }

  /// Returns the value of a key below all layers, or `nil` if there is no row.
  @unsafe
  @_lifetime(immortal)
  func unsafeValueBelowLayers(for key: RawSpan, in table: TableName) throws -> RawSpan? {
    let stack = derivedStack(of: key) ?? stored
    return try unsafe stack.snapshot.unsafeValue(for: key, in: stack.tables[table])?.unsafeSpan
  }

  /// Returns a cursor over one of the built-in tables and the layers above it.
  ///
  /// The counts have no layers: they are the counts of the indexes below all layers.
  package func makeCursor(in table: TableName) throws -> MergingCursor { try stored[table].makeCursor() }

  /// Returns a cursor over the table with the rows of a tag and the layers above it.
  package func makeCursor(in table: TableName, of tag: Tag) throws -> MergingCursor {
    try (derivedStack(of: tag) ?? stored)[table].makeCursor()
  }
}

extension Reader {
  /// Returns the last commits that named an object: one for each hierarchy of entities that it is or was of.
  package func lastPositions(of id: ObjectID) throws -> [Position] {
    var positions: [Position] = []
    for root in model.roots {
      guard let record = try unsafe unsafeRecord(of: ObjectKey(entity: root, id: id)) else { continue }
      positions.append(try RecordView(record).stamps.last)
    }
    return positions
  }

  /// Returns this reader with another layer on top.
  package func adding(_ layer: Layer) -> Reader { reading(layers + [layer]) }

  /// Returns a reader of the same tables, to which it adds the tables of derived entities.
  ///
  /// - Parameters:
  ///   - layers: The layers above all of them.
  ///   - model: The model with the derived entities.
  package func adding(_ derived: [DerivedTables], layers: [Layer], by model: ResolvedModel) -> Reader {
    Reader(
      snapshot: snapshot, tables: tables, derived: derived, model: model, layers: layers, largeValues: largeValues)
  }

  /// Returns a reader of the same tables with other layers, by this model or another one.
  ///
  /// Its requests are planned each time.
  package func reading(_ layers: [Layer], by model: ResolvedModel? = nil) -> Reader {
    Reader(
      snapshot: snapshot, tables: tables, derived: derived, model: model ?? self.model, layers: layers,
      largeValues: largeValues)
  }

  /// Returns a reader of the same rows by a model that is about to follow this reader's.
  ///
  /// Objects are found where this model has them, although the other one may have them in another hierarchy.
  package func reading(ahead model: ResolvedModel) -> Reader {
    Reader(
      snapshot: snapshot, tables: tables, derived: derived, model: model, layers: layers, largeValues: largeValues,
      rowsOf: self.model)
  }

  /// Returns this reader with another place from which large values are read.
  package func reading(largeValues: any LargeValueSource) -> Reader {
    Reader(
      snapshot: snapshot, tables: tables, derived: derived, model: model, layers: layers, largeValues: largeValues,
      plans: plans)
  }

  /// Returns the inverse of a layer that is, or is about to be, on top of this reader's state.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows of the layer.
  package func inverse(of layer: Layer) throws -> Layer {
    let inverse = Layer()
    for table in TableName.layered where !layer[table].isEmpty {
      var cursor = layer[table].makeCursor()
      while cursor.moveToNext() {
        if let value = try unsafe unsafeValue(for: cursor.key, in: table) {
          inverse[table].put(cursor.key, value)
        } else {
          inverse[table].delete(cursor.key)
        }
      }
    }
    return inverse
  }

  /// Returns a reader of the same state without the highest layer.
  func removingTop() -> Reader { reading(layers.dropLast()) }

  /// - Throws: `LMDBError` if anything that was read from the tables was damaged, even if the error was caught.
  package func checkUndamaged() throws {
    for snapshot in [snapshot] + derived.map(\.snapshot) where snapshot.hasMetDamage {
      throw snapshot.damage(.readValue)
    }
  }
}
