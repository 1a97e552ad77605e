import DaybookEngine
import DaybookModel
import LMDB

/// The derived entities of one version of a projection, while a run applies commits to them in one transaction.
///
/// The changes of commits are kept in a layer over the tables, which is flushed with the rows of the run. A commit that
/// fails is rolled back to the end of the commit before it.
final class DerivedRun {
  let description: DerivedModel
  let tables: DerivedTables
  private let changesTable: Table
  private let journal: LMDBJournal
  private let models: ModelHistory
  /// The model of the store with the derived entities.
  @exclusivity(unchecked) private var served: ServedModel
  /// The changes of the rows.
  let layer = Layer()
  /// The events of finished commits, by the key of ``DerivedChanges``.
  private let changes = MemoryTable()
  // One thread applies commits, and no access lends these members to code that could use the run again.
  /// The commit in progress.
  @exclusivity(unchecked) private var commit: CommitInProgress?
  /// The run of the projection, which performs its effects.
  weak var effects: ProjectionRun?
  /// The events of the last commit.
  private(set) var written: [UInt8] = []
  /// A fault of the projection in the commit in progress, which is thrown when its call has ended.
  @exclusivity(unchecked) private var fault: StoreError?
  /// An error of the storage, which a projection may have caught and must not hide.
  private(set) var failure: (any Error)?

  /// The numbers of rows in the last commit, which the next one is likely to have.
  private var lastRowCount = 0

  /// What is known of a commit while it is applied.
  private final class CommitInProgress {
    /// What the projection reads; `nil` for one that reads nothing.
    let states: StoredStates?
    /// The events of the commit, none for a commit of a model, and after them what other projections made of it.
    let events: [UInt8]
    let header: CommitHeader
    let builder: CommitBuilder
    /// The rows that the commit has read or written.
    @exclusivity(unchecked) var rows: [PendingRow] = []
    /// The numbers of these rows, plus one, by the numbers that their objects have in the builder; 0 for other objects.
    @exclusivity(unchecked) var numbers: [Int] = []
    /// The numbers of the rows with changes that are in no event yet, in the order in which they were first written.
    @exclusivity(unchecked) var order: [Int] = []
    /// The objects that the events name, by the number of their entity.
    var named: [Int: [NamedObject]] = [:]

    init(states: StoredStates?, events: [UInt8], header: CommitHeader, builder: CommitBuilder) {
      (self.states, self.events, self.header, self.builder) = (states, events, header, builder)
    }
  }

  /// A row that the commit in progress has read or written.
  private struct PendingRow {
    let identity: RowLayout.Identity
    let layout: RowLayout
    /// The values of the row; `nil` if it does not exist.
    var values: [Value]?
    /// Whether the layer has the row.
    var exists: Bool
    /// The fields that may have changes that are in no event yet.
    var changed = RowLayout.FieldSet.none
    /// Whether the row has changes that are in no event yet.
    var isChanged = false

    var row: DerivedRow? { values.map { DerivedRow(identity, layout, $0) } }
  }

  /// An object that the events of a commit name.
  private struct NamedObject {
    let id: ObjectID
    let existedBefore: Bool
    var existsAfter: Bool
  }

  /// The greatest size of a row's values, in bytes.
  static let maximumRowSizeInBytes = 16 << 20

  /// - Parameters:
  ///   - description: The entities, with the tags of these tables.
  ///   - model: The model of the store, by which all commits are read.
  ///   - tables: The tables, in the order of ``ProjectionRecord/derivedTableNames(of:_:)``.
  /// - Throws: `StoreError` with the code `badModel` if the model does not allow the entities.
  init(
    _ description: DerivedModel, in model: ResolvedModel, tables: [Table], _ snapshot: TransactionSnapshot,
    journal: LMDBJournal, models: ModelHistory
  ) throws {
    self.description = description
    self.tables = DerivedTables(
      tags: description.tags, tables: BuiltInTables(Array(tables.dropLast())), in: snapshot)
    changesTable = tables[tables.count - 1]
    self.journal = journal
    self.models = models
    served = try models.served(description, in: model)
  }

  private var model: ResolvedModel { served.model }
  private var dependents: Dependents { served.dependents }

  /// Changes to another model of the store.
  ///
  /// - Throws: `StoreError` with the code `badModel` if it does not allow the entities.
  func adopt(_ model: ResolvedModel) throws {
    served = try models.served(description, in: model)
  }

