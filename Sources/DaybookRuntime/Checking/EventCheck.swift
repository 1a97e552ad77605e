import DaybookEngine
import DaybookModel
import LMDB

/// Compares each event with the state before it.
///
/// Events are symmetric: they contain what they replaced. So the past that an event states must be what the preceding
/// events left, or undoing the event would lead to a state that never existed. A difference is reported and does not
/// end the check; an event that must not reach the fold is thrown as a `ProjectionFault`.
struct EventCheck {
  let model: ResolvedModel
  let faults: FaultList
  /// The model at the time of the commit; `model` may be a later one, which has all its parts.
  private(set) var present: ResolvedModel
  private(set) var position = Position.empty
  /// The number in its commit of the last checked event, from 1.
  private(set) var eventNumber = 0
  /// The last earlier commit that touched each object named so far in this commit.
  private var earlier: [ObjectKey: Position?] = [:]
  /// Objects that did not exist when an event about them was recorded.
  private var unborn: [(eventNumber: Int, key: ObjectKey)] = []
  /// Places in lists that two targets shared between two events.
  private var sharedPlaces: [SharedPlace] = []

  /// The links that the commit's events add over relationships that are acyclic at its time.
  private var acyclicLinks: [(reference: RelationshipReference, owner: ObjectID)] = []

  /// A place that an event assigned to a target while another target had it.
  struct SharedPlace {
    let eventNumber: Int
    let relationship: String
    /// The common prefix of the rows of all targets at this place.
    let rowPrefix: [UInt8]
  }

  init(model: ResolvedModel, faults: FaultList) {
    self.model = model
    self.faults = faults
    present = model
  }

  /// - Parameter model: The model that holds at the position.
  mutating func beginCommit(at position: Position, model present: ResolvedModel) {
    self.position = position
    self.present = present
    eventNumber = 0
    earlier.removeAll(keepingCapacity: true)
    sharedPlaces.removeAll()
    unborn.removeAll()
    acyclicLinks.removeAll(keepingCapacity: true)
  }

  mutating func noteAcyclicLink(_ reference: RelationshipReference, of owner: ObjectID) {
    acyclicLinks.append((reference, owner))
  }

  /// Reports the cycles that the commit leaves over acyclic relationships.
  ///
  /// It is not a part of ``finishCommit(_:)``, because a commit that is imported is refused for a cycle by the rules of
  /// a write.
  func reportCycles(_ fold: Fold) throws {
    var searches: [RelationshipReference: CycleSearch] = [:]
    for (reference, owner) in acyclicLinks {
      var search = searches[reference] ?? CycleSearch(reference)
      if let cycle = try fold.cycle(from: owner, &search) {
        faults.report(position, cycle.description(in: present))
      }
      searches[reference] = search
    }
  }

  mutating func note(_ place: SharedPlace) {
    sharedPlaces.append(place)
  }

  mutating func noteUnborn(_ key: ObjectKey) {
    unborn.append((eventNumber, key))
  }

  /// Checks that no two targets share a place in a list at the end of the commit, and that the objects of recorded
  /// events exist or existed.
  ///
  /// Between two events targets may share a place, while a list is renumbered.
  func finishCommit(_ fold: Fold) throws {
    for (number, key) in unborn where try fold.unsafeRecord(of: key) == nil {
      faults.report(position, event: number, "it is about \(key.id), which has never existed")
    }
    for place in sharedPlaces where try fold.reader.linkCount(place.rowPrefix, atMost: 2) > 1 {
      faults.report(
        position, event: place.eventNumber, "it leaves two targets at one place in \(place.relationship)")
    }
  }

