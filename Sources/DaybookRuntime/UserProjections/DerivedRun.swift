import DaybookEngine
import DaybookModel
import LMDB

/// The derived entities of one version of a projection, while a run applies commits to them in one transaction.
///
/// The changes of finished commits are kept in a layer over the tables, which is flushed with the rows of the run. A
/// commit is folded into a layer on top of it, so one that fails leaves nothing.
final class DerivedRun {
  let description: DerivedModel
  let tables: DerivedTables
  private let changesTable: Table
  private let journal: LMDBJournal
  private let models: ModelHistory
  /// The model of the store with the derived entities.
  private var model: ResolvedModel
  private var dependents: Dependents
  /// The changes of finished commits.
  let layer = Layer()
  /// The events of finished commits, by the key of ``DerivedChanges``.
  private let changes = MemoryTable()
  /// The commit in progress.
  private var commit: CommitInProgress?
  /// The run of the projection, which performs its effects.
  weak var effects: ProjectionRun?
  /// The events of the last commit.
  private(set) var written: [UInt8] = []
  /// A fault of the projection in the commit in progress, which is thrown when its call has ended.
  private var fault: StoreError?
  /// An error of the storage, which a projection may have caught and must not hide.
  private(set) var failure: (any Error)?

  /// What is known of a commit while it is applied.
  private struct CommitInProgress {
    /// What the projection reads; `nil` for one that reads nothing.
    let states: StoredStates?
    /// The events of the commit, none for a commit of a model, and after them what other projections made of it.
    let events: [UInt8]
    let header: CommitHeader
    let layer: Layer
    let builder: CommitBuilder
    var rows: [ObjectID: PendingRow] = [:]
    /// The rows with changes that are in no event yet, in the order in which they were first written.
    var order: [ObjectID] = []
  }

  /// A row that the commit in progress has read or written.
  private struct PendingRow {
    let row: DerivedRow
    /// The values that the layer of the commit has; `nil` if there is no such row.
    var former: [String: Value]?
    var isDeleted = false
    /// Whether it has changes that are in no event yet.
    var isChanged = false
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
    self.model = try model.serving([description])
    dependents = Dependents(self.model)
  }

  /// Changes to another model of the store.
  ///
  /// - Throws: `StoreError` with the code `badModel` if it does not allow the entities.
  func adopt(_ model: ResolvedModel) throws {
    self.model = try model.serving([description])
    dependents = Dependents(self.model)
  }

  /// The memory that changes take.
  var sizeInBytes: Int { layer.sizeInBytes + changes.sizeInBytes }

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
    _ body: (borrowing AppliedCommit, borrowing DerivedRows) throws -> Void
  ) throws {
    (written, fault) = ([], nil)
    let top = Layer()
    // Rows that depend on stored objects are moved from their places before the commit to those after it.
    let events = states?.events ?? [UInt8](events)
    let followsStored = states != nil && dependents.derivedRowsFollowStored && !events.isEmpty
    let base = try (followsStored ? states?.before() : states?.after) ?? noObjects
    let reader = base.adding(base.derived + [tables], layers: base.layers + [layer, top], by: model)
    let builder = CommitBuilder(reader: reader, layer: top, dependents: dependents) { ObjectID.random() }
    builder.begin(at: header.position, time: header.time)
    if followsStored { try builder.fold.apply(events.rawSpan, position: header.position, time: header.time) }
    commit = CommitInProgress(states: states, events: events, header: header, layer: top, builder: builder)
    defer { commit = nil }
    try body(AppliedCommit(header, self), DerivedRows(self))
    if let fault { throw fault }
    try writeRows()
    try builder.checkConstraints()
    layer.absorb(followsStored ? top.part(tables.tags) : top)
    written = builder.writer.bytes
    if !written.isEmpty { changes.put(DerivedChanges.key(of: header.position), written.rawSpan) }
  }

  /// Takes note of a commit that is left out: it writes nothing, but the indexes follow what it changed in stored objects.
  ///
  /// - Throws: As ``apply(_:events:_:_:)``.
  func skip(_ header: CommitHeader, events: RawSpan, _ states: StoredStates?) throws {
    try apply(header, events: events, states) { _, _ in }
  }

  /// A reader without stored objects: the tables have rows of derived entities alone.
  private var noObjects: Reader {
    Catalog(modelPosition: 1, model: model, generations: [], tables: tables.tables).reader(over: tables.snapshot)
  }

  /// Reads the rows after the finished commits, without stored objects.
  var reader: Reader {
    noObjects.adding([tables], layers: [layer], by: model)
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

  /// Reads the stored objects after the commit.
  var after: Reader { states.after }

  private var states: StoredStates {
    guard let states = present.states else { preconditionFailure("A projection of Daybook reads no objects.") }
    return states
  }

  /// Returns the reader of the stored objects before the commit.
  ///
  /// An error fails the commit, whatever the projection makes of the reader that it gets instead.
  func before() -> Reader {
    do {
      return try states.before()
    } catch {
      failure = error
      return states.after
    }
  }

  func events() throws -> [Event] {
    let header = present.header
    if header.isModel { return [] }
    let names = try models.names(at: header.position, in: journal)
    let stored = present.events.rawSpan.extracting(first: header.bodySize)
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
    var found: [ObjectID: (existedBefore: Bool, existsAfter: Bool)] = [:]
    var reader = EventReader(commit.events.rawSpan, position: commit.header.position, time: commit.header.time)
    while !reader.isAtEnd {
      let event = try reader.next()
      guard event.entity == entity.tag, event.kind != .recorded, event.kind != .unknown else { continue }
      var state = found[event.object] ?? (event.kind != .inserted, true)
      state.existsAfter = event.kind != .deleted
      found[event.object] = state
    }
    let ids = found.filter { _, state in
      switch wanted {
      case .inserted: !state.existedBefore && state.existsAfter
      case .deleted: state.existedBefore && !state.existsAfter
      case .changed: state.existedBefore && state.existsAfter
      }
    }.keys.sorted()
    guard wanted == .changed, !ids.isEmpty else { return ids }
    let (before, after) = (try states.before(), states.after)
    return try ids.filter { try before.owned(by: $0, of: entity) != after.owned(by: $0, of: entity) }
  }
}