  /// The memory that changes take.
  var sizeInBytes: Int { layer.sizeInBytes + changes.sizeInBytes }

  /// Returns whether the changes should be written in a transaction of their own.
  func isFilled() throws(LMDBError) -> Bool {
    if sizeInBytes > Layer.maximumSizeInBytes { return true }
    return try layer.fills(tables.tables, in: tables.snapshot)
  }

  /// Applies a commit.
  ///
  /// - Parameters:
  ///   - events: The events of the commit; none for a commit of a model.
  ///   - states: What the projection reads before and after the commit; `nil` for a ``DaybookProjection``, which reads
  ///     nothing.
  ///   - body: Changes rows.
  /// - Throws: What `body` throws; `StoreError` with the code `constraint` if two rows have a unique value. The commit
  ///   has changed nothing then.
  func apply(
    _ header: CommitHeader, events: RawSpan, _ states: StoredStates?,
    _ body: () throws -> Void
  ) throws {
    (written, fault) = ([], nil)
    // Rows that depend on stored objects are moved from their places before the commit to those after it.
    let events = states?.events ?? [UInt8](events)
    let followsStored = states != nil && dependents.derivedRowsFollowStored && !events.isEmpty
    let base = try (followsStored ? states?.before() : states?.after) ?? noObjects
    // What the fold makes of stored objects is not kept.
    let top = followsStored ? Layer() : layer
    let layers = followsStored ? [layer, top] : [layer]
    let reader = base.adding(
      base.derived + [tables.above(base.layers.count)], layers: base.layers + layers, by: model)
    let builder = CommitBuilder(reader: reader, layer: top, dependents: dependents) { ObjectID.random() }
    builder.begin(at: header.position, time: header.time)
    let savepoint = layer.replaceSavepoint()
    do {
      if followsStored { try builder.fold.apply(events.rawSpan, position: header.position, time: header.time) }
      let commit = CommitInProgress(states: states, events: events, header: header, builder: builder)
      // An array that grows is copied several times.
      commit.rows.reserveCapacity(lastRowCount)
      commit.numbers.reserveCapacity(lastRowCount)
      self.commit = commit
      defer { (self.commit, lastRowCount) = (nil, commit.rows.count) }
      try body()
      if let fault { throw fault }
      try writeRows()
      try builder.checkConstraints()
    } catch {
      layer.rollBack(to: savepoint)
      throw error
    }
    if followsStored { layer.absorb(top.part(tables.tags)) }
    let bytes = builder.writer.bytes
    if !bytes.isEmpty { changes.put(DerivedChanges.key(of: header.position), bytes.rawSpan) }
    written = bytes
  }

  /// Takes note of a commit that is left out: it writes nothing, but the indexes follow what it changed in stored objects.
  ///
  /// - Throws: As ``apply(_:events:_:_:)``.
  func skip(_ header: CommitHeader, events: RawSpan, _ states: StoredStates?) throws {
    try apply(header, events: events, states) {}
  }

  /// A reader without stored objects: the tables have rows of derived entities alone.
  private var noObjects: Reader {
    Catalog(modelPosition: 1, model: model, generations: [], tables: tables.tables).reader(over: tables.snapshot)
  }

  /// Writes the changes into the tables; no commit may be half applied.
  ///
  /// - Parameter first: The first commit whose changes are kept.
  func flush(in transaction: inout WriteTransaction, keepingFrom first: Position) throws(LMDBError) {
    try transaction.flush(layer, into: tables.tables)
    try transaction.flush(changes, into: changesTable)
    try deleteChanges(before: first, in: &transaction)
    layer.removeAll()
    changes.removeAll()
  }

  private func deleteChanges(before first: Position, in transaction: inout WriteTransaction) throws(LMDBError) {
    let end = DerivedChanges.key(of: first)
    while first > 1 {
      var cursor = try transaction.snapshot.makeCursor(in: changesTable)
      guard try cursor.moveToFirst(), compareBytes(cursor.key, end.rawSpan) < 0 else { return }
      let key = [UInt8](cursor.key)
      _ = try transaction.delete(key.rawSpan, in: changesTable)
    }
  }
}

/// What ``AppliedCommit`` reads.
extension DerivedRun {
  private var present: CommitInProgress {
    guard let commit else { preconditionFailure("A commit was used after the call that received it.") }
    return commit
  }

