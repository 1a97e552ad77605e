import DaybookEngine
import DaybookModel

/// What one side of a merge states: the last word about each fact.
///
/// A side is the pending edits, or the commits of other writers.
///
/// The consequences of another change are not words of their own: the links that a delete removes, and the one-to-one
/// partner that a relate removes from its former owner. They only correct a word that the side stated before.
///
/// A side that ends where it began has changed nothing, whatever it stated on the way (``isUnchanged(_:)``). The state
/// before the edits and the words of both sides are the three states of the rule of conflict (``comparison(of:with:)``).
struct ConflictSide {
  /// The content of a statement about a fact.
  enum Word: Hashable {
    case value(Value)
    case target(ObjectID?)
    case isLinked(Bool)

    /// The word, or `nil` if it states that there is no link.
    var content: Word? {
      switch self {
      case .target(nil), .isLinked(false): nil
      case .value, .target, .isLinked: self
      }
    }
  }

  let model: ResolvedModel
  /// Objects whose edits are ignored: links to them are not words.
  private let ignored: Set<ObjectID>
  /// The word for each fact, with the position of each event that stated it.
  private(set) var words: [Fact: (word: Word, positions: [Position])] = [:]
  /// What held of each fact before the side's first change of it.
  private var origins: [Fact: Word] = [:]
  /// For each inserted or deleted object, whether it exists in the end.
  private(set) var existence: [ObjectID: Bool] = [:]
  /// Inserted objects; those inserted before any delete of them; and deleted objects.
  private(set) var inserted: Set<ObjectID> = []
  private(set) var begun: Set<ObjectID> = []
  private(set) var deleted: Set<ObjectID> = []
  private(set) var entities: [ObjectID: Tag]

  /// `unrelated` events since the last event of another kind.
  ///
  /// The next event determines whether they are words.
  private var run: [LinkIdentity] = []

  /// - Parameter entities: The known entities of objects.
  init(_ model: ResolvedModel, ignoring ignored: Set<ObjectID> = [], entities: [ObjectID: Tag] = [:]) {
    (self.model, self.ignored, self.entities) = (model, ignored, entities)
  }

  private func isIgnored(_ link: LinkIdentity) -> Bool {
    !ignored.isEmpty && (ignored.contains(link.owner) || ignored.contains(link.target))
  }

  /// Reads a group of events: the events of a commit, or of one verb.
  ///
  /// - Parameters:
  ///   - count: The number of events in the group.
  ///   - link: The link that the verb changes, as other links in an ordered list only get another key; `nil` for a
  ///     commit.
  ///   - isRelevant: Whether words about an object are needed.
  mutating func read(
    _ events: inout EventReader, count: Int, at position: Position, about link: LinkIdentity? = nil,
    where isRelevant: (ObjectID) -> Bool
  ) throws {
    for _ in 0..<count {
      let event = try events.next()
      if isRelevant(event.object) { entities[event.object] = event.entity }
      var subjects = EventSubjects(of: event)
      switch try subjects.next() {
      case .link(_, from: _, to: nil):
        if let former = LinkIdentity(event, isFormer: true), !isIgnored(former) {
          note(former, from: former.target, isRelevant)
          run.append(former)
        }
        continue
      case .link: endRun(at: position, isRelevant, takenBy: LinkIdentity(event, isFormer: false))
      case .existence(isLive: false):
        endRun(at: position, isRelevant) { $0.owner == event.object || $0.target == event.object }
      // Recorded events, and events of later versions, have no subjects.
      case .existence, .attribute, nil: endRun(at: position, isRelevant)
      }
      try read(event, at: position, about: link, isRelevant)
    }
    endRun(at: position, isRelevant)
  }

  private mutating func read(
    _ event: EventView, at position: Position, about link: LinkIdentity?, _ isRelevant: (ObjectID) -> Bool
  ) throws {
    var subjects = EventSubjects(of: event)
    while let subject = try subjects.next() {
      switch subject {
      case .existence(isLive: true):
        if existence[event.object] == nil { begun.insert(event.object) }
        existence[event.object] = true
        inserted.insert(event.object)
        if isRelevant(event.object) { try readValues(event, at: position) }
      case .existence(isLive: false):
        existence[event.object] = false
        deleted.insert(event.object)
        if isRelevant(event.object), !begun.contains(event.object) { try noteValues(event) }
      case .attribute(let tag):
        guard isRelevant(event.object) else { continue }
        try readValue(subjects.newValue(), insteadOf: subjects.oldValue(), of: tag, event, at: position)
      case .link(_, let former, _):
        guard let new = LinkIdentity(event, isFormer: false), !isIgnored(new) else { continue }
        if let link, new != link, former == new.target { continue }
        note(new, from: former, isRelevant)
        say(new, from: former, at: position, isRelevant)
      }
    }
  }