private extension Reader {
  /// What an object owns: the values of its stored attributes, and the targets of the links that it owns.
  func owned(by id: ObjectID, of entity: ResolvedEntity) throws -> [[Value]] {
    let key = ObjectKey(entity: entity.index, id: id)
    guard let bytes = try unsafe unsafeRecord(of: key) else { return [] }
    let record = try RecordView(bytes)
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
  /// Returns the row with a key, or `nil` if it does not exist.
  func row(_ entity: String, _ key: [Value]) throws -> DerivedRow? {
    let empty = try emptyRow(entity, key)
    return try pending(empty).flatMap { $0.isDeleted ? nil : $0.row }
  }

  /// Returns a row with the defaults of its attributes.
  func newRow(_ entity: String, _ key: [Value]) throws -> DerivedRow { try emptyRow(entity, key) }

  /// Puts a row in the place of the one with its key.
  func put(_ row: DerivedRow) throws {
    let entity = model.entities[try requireEntity(row.entity)]
    var (values, size): ([String: Value], Int) = ([:], 0)
    for (name, value) in row.values {
      let stored = try checked(value, of: name, entity)
      if !stored.isNull { values[name] = stored }
      size += stored.sizeInBytes
    }
    for (field, value) in zip(keyNames(of: entity), row.key.values) where values[field] ?? .null != value {
      throw StoreError(
        .badValue, "\(entity.name).\(field) is in the key of the row, which cannot be changed.",
        advice: "Delete the row, and put one with the other key.")
    }
    guard size <= DerivedRun.maximumRowSizeInBytes else {
      throw StoreError(
        .tooLarge, "A row of \(entity.name) has \(size) bytes; \(DerivedRun.maximumRowSizeInBytes) are allowed.",
        advice: "Store less, or make several rows.")
    }
    try replace(DerivedRow(row.id, of: row.entity, key: row.key, values: values), isDeleted: false)
  }

  /// Deletes the row with a key.
  ///
  /// - Returns: Whether there was one.
  func delete(_ entity: String, _ key: [Value]) throws -> Bool {
    guard let row = try row(entity, key) else { return false }
    try replace(row, isDeleted: true)
    return true
  }

  private func replace(_ row: DerivedRow, isDeleted: Bool) throws {
    let present = try pending(row)
    if present?.isChanged != true { commit?.order.append(row.id) }
    commit?.rows[row.id] = PendingRow(row: row, former: present?.former, isDeleted: isDeleted, isChanged: true)
  }

  /// Returns a row as the commit in progress has it, or as it was before.
  private func pending(_ row: DerivedRow) throws -> PendingRow? {
    if let pending = commit?.rows[row.id] { return pending }
    let number = try requireEntity(row.entity)
    guard let object = try present.builder.reader.object(ObjectKey(entity: number, id: row.id)) else { return nil }
    let entity = model.entities[number]
    var values: [String: Value] = [:]
    for (attribute, named) in zip(entity.attributes, object.values) where attribute.derivation == nil {
      if !named.value.isNull { values[named.name] = named.value }
    }
    for link in entity.relationships where link.isOwner {
      let target = try present.builder.reader.ownedTarget(of: ObjectKey(entity: number, id: row.id), link.tag)
      if let target { values[link.name] = .uuid(target) }
    }
    return PendingRow(row: DerivedRow(row.id, of: row.entity, key: row.key, values: values), former: values)
  }

  private func emptyRow(_ name: String, _ key: [Value]) throws -> DerivedRow {
    let entity = model.entities[try requireEntity(name)]
    let names = keyNames(of: entity)
    guard key.count == names.count else {
      throw StoreError(
        .badValue, "The key of \(name) has \(names.count) values (\(names.joined(separator: ", "))), not \(key.count).")
    }
    let made: DerivedKey
    do {
      made = try DerivedKey(key, types: entity.key.map { entity.path(to: $0).type })
    } catch {
      throw StoreError(.badValue, "The key of \(name): \(error)")
    }
    guard made.bytes.count <= DerivedEntity.maximumKeySizeInBytes else {
      throw StoreError(
        .tooLarge,
        "A key of \(name) has \(made.bytes.count) bytes; \(DerivedEntity.maximumKeySizeInBytes) are allowed.",
        advice: "Use a shorter value, such as a digest.")
    }
    var values: [String: Value] = [:]
    for attribute in entity.attributes where attribute.derivation == nil && !attribute.defaultValue.isNull {
      values[attribute.name] = attribute.defaultValue
    }
    for (field, value) in zip(names, made.values) where !value.isNull { values[field] = value }
    return DerivedRow(made.objectID(of: name, in: description.projection), of: name, key: made, values: values)
  }

  private func requireEntity(_ name: String) throws -> Int {
    // The model has the entities of the projections that it reads, too.
    guard let number = model.entity(named: name), description.tags.contains(model.entities[number].tag.number) else {
      throw StoreError(
        .notFound, "The projection \(description.projection) has no entity “\(name)”.",
        advice: "It has \(description.entities.map(\.entity.name).joined(separator: ", ")).")
    }
    return number
  }

  private func keyNames(of entity: ResolvedEntity) -> [String] {
    description.entities.first { $0.entity.name == entity.name }?.key ?? []
  }

  /// Returns the values of an entity's key, which are among the values of a row.
  func key(of entity: String, in values: [String: Value]) throws -> [Value] {
    keyNames(of: model.entities[try requireEntity(entity)]).map { values[$0] ?? .null }
  }

  /// Returns a value of a field in stored form.
  private func checked(_ value: Value, of name: String, _ entity: ResolvedEntity) throws -> Value {
    if let number = entity.relationship(named: name), entity.relationships[number].isOwner {
      guard value.isNull || value.isIdentity else {
        throw StoreError(.badValue, "\(entity.name).\(name) is a link: give the id of its target, or null.")
      }
      return value
    }
    let number = try entity.requireStoredAttribute(name)
    if value.isNull { return value }
    do {
      return try value.normalized(as: entity.attributes[number].type)
    } catch {
      throw StoreError(.badValue, "\(entity.name).\(name): \(error)")
    }
  }
}

/// The rows as objects, and as what requests find.
extension DerivedRun {
  /// Returns a row as an object, whose links are those that the row has: also if the targets do not exist.
  func object(of row: DerivedRow) throws -> StoredObject {
    let number = try requireEntity(row.entity)
    let entity = model.entities[number]
    let key = ObjectKey(entity: number, id: row.id)
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
  func state() throws -> StateReader {
    StateReader(try settled(), at: present.header.position, usesConstraints: false)
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
    let builder = present.builder
    for id in present.order {
      guard let pending = commit?.rows[id] else { continue }
      try write(pending, builder)
      commit?.rows[id]?.former = pending.isDeleted ? nil : pending.row.values
      commit?.rows[id]?.isChanged = false
    }
    commit?.order = []
  }

  private func write(_ pending: PendingRow, _ builder: CommitBuilder) throws {
    let entity = model.entities[try requireEntity(pending.row.entity)]
    switch (pending.former, pending.isDeleted) {
    case (nil, true): break
    case (_?, true): try builder.delete([pending.row.id])
    case (nil, false):
      let stored = entity.attributes.filter { $0.derivation == nil }
      _ = try builder.insert(entity.name, stored.map { ($0.name, pending.row[$0.name]) }, id: pending.row.id)
      try relate(pending.row, from: [:], of: entity, builder)
    case (let former?, false):
      let changed = entity.attributes.filter {
        $0.derivation == nil && former[$0.name] ?? .null != pending.row[$0.name]
      }
      if !changed.isEmpty { try builder.set(pending.row.id, changed.map { ($0.name, pending.row[$0.name]) }) }
      try relate(pending.row, from: former, of: entity, builder)
    }
  }

  private func relate(
    _ row: DerivedRow, from former: [String: Value], of entity: ResolvedEntity, _ builder: CommitBuilder
  ) throws {
    for link in entity.relationships where link.isOwner {
      switch (former[link.name], row[link.name]) {
      case (let old, let new) where old ?? .null == new: continue
      case (_, .uuid(let target)): try builder.relate(row.id, link.name, to: target, at: .unspecified)
      case (.uuid(let target)?, _): try builder.unrelate(row.id, link.name, from: target)
      default: continue
      }
    }
  }
}

private extension Value {
  var isIdentity: Bool { if case .uuid = self { true } else { false } }

  /// The size of text or data; of other values it does not matter.
  var sizeInBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: 16
    }
  }
}