  /// What the projection reads before and after the commit.
  var states: StoredStates {
    guard let states = present.states else { preconditionFailure("A projection of Daybook reads no objects.") }
    return states
  }

  /// Returns the reader of the stored objects before the commit.
  ///
  /// An error fails the commit, whatever the projection makes of the reader that it gets instead.
  func before() -> Reader {
    let states = states
    do {
      return try states.before()
    } catch {
      failure = error
      return states.after
    }
  }

  func events() throws -> [Event] {
    let (bytes, header) = (present.events, present.header)
    if header.isModel { return [] }
    let names = try models.names(at: header.position, in: journal)
    let stored = bytes.rawSpan.extracting(first: header.bodySize)
    var reader = EventReader(stored, position: header.position, time: header.time)
    var events: [Event] = []
    do {
      while !reader.isAtEnd { events.append(try Event(reader.next(), names: names)) }
    } catch let fault as EventFault {
      throw StoreError(.damaged, "Commit \(header.position) is damaged: \(fault).", advice: .verify)
    }
    return events
  }

  /// Returns the numbers of events by the tag of their entity, in rising order; events of a later version are not counted.
  func eventCounts() throws -> [(entity: Tag, count: Int)] {
    let (events, header) = (present.events, present.header)
    let stored = events.rawSpan.extracting(first: min(header.bodySize, events.count))
    var reader = EventReader(stored, position: header.position, time: header.time)
    var counts: [(entity: Tag, count: Int)] = []
    while !reader.isAtEnd {
      let event = try reader.next()
      if event.kind == .unknown { continue }
      // Events of one entity often follow each other, and commits have events of few entities.
      if let number = counts.lastIndex(where: { $0.entity == event.entity }) {
        counts[number].count += 1
      } else {
        counts.append((event.entity, 1))
      }
    }
    return counts.sorted { $0.entity.number < $1.entity.number }
  }

  /// Returns the names in the model at a position.
  func names(at position: Position) throws -> EventNames { try models.names(at: position, in: journal) }

  /// How an object differs before and after a commit.
  enum NetChange { case inserted, deleted, changed }

  /// Returns the objects of an entity that a commit changed in one way, by rising id.
  ///
  /// An error fails the commit, whatever the projection makes of the objects that it gets instead.
  func netObjects(of name: String, _ wanted: NetChange) -> [ObjectID] {
    do {
      return try objects(of: name, wanted)
    } catch let error as StoreError where error.code == .notFound {
      fault = error
    } catch {
      failure = error
    }
    return []
  }

  private func objects(of name: String, _ wanted: NetChange) throws -> [ObjectID] {
    let (commit, states) = (present, states)
    let stored = states.after.model
    if stored.entity(named: name) == nil, stored.entities.contains(where: { $0.isRetired && $0.name == name }) {
      return []
    }
    let entity = stored.entities[try stored.requireEntity(name)]
    let named = try commit.named[entity.index] ?? namedObjects(of: entity)
    commit.named[entity.index] = named
    let ids = named.lazy.filter { object in
      switch wanted {
      case .inserted: !object.existedBefore && object.existsAfter
      case .deleted: object.existedBefore && !object.existsAfter
      case .changed: object.existedBefore && object.existsAfter
      }
    }.map(\.id)
    guard wanted == .changed, !ids.isEmpty else { return Array(ids) }
    let (before, after) = (try states.before(), states.after)
    return try ids.filter { try before.owned(by: $0, of: entity) != after.owned(by: $0, of: entity) }
  }

  /// Returns the objects of an entity and its descendants that the events of the commit name, by rising id.
  private func namedObjects(of entity: ResolvedEntity) throws -> [NamedObject] {
    let (events, header, model) = (present.events, present.header, states.after.model)
    let others = entity.descendants.map { model.entities[$0].tag }
    var (found, isRising): ([NamedObject], Bool) = ([], true)
    var reader = EventReader(events.rawSpan, position: header.position, time: header.time)
    while !reader.isAtEnd {
      let event = try reader.next()
      guard event.entity == entity.tag || others.contains(event.entity), event.kind != .recorded, event.kind != .unknown
      else { continue }
      let exists = event.kind != .deleted
      if let last = found.last {
        // Events of one object often follow each other, and new objects have rising identities.
        if last.id == event.object {
          found[found.count - 1].existsAfter = exists
          continue
        }
        if last.id > event.object { isRising = false }
      }
      found.append(NamedObject(id: event.object, existedBefore: event.kind != .inserted, existsAfter: exists))
    }
    return isRising ? found : DerivedRun.merged(found)
  }