  /// Records a word for each attribute, as an insert sets all of them.
  private mutating func readValues(_ event: EventView, at position: Position) throws {
    for attribute in attributes(of: event) {
      say(.attribute(event.object, attribute.tag), .value(try value(of: attribute, in: event)), at: position)
    }
  }

  /// Records the values of a deleted object, with which a later insert of the same identity is compared.
  private mutating func noteValues(_ event: EventView) throws {
    for attribute in attributes(of: event) {
      note(.value(try value(of: attribute, in: event)), before: .attribute(event.object, attribute.tag))
    }
  }

  private func attributes(of event: EventView) -> [ResolvedAttribute] {
    guard let number = model.entity(tagged: event.entity) else { return [] }
    return model.entities[number].attributes.filter { !$0.isRetired && $0.derivation == nil }
  }

  private func value(of attribute: ResolvedAttribute, in event: EventView) throws -> Value {
    try FieldReader.field(attribute.tag, in: event.fields)?.value() ?? attribute.missingValue
  }

  private mutating func readValue(
    _ value: Value?, insteadOf former: Value?, of tag: Tag, _ event: EventView, at position: Position
  ) throws {
    guard let entity = model.entity(tagged: event.entity).map({ model.entities[$0] }),
      let attribute = entity.attribute(tagged: tag)
    else { return }
    let missing = entity.attributes[attribute].missingValue
    if !begun.contains(event.object) { note(.value(former ?? missing), before: .attribute(event.object, tag)) }
    say(.attribute(event.object, tag), .value(value ?? missing), at: position)
  }

  /// Records what held of a fact before the first change of it.
  private mutating func note(_ word: Word, before fact: Fact) {
    if origins[fact] == nil { origins[fact] = word }
  }

  /// Records what held of the facts of a link before an event made or removed it.
  ///
  /// - Parameters:
  ///   - link: The new link, or the removed one.
  ///   - former: The target that the owner had before; for a relationship to many, the link's target if it was there.
  private mutating func note(_ link: LinkIdentity, from former: ObjectID?, _ isRelevant: (ObjectID) -> Bool) {
    guard let reference = model.relationship(tagged: link.relationship) else { return }
    if model[reference].isMany {
      if isRelevant(link.owner) || isRelevant(link.target) {
        note(.isLinked(former == link.target), before: link.ownerFact(in: model))
      }
      return
    }
    note(.target(former), before: link.ownerFact(in: model))
    for target in [former, link.target] {
      guard let target else { continue }
      let seen = LinkIdentity(owner: link.owner, relationship: link.relationship, target: target)
      guard let fact = seen.partnerFact(in: model) else { continue }
      // A partner is taken from its former owner by an event of its own, which comes first.
      note(.target(target == former ? link.owner : nil), before: fact)
    }
  }

  /// Whether a fact is in the end what it was before the side's first change of it.
  ///
  /// The place of a link in an order is not compared, so such a link counts as changed.
  func isUnchanged(_ fact: Fact) -> Bool {
    guard let origin = origins[fact], let word = words[fact]?.word, origin == word else { return false }
    switch fact {
    case .attribute: return true
    case .target(_, let tag): return !isOrdered(tag)
    case .link(let link): return !isOrdered(link.relationship)
    case .existence, .mention: return false
    }
  }

  /// Compares a fact in three states: before the edits, of which this side consists; after the commits of others; and
  /// after the edits.
  ///
  /// - Returns: The outcome, or `nil` if one of the sides has no word about the fact, or deletes the object of a value.
  func comparison(of fact: Fact, with theirs: ConflictSide) -> ThreeWayComparison? {
    guard let mine = words[fact]?.word, let other = theirs.words[fact]?.word else { return nil }
    if case .attribute(let id, _) = fact, existence[id] == false || theirs.existence[id] == false { return nil }
    return ThreeWayComparison(
      isUnchanged: isUnchanged(fact), isReached: mine == other, isUntouched: theirs.isUnchanged(fact))
  }

  /// Whether an object exists in the end neither for this side nor before its first event.
  func isPassing(_ id: ObjectID) -> Bool { begun.contains(id) && existence[id] == false }

  /// Whether the side deletes an object that existed before.
  func isGone(_ id: ObjectID) -> Bool { existence[id] == false && !begun.contains(id) }

