import DaybookModel
import LMDB

/// The records of the objects that a fold has touched.
extension Fold {
  /// Returns whether bytes are the record of a live object.
  func isLive(_ record: RawSpan) -> Bool {
    unsafe !record.isEmpty && RecordMark.isLive(record.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
  }

  /// Returns whether a run in the arena is the record of a live object.
  func isLive(_ record: UnsafeBytes) -> Bool { unsafe isLive(record.unsafeSpan) }

  func isLive(_ index: Int) -> Bool { unsafe isLive(changes[index].current) }

  /// Returns the record of an object after the events so far, or `nil` if there never was one.
  ///
  /// The object is of the key's entity or of a descendant of it.
  @unsafe
  @_lifetime(immortal)
  package func unsafeRecord(of key: ObjectKey) throws -> RawSpan? {
    guard let index = change(of: key) else {
      if let record = try unsafe unsafeStoredRow(of: key) {
        if !flatModel.hasHierarchies { return record }
        return try model.isKind(RecordView(record), of: key.entity) ? record : nil
      }
      try proveAbsence(of: key)
      return nil
    }
    let record = unsafe changes[index].current
    return unsafe record.isNone || !isKind(index, of: key.entity) ? nil : record.unsafeSpan
  }

  /// Returns the record of an object that an event is likely to touch.
  ///
  /// The object is looked up once, and its record is kept from then on. It may be of any entity of the hierarchy.
  @unsafe
  @_lifetime(immortal)
  func unsafeExpectedRecord(of key: ObjectKey) throws -> RawSpan? {
    let record = unsafe changes[try touch(key)].current
    return unsafe record.isNone ? nil : record.unsafeSpan
  }

  func markDirty(_ index: Int) {
    guard !changes[index].isDirty else { return }
    changes[index].isDirty = true
    dirty.append(index)
  }

  /// Stores the scratch buffer as the record of an object; an empty buffer means no record.
  ///
  /// It overwrites an earlier record, except the record in the layer and the record at the beginning of the commit. A
  /// span of an object's record is therefore not valid after an event that changes the object.
  func setCurrent(_ index: Int, to scratch: consuming [UInt8], mayLackRequired: Bool = false) {
    let change = changes[index]
    let isFree = unsafe !change.current.isNone && !change.current.isSameRun(as: change.settled)
    let former = unsafe isFree ? change.current : change.spare
    let current = unsafe arena.store(scratch.rawSpan, over: former)
    unsafe changes[index].current = unsafe current
    unsafe changes[index].spare = unsafe current.isNone ? former : .none
    giveBack(scratch: scratch)
    changes[index].isChanged = true
    if mayLackRequired { changes[index].mayLackRequired = true }
    markDirty(index)
  }

  /// Records that an object's present record is the one in the layer.
  ///
  /// The earlier record in the layer may then be overwritten, unless it is the record at the beginning of the commit.
  func noteSettled(_ index: Int) {
    let change = changes[index]
    if unsafe !change.settled.isSameRun(as: change.current) {
      unsafe changes[index].spare = unsafe change.settled.isSameRun(as: change.start) ? .none : change.settled
      unsafe changes[index].settled = unsafe change.current
    }
    changes[index].takenIndexes = 0
    changes[index].takenGroups = 0
    changes[index].isDirty = false
  }

  /// Returns the stamps of an object that must be live.
  func stamps(_ index: Int) throws -> Stamps {
    guard isLive(index) else { throw try missing(index) }
    return try unsafe RecordView(changes[index].current.unsafeSpan).stamps
  }

  /// Returns the fault of an event that changes an object which does not exist.
  ///
  /// - Throws: `LMDBError` if a damaged key may hide the object.
  func missing(_ index: Int) throws -> ProjectionFault {
    let key = changes[index].key
    if unsafe changes[index].start.isNone { try proveAbsence(of: key) }
    return ProjectionFault("an event changes \(model.entities[key.entity].name) \(key.id), which does not exist")
  }

  /// Returns the scratch buffer with the beginning of a record with these stamps.
  ///
  /// - Parameter entity: The tag in the record.
  func beginRecord(_ stamps: Stamps, of entity: Tag?) -> [UInt8] {
    var scratch = takeScratch()
    scratch.appendRecordHead(stamps, of: entity)
    return scratch
  }

  /// The tag in the record of an object.
  private func recordTag(_ index: Int) -> Tag? { flatModel.entities[changes[index].key.entity].recordTag }

  /// Replaces the stamps of an object's record.
  func restamp(_ index: Int, _ stamps: Stamps) throws {
    var scratch = beginRecord(stamps, of: recordTag(index))
    unsafe scratch.append(bytes: try RecordView(changes[index].current.unsafeSpan).fields)
    setCurrent(index, to: scratch)
  }

  /// Replaces one field of an object, or removes it if `field` is `nil`.
  func replaceField(_ index: Int, _ tag: Tag, with field: RawSpan?, stamps: Stamps) throws {
    var scratch = beginRecord(stamps, of: recordTag(index))
    try unsafe scratch.appendFields(RecordView(changes[index].current.unsafeSpan).fields, replacing: tag, with: field)
    setCurrent(index, to: scratch, mayLackRequired: field == nil)
  }

  /// Replaces the record of a subject by its record after an event.
  ///
  /// - Parameter hasField: Whether the record has the link of such an event as a field.
  func replaceRecord(
    _ index: Int, by event: EventView, at moment: Moment, hasField: Bool = true, mayLackRequired: Bool = true
  ) throws {
    var scratch = takeScratch()
    var field = takeFieldBuffer()
    try unsafe scratch.appendRecord(
      from: changes[index].current.unsafeSpan, by: event, of: recordTag(index), at: moment, hasField: hasField,
      field: &field)
    giveBack(fieldBuffer: field)
    setCurrent(index, to: scratch, mayLackRequired: mayLackRequired)
  }

  func applyInserted(_ event: EventView, to index: Int, at moment: Moment) throws {
    if moment.isForward {
      guard !isLive(index) else {
        throw ProjectionFault("an event inserts \(changes[index].key.id), which exists already")
      }
    } else {
      guard isLive(index) else { throw try missing(index) }
      try takeAllKeys(index)
      forgetDerived(of: changes[index].key)
    }
    try noteExistence(of: index)
    try replaceRecord(index, by: event, at: moment)
  }

  func applyDeleted(_ event: EventView, to index: Int, at moment: Moment) throws {
    if moment.isForward {
      guard isLive(index) else { throw try missing(index) }
      try takeAllKeys(index)
      forgetDerived(of: changes[index].key)
    } else {
      guard !isLive(index) else {
        throw ProjectionFault("the deletion of \(changes[index].key.id) cannot be undone: it exists")
      }
    }
    try noteExistence(of: index)
    try replaceRecord(index, by: event, at: moment)
  }

  /// Takes the keys, and records the derived values, that depend on whether an object exists.
  private func noteExistence(of index: Int) throws {
    let entity = changes[index].key.entity
    let rows = dependents.entities[entity].existence
    if !rows.isEmpty { try take(rows, of: index) }
    // Links may lead to a derived object before it exists.
    if flatModel.entities[entity].hasSoftDerivations { scanDerived(of: changes[index].key) }
  }

  func applyChanged(_ event: EventView, to index: Int, at moment: Moment) throws {
    guard isLive(index) else { throw try missing(index) }
    let entity = changes[index].key.entity
    if flatModel.entities[entity].usesChangedAt { try take(dependents.entities[entity].changedAt, of: index) }
    var changed = FieldReader(event.fields)
    while !changed.isAtEnd {
      let before = try changed.next()
      let after = try changed.next()
      guard before.tag == after.tag else { throw MalformedBytes(offset: 0, expected: "an old and a new field") }
      guard let attribute = flatModel.attribute(tagged: before.tag, of: entity) else { continue }
      try take(dependents.entities[entity].attributes[attribute], of: index)
      try noteChange(
        of: attribute, in: index, from: moment.isForward ? before : after, to: moment.isForward ? after : before)
    }
    try replaceRecord(index, by: event, at: moment)
  }

  /// Returns the key of an object with its own entity, or `nil` if it does not exist. Call it for objects that an event is
  /// likely to touch.
  ///
  /// - Parameter key: An object of the entity or of a descendant of it.
  func expectedLive(_ key: ObjectKey) throws -> ObjectKey? {
    let index = try touch(key)
    return unsafe isLive(changes[index].current) && isKind(index, of: key.entity) ? changes[index].key : nil
  }

  /// Returns the last commit that touched an object before the commit being folded.
  ///
  /// - Parameter stamps: The present stamps of the object.
  func positionBefore(_ key: ObjectKey, _ stamps: Stamps) throws -> Position? {
    guard let index = change(of: key) else { return stamps.last }
    let change = changes[index]
    if unsafe change.current.isSameRun(as: change.start) { return stamps.last }
    return unsafe change.start.isNone ? nil : try RecordView(change.start.unsafeSpan).stamps.last
  }

  /// Returns the last commit that touched an object before the commit being folded.
  func positionBefore(_ key: ObjectKey) throws -> Position? {
    if let index = change(of: key) {
      let start = unsafe changes[index].start
      return unsafe start.isNone ? nil : try RecordView(start.unsafeSpan).stamps.last
    }
    guard let record = try unsafe unsafeStoredRow(of: key) else { return nil }
    return try RecordView(record).stamps.last
  }
}