  /// Returns each object once, by rising id, as its first entry found it and its last one left it.
  private static func merged(_ found: [NamedObject]) -> [NamedObject] {
    var (merged, numbers): ([NamedObject], [ObjectID: Int]) = ([], [:])
    for object in found {
      if let number = numbers[object.id] {
        merged[number].existsAfter = object.existsAfter
      } else {
        numbers[object.id] = merged.count
        merged.append(object)
      }
    }
    return merged.sorted { $0.id < $1.id }
  }
}

private extension Reader {
  /// What an object owns: the values of its stored attributes, and the targets of the links that it owns.
  func owned(by id: ObjectID, of entity: ResolvedEntity) throws -> [[Value]] {
    let key = ObjectKey(entity: entity.index, id: id)
    guard let bytes = try unsafe unsafeRecord(of: key) else { return [] }
    let record = try RecordView(bytes)
    // The object may be of a descendant, with fields of its own.
    let entity = model.entities[try model.entity(of: record, in: entity.index)]
    var owned: [[Value]] = []
    for attribute in entity.attributes where attribute.derivation == nil && !attribute.isRetired {
      owned.append([try record.value(of: attribute)])
    }
    for (number, link) in entity.relationships.enumerated() where link.isOwner && !link.isRetired {
      let reference = RelationshipReference(entity: entity.index, relationship: number)
      owned.append(try targets(of: reference, from: id).map { .uuid($0) })
    }
    return owned
  }
}

/// What ``DerivedRows`` reads and writes.
extension DerivedRun {
  /// Returns the identity of the row with a key, which it has whether it exists or not.
  func identity(_ entity: String, _ key: [Value]) throws -> RowLayout.Identity { try layout(of: entity).identity(key) }

  /// Returns the row with a key, or `nil` if it does not exist.
  func row(_ entity: String, _ key: [Value]) throws -> DerivedRow? {
    let layout = try layout(of: entity)
    return try present.rows[number(of: layout.identity(key), layout)].row
  }

  /// Returns a row with the defaults of its attributes.
  func newRow(_ entity: String, _ key: [Value]) throws -> DerivedRow {
    let layout = try layout(of: entity)
    return DerivedRow(try layout.identity(key), layout)
  }

  /// Changes the row with a key, which is made if it does not exist.
  func update(_ entity: String, _ key: [Value], _ change: (inout DerivedRow) throws -> Void) throws {
    let layout = try layout(of: entity)
    let identity = try layout.identity(key)
    let number = try number(of: identity, layout)
    var row = DerivedRow(identity, layout, present.rows[number].values)
    try change(&row)
    try put(row, at: number)
  }

  /// Puts a row in the place of the one with its key.
  func put(_ row: DerivedRow) throws {
    try put(row, at: number(of: RowLayout.Identity(id: row.id, key: row.key), row.layout))
  }

  private func put(_ row: consuming DerivedRow, at number: Int) throws {
    try row.normalize()
    replace(number, by: row.values, row.changed)
  }

  /// Deletes the row with a key.
  ///
  /// - Returns: Whether there was one.
  func delete(_ entity: String, _ key: [Value]) throws -> Bool {
    let layout = try layout(of: entity)
    let number = try number(of: layout.identity(key), layout)
    guard present.rows[number].values != nil else { return false }
    replace(number, by: nil, .all)
    return true
  }

  private func replace(_ number: Int, by values: consuming [Value]?, _ changed: RowLayout.FieldSet) {
    let commit = present
    commit.rows[number].values = values
    commit.rows[number].changed.formUnion(changed)
    if commit.rows[number].isChanged { return }
    commit.rows[number].isChanged = true
    commit.order.append(number)
  }

  /// Returns the number of a row among those of the commit in progress, to which it is added as it was before.
  private func number(of identity: RowLayout.Identity, _ layout: RowLayout) throws -> Int {
    let commit = present
    let object = try commit.builder.number(touching: ObjectKey(entity: layout.number, id: identity.id))
    if object < commit.numbers.count, commit.numbers[object] > 0 { return commit.numbers[object] - 1 }
    let former = try commit.builder.values(
      ofTouched: object, attributes: layout.tags, missing: layout.missingValues, links: layout.links)
    let number = commit.rows.count
    while commit.numbers.count <= object { commit.numbers.append(0) }
    commit.numbers[object] = number + 1
    commit.rows.append(PendingRow(identity: identity, layout: layout, values: former, exists: former != nil))
    return number
  }