  /// The objects that have a value or a link in the end that they did not have before, which a deletion by the other
  /// side would lose.
  var enriched: Set<ObjectID> {
    var ids = begun
    for (fact, (word, _)) in words
    where ThreeWayComparison.isLost(base: origins[fact]?.content, present: word.content) {
      ids.formUnion(fact.objects)
      if case .target(let target?) = word { ids.insert(target) }
    }
    return ids
  }

  private func isOrdered(_ tag: Tag) -> Bool {
    guard let reference = model.relationship(tagged: tag) else { return true }
    return model[reference].isOrdered || model[model.inverse(of: reference)].isOrdered
  }

  /// The partners of one-to-one relationships that the side leads to, in a deterministic order.
  var partners: [(fact: Fact, target: ObjectID?)] {
    var partners: [(id: ObjectID, tag: Tag, target: ObjectID?)] = []
    for case (.target(let id, let tag), (.target(let target), _)) in words {
      guard let reference = model.relationship(tagged: tag), !model[model.inverse(of: reference)].isMany else {
        continue
      }
      partners.append((id, tag, target))
    }
    return partners.sorted { ($0.id, $0.tag) < ($1.id, $1.tag) }.map { (.target($0.id, $0.tag), $0.target) }
  }

  /// - Parameter former: The target that the change removed from a to-one relationship.
  private mutating func say(
    _ new: LinkIdentity, from former: ObjectID?, at position: Position, _ isRelevant: (ObjectID) -> Bool
  ) {
    guard let reference = model.relationship(tagged: new.relationship) else { return }
    for (id, number) in [(new.owner, reference.entity), (new.target, model[reference].target)] where isRelevant(id) {
      if entities[id] == nil { entities[id] = model.entities[number].tag }
    }
    let isWord = isRelevant(new.owner) || isRelevant(new.target)
    guard !model[reference].isMany else {
      return say(new.ownerFact(in: model), .isLinked(true), at: position, onlyIfKnown: !isWord)
    }
    say(new.ownerFact(in: model), .target(new.target), at: position, onlyIfKnown: !isWord)
    guard let partnerFact = new.partnerFact(in: model) else { return }
    if let former, former != new.target {
      let old = LinkIdentity(owner: new.owner, relationship: new.relationship, target: former)
      if let fact = old.partnerFact(in: model) { say(fact, .target(nil), at: position, onlyIfKnown: true) }
    }
    say(partnerFact, .target(new.owner), at: position, onlyIfKnown: !isWord)
  }

  private mutating func endRun(
    at position: Position, _ isRelevant: (ObjectID) -> Bool, takenBy new: LinkIdentity?
  ) {
    guard let new, new.partnerFact(in: model) != nil else { return endRun(at: position, isRelevant) }
    if isMirrored(new.relationship) {
      // The former partners of both objects, each with an event of its own.
      let ends = [new.owner, new.target]
      return endRun(at: position, isRelevant) {
        $0.relationship == new.relationship && (ends.contains($0.owner) || ends.contains($0.target))
      }
    }
    guard let last = run.last, last.relationship == new.relationship, last.target == new.target else {
      return endRun(at: position, isRelevant)
    }
    endRun(at: position, isRelevant) { $0 == last }
  }

  private func isMirrored(_ tag: Tag) -> Bool { model.relationship(tagged: tag).map { model[$0].isMirrored } ?? false }

  /// - Parameter isConsequence: Which of the removed links are a consequence of the next event.
  private mutating func endRun(
    at position: Position, _ isRelevant: (ObjectID) -> Bool,
    where isConsequence: (LinkIdentity) -> Bool = { _ in false }
  ) {
    for former in run {
      guard let reference = model.relationship(tagged: former.relationship) else { continue }
      let isWord = !isConsequence(former) && (isRelevant(former.owner) || isRelevant(former.target))
      let word: Word = model[reference].isMany ? .isLinked(false) : .target(nil)
      if isRelevant(former.target) { entities[former.target] = model.entities[model[reference].target].tag }
      say(former.ownerFact(in: model), word, at: position, onlyIfKnown: !isWord)
      if let fact = former.partnerFact(in: model) {
        // Both objects have the link of a relationship that is its own inverse, and neither more than the other.
        say(fact, word, at: position, onlyIfKnown: !isWord || !model[reference].isMirrored)
      }
    }
    run.removeAll()
  }

  private mutating func say(_ fact: Fact, _ word: Word, at position: Position, onlyIfKnown: Bool = false) {
    guard let known = words[fact] else {
      if !onlyIfKnown { words[fact] = (word, [position]) }
      return
    }
    words[fact] = (word, known.positions + [position])
  }
}