  /// Reports a difference between an event and the state.
  func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { faults.report(position, event: eventNumber, what()) }
  }

  /// Checks an event before it is folded.
  mutating func check(_ event: EventView, _ fold: Fold) throws {
    eventNumber += 1
    guard let number = model.entity(tagged: event.entity) else {
      throw ProjectionFault("it speaks of an entity with the tag \(event.entity), which the model lacks")
    }
    let entity = model.entities[number]
    let key = ObjectKey(entity: number, id: event.object)
    // An event of a later version about an object that does not exist cannot be checked.
    if try event.kind == .unknown && fold.unsafeRecord(of: key) == nil { return }
    try checkPrevious(of: key, event.previous, fold)
    if event.kind == .recorded { return try checkRecorded(event, about: key, fold) }
    guard let record = try fold.unsafeRecord(of: key), try !RecordView(record).isTombstone else {
      if event.kind == .unknown { return }
      guard event.kind == .inserted else { throw ProjectionFault("\(entity.name) \(key.id) does not exist") }
      let isThere = present.entity(tagged: event.entity).map { !present.entities[$0].isRetired } ?? false
      expect(isThere, "it inserts a \(entity.name), which the model of its time does not have")
      let isAbstract = present.entity(tagged: event.entity).map { present.entities[$0].isAbstract } ?? false
      expect(!isAbstract, "it inserts a \(entity.name), which is abstract in the model of its time")
      return try checkValues(event.fields, of: entity)
    }
    guard event.kind != .inserted else { throw ProjectionFault("\(entity.name) \(key.id) exists already") }
    let view = try RecordView(record)
    checkFormer(event, view.stamps)
    switch event.kind {
    case .inserted, .recorded, .unknown: break
    case .renamed, .set: try checkChanges(event, of: entity, view)
    case .deleted: try checkDeletion(event, of: entity, view, fold)
    case .related, .unrelated: try checkLink(event, from: key, view, fold)
    }
  }

  /// Checks the position that an event states as the last commit that touched an object.
  mutating func checkPrevious(of key: ObjectKey, _ previous: Position?, _ fold: Fold) throws {
    var known: Position?
    let rootKey = model.rootKey(key)
    if let noted = earlier[rootKey] {
      known = noted
    } else {
      // No event of this commit has named the object, so its record is unchanged since the previous commit.
      if let record = try fold.unsafeRecord(of: key) { known = try RecordView(record).stamps.last }
      earlier[rootKey] = .some(known)
    }
    expect(
      previous == known,
      "it says that \(text(previous)) touched \(key.id) last before, but \(text(known)) did")
  }

  private func text(_ position: Position?) -> String { position.map { "commit \($0)" } ?? "no commit" }

  private func checkFormer(_ event: EventView, _ stamps: Stamps) {
    guard let former = event.former else { return }
    expect(
      former.changed == stamps.changed && former.changedAt == stamps.changedAt,
      "the time of the last change that it holds is not the object's")
    guard event.kind == .deleted else { return }
    expect(
      former.created == stamps.created && former.createdAt == stamps.createdAt,
      "the time of creation that it holds is not the object's")
  }

  /// Checks the values of an insertion.
  private func checkValues(_ bytes: RawSpan, of entity: ResolvedEntity) throws {
    var fields = FieldReader(bytes)
    var last: Tag?
    while !fields.isAtEnd {
      let field = try fields.next()
      if let last, field.tag <= last { throw ProjectionFault("its fields do not rise") }
      last = field.tag
      guard field.form != .absent else { throw ProjectionFault("it holds a field that is absent") }
      // An object that is inserted again has its former links over relationships that were removed meanwhile.
      if entity.holdsRetiredLink(field.tag) {
        _ = try field.target()
      } else {
        try checkValue(field, of: entity)
      }
    }
  }

  /// Checks that a field belongs to a stored attribute and that its value fits the attribute.
  @discardableResult
  private func checkValue(_ field: FieldView, of entity: ResolvedEntity) throws -> ResolvedAttribute {
    guard let number = entity.attribute(tagged: field.tag), entity.attributes[number].derivation == nil else {
      throw ProjectionFault("it holds a field with the tag \(field.tag), which \(entity.name) does not store")
    }
    let attribute = entity.attributes[number]
    if field.form == .link || field.form == .orderedLink {
      throw ProjectionFault("it holds a link where a value of \(entity.name).\(attribute.name) belongs")
    }
    do {
      try field.value().check(type: attribute.type)
    } catch let error as ValueError {
      throw ProjectionFault("it holds a value that \(entity.name).\(attribute.name) cannot have: \(error)")
    }
    return attribute
  }

  private func checkChanges(_ event: EventView, of entity: ResolvedEntity, _ record: RecordView) throws {
    var fields = FieldReader(event.fields)
    var last: Tag?
    while !fields.isAtEnd {
      let old = try fields.next()
      let new = try fields.next()
      guard old.tag == new.tag else { throw ProjectionFault("it holds an old value without a new one") }
      if let last, old.tag <= last { throw ProjectionFault("its fields do not rise") }
      last = old.tag
      let attribute = try checkValue(old, of: entity)
      try checkValue(new, of: entity)
      try checkOld(old, of: attribute, entity, record)
      expect(!equalBytes(old.whole, new.whole), "it changes \(entity.name).\(attribute.name) to what it was")
    }
    expect(last != nil, "it changes nothing")
  }

  private func checkOld(
    _ old: FieldView, of attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ record: RecordView
  ) throws {
    let isSame: Bool
    if let present = try FieldReader.field(old.tag, in: record.fields) {
      isSame = equalBytes(present.whole, old.whole)
    } else if old.form == .absent {
      isSame = true
    } else {
      // If a default stands for a missing field, the event contains the default.
      var field: [UInt8] = []
      field.appendField(attribute.tag, attribute.valueWhenMissing)
      isSame = equalBytes(field.rawSpan, old.whole)
    }
    expect(isSame, "the former value of \(entity.name).\(attribute.name) that it holds is not the object's")
  }

  private func checkDeletion(
    _ event: EventView, of entity: ResolvedEntity, _ record: RecordView, _ fold: Fold
  ) throws {
    var values: [UInt8] = []
    var fields = FieldReader(record.fields)
    while !fields.isAtEnd {
      let field = try fields.next()
      let attribute = entity.attribute(tagged: field.tag)
      if attribute.map({ entity.attributes[$0].derivation != nil }) ?? false { continue }
      // Links over a relationship that the model has removed are not unrelated by a delete; they stay in the record.
      expect(
        attribute != nil || entity.holdsRetiredLink(field.tag), "it deletes an object that still has a link")
      values.append(bytes: field.whole)
    }
    expect(equalBytes(values.rawSpan, event.fields), "the values that it holds are not the object's")
    // Links to a derived object stay when it is deleted.
    if entity.isDerived { return }
    for relationship in entity.relationships where !relationship.isRetired {
      var hasLink = false
      try fold.reader.forEachLink(relationship.tag, from: event.object) { _, _ in
        hasLink = true
        return false
      }
      expect(!hasLink, "it deletes an object that still is linked by \(entity.name).\(relationship.name)")
    }
  }
}

private extension ResolvedEntity {
  /// Whether records keep links over this relationship, which was removed from the model.
  func holdsRetiredLink(_ tag: Tag) -> Bool {
    relationships.contains { $0.tag == tag && $0.isRetired && $0.isInRecord }
  }
}