  private func layout(of name: String) throws -> RowLayout {
    // The model has the entities of the projections that it reads, too.
    if let layout = served.layout(of: name) { return layout }
    throw StoreError(
      .notFound, "The projection \(description.projection) has no entity “\(name)”.",
      advice: "It has \(description.entities.map(\.entity.name).joined(separator: ", ")).")
  }

  /// Returns the values of an entity's key, which are among the values of a row.
  func key(of entity: String, in values: [String: Value]) throws -> [Value] {
    let layout = try layout(of: entity)
    return layout.key.map { values[layout.names[$0]] ?? .null }
  }
}

/// The rows as objects, and as what requests find.
extension DerivedRun {
  /// Returns a row as an object, whose links are those that the row has: also if the targets do not exist.
  func object(of row: DerivedRow) throws -> StoredObject {
    let entity = row.layout.entity
    let key = ObjectKey(entity: entity.index, id: row.id)
    let stored = entity.hasFoldedFields ? try settled().object(key) : nil
    return StoredObject(row.id, of: entity, at: present.header.time) { name in
      entity.isFolded(name) ? stored?[name] : row[name]
    } target: { name in
      if entity.isFolded(name) { return stored?.target(name) }
      guard case .uuid(let target) = row[name] else { return nil }
      return target
    }
  }

  /// Returns the state with all that the commit in progress has written so far.
  func state() throws -> StoreReader {
    try present.states?.requireIndexes()
    return StoreReader(try settled(), at: present.header.position, usesConstraints: false)
  }

  /// Writes all changes into the layer of the commit, and returns its reader.
  private func settled() throws -> Reader {
    try writeRows()
    try present.builder.fold.settle()
    return present.builder.reader
  }
}

private extension ResolvedEntity {
  /// Whether other rows determine some fields: derived attributes, and links that the other side owns.
  var hasFoldedFields: Bool {
    attributes.contains { $0.derivation != nil } || relationships.contains { !$0.isOwner && !$0.isMany }
  }

  func isFolded(_ name: String) -> Bool {
    if let number = attribute(named: name) { return attributes[number].derivation != nil }
    return relationship(named: name).map { !relationships[$0].isOwner } ?? false
  }
}

/// The events of the rows that a commit has written.
extension DerivedRun {
  /// Writes one event for each changed row, and one for each changed link.
  private func writeRows() throws {
    let commit = present
    for number in commit.order {
      try write(number, of: commit)
      commit.rows[number].exists = commit.rows[number].values != nil
      (commit.rows[number].changed, commit.rows[number].isChanged) = (.none, false)
    }
    commit.order.removeAll(keepingCapacity: true)
  }

  private func write(_ number: Int, of commit: CommitInProgress) throws {
    // Not a copy of the whole row, which retains all of its parts.
    let (id, layout, builder) = (commit.rows[number].identity.id, commit.rows[number].layout, commit.builder)
    let (exists, written) = (commit.rows[number].exists, commit.rows[number].changed)
    guard let values = commit.rows[number].values else {
      if exists { try builder.delete([id]) }
      return
    }
    let object = ObjectKey(entity: layout.number, id: id)
    if exists {
      // An attribute that has the value already is left out by the builder.
      try builder.set(object, layout.attributes, to: values) { written.contains($0) }
    } else {
      let fields = layout.attributes.indices.map { (key: layout.names[$0], value: values[$0]) }
      _ = try builder.insert(layout.entity.name, fields, id: id)
    }
    let links = layout.attributes.count..<layout.names.count
    for number in links where written.contains(number) {
      let name = layout.names[number]
      if case .uuid(let target) = values[number] {
        try builder.relate(id, name, to: target, at: .unspecified)
      } else if case .uuid(let former)? = try builder.values(
        ofTouched: builder.number(touching: object), attributes: [], missing: [],
        links: [layout.links[number - layout.attributes.count]])?.first
      {
        try builder.unrelate(id, name, from: former)
      }
    }
  }
}
