import Daybook
import DaybookTestSupport

/// An operation with its events.
struct PlainEdit {
  /// The operation without values that were already set.
  let operation: ReferenceOperation
  let events: [ReferenceEvent]

  /// Whether it related two objects, whichever of them the event is about.
  func relates(_ id: ObjectID, _ side: ReferenceModel.Side, _ target: ObjectID, _ model: ReferenceModel) -> Bool {
    events.contains { event in
      guard event.kind == .related else { return false }
      let own = event.side(in: model)
      return (event.object, own, event.to) == (id, side, target)
        || (event.object, own, event.to) == (target, model.inverse(of: side), id)
    }
  }
}

/// A fact about objects.
enum PlainFact: Hashable {
  case attribute(ObjectID, String)
  case target(ObjectID, ReferenceModel.Side)
  case link(ObjectID, ReferenceModel.Side, ObjectID)

  var objects: [ObjectID] {
    switch self {
    case .attribute(let id, _), .target(let id, _): [id]
    case .link(let id, _, let target): [id, target]
    }
  }
}

/// The final facts of a list of events, computed without code of the store's contexts.
struct PlainSide {
  enum Word: Hashable {
    case value(Value)
    case target(ObjectID?)
    case isLinked(Bool)
  }

  var words: [PlainFact: Word] = [:]
  var positions: [PlainFact: [UInt64]] = [:]
  var existence: [ObjectID: Bool] = [:]
  /// What held of each fact before the first event about it.
  var origins: [PlainFact: Word] = [:]
  var begun: Set<ObjectID> = []
  var inserted: Set<ObjectID> = []
  var deleted: Set<ObjectID> = []
  /// The positions of the events that name an object.
  var touching: [ObjectID: [UInt64]] = [:]
  let model: ReferenceModel
  /// Objects whose links have no effect.
  var ignored: Set<ObjectID> = []

  init(_ model: ReferenceModel) {
    self.model = model
  }

  mutating func read(_ events: [ReferenceEvent], at position: UInt64) {
    for (index, event) in events.enumerated() where event.kind != .recorded {
      for id in [event.object, event.from, event.to] {
        if let id, touching[id]?.last != position { touching[id, default: []].append(position) }
      }
      switch event.kind {
      case .inserted:
        if existence[event.object] == nil { begun.insert(event.object) }
        existence[event.object] = true
        inserted.insert(event.object)
        for attribute in model.entity(event.entity)!.attributes where attribute.derivation == nil {
          say(.attribute(event.object, attribute.name), .value(event.values[attribute.name] ?? .null), position)
        }
      case .deleted:
        existence[event.object] = false
        deleted.insert(event.object)
        for attribute in model.entity(event.entity)!.attributes
        where attribute.derivation == nil && !begun.contains(event.object) {
          begin(.attribute(event.object, attribute.name), .value(event.values[attribute.name] ?? .null))
        }
      case .renamed, .set:
        for (name, sides) in event.changes {
          if !begun.contains(event.object) { begin(.attribute(event.object, name), .value(sides[0])) }
          say(.attribute(event.object, name), .value(sides[1]), position)
        }
      case .recorded: break
      case .related, .unrelated:
        if ignored.contains(event.object) || (event.to ?? event.from).map(ignored.contains) == true { continue }
        if event.kind == .related {
          relate(event, position)
        } else {
          unrelate(event, isConsequence: isConsequence(index, in: events), position)
        }
      }
    }
  }

  private func isOneToOne(_ side: ReferenceModel.Side) -> Bool {
    !model.relationship(side)!.isMany && !model.relationship(model.inverse(of: side))!.isMany
  }

  private mutating func relate(_ event: ReferenceEvent, _ position: UInt64) {
    let (side, target) = (event.side(in: model), event.to!)
    guard !model.relationship(side)!.isMany else {
      begin(.link(event.object, side, target), .isLinked(event.from == target))
      return say(.link(event.object, side, target), .isLinked(true), position)
    }
    begin(.target(event.object, side), .target(event.from))
    if isOneToOne(side) {
      if let from = event.from { begin(.target(from, model.inverse(of: side)), .target(event.object)) }
      begin(.target(target, model.inverse(of: side)), .target(nil))
    }
    say(.target(event.object, side), .target(target), position)
    guard isOneToOne(side) else { return }
    let inverse = model.inverse(of: side)
    if let from = event.from, from != target { correct(.target(from, inverse), .target(nil), position) }
    say(.target(target, inverse), .target(event.object), position)
  }

  private mutating func unrelate(_ event: ReferenceEvent, isConsequence: Bool, _ position: UInt64) {
    let (side, former) = (event.side(in: model), event.from!)
    let isMany = model.relationship(side)!.isMany
    let fact: PlainFact = isMany ? .link(event.object, side, former) : .target(event.object, side)
    let word: Word = isMany ? .isLinked(false) : .target(nil)
    begin(fact, isMany ? .isLinked(true) : .target(former))
    if isOneToOne(side) { begin(.target(former, model.inverse(of: side)), .target(event.object)) }
    if isConsequence { correct(fact, word, position) } else { say(fact, word, position) }
    guard isOneToOne(side) else { return }
    let partner = PlainFact.target(former, model.inverse(of: side))
    if isConsequence || !model.isMirrored(side) {
      correct(partner, .target(nil), position)
    } else {
      say(partner, .target(nil), position)
    }
  }

  /// Returns whether a link was removed because an object was deleted, or its partner taken.
  private func isConsequence(_ index: Int, in events: [ReferenceEvent]) -> Bool {
    let event = events[index]
    guard let next = events[(index + 1)...].firstIndex(where: { $0.kind != .unrelated }) else { return false }
    if events[next].kind == .deleted { return [event.object, event.from!].contains(events[next].object) }
    let side = event.side(in: model)
    if model.isMirrored(side), isOneToOne(side), events[next].kind == .related, events[next].side(in: model) == side {
      return !Set([event.object, event.from!]).isDisjoint(with: [events[next].object, events[next].to!])
    }
    return next == index + 1 && events[next].kind == .related && events[next].side(in: model) == event.side(in: model)
      && events[next].to == event.from && isOneToOne(event.side(in: model))
  }

  private mutating func begin(_ fact: PlainFact, _ word: Word) {
    if origins[fact] == nil { origins[fact] = word }
  }

  /// Whether a fact ends as it began; in an order, places may have changed.
  func isUnchanged(_ fact: PlainFact) -> Bool {
    guard let origin = origins[fact], origin == words[fact] else { return false }
    switch fact {
    case .attribute: return true
    case .target(_, let side), .link(_, let side, _):
      return !model.relationship(side)!.isOrdered && !model.relationship(model.inverse(of: side))!.isOrdered
    }
  }

  /// Whether the events gave an object values or links that it did not have before.
  func gaveMore(to id: ObjectID) -> Bool {
    if begun.contains(id), existence[id] == true { return true }
    return words.contains { fact, word in
      guard origins[fact] != word, word != .target(nil), word != .isLinked(false) else { return false }
      return fact.objects.contains(id) || word == .target(id)
    }
  }

  /// Whether a fact is about the value of an object that the events deleted.
  func lost(_ fact: PlainFact) -> Bool {
    if case .attribute(let id, _) = fact { existence[id] == false } else { false }
  }

  /// Whether an object existed before and does not in the end.
  func isGone(_ id: ObjectID) -> Bool { existence[id] == false && !begun.contains(id) }

  /// The one-to-one partners in the end, by object and then in the order of the model.
  var partners: [(id: ObjectID, side: ReferenceModel.Side, target: ObjectID?)] {
    var partners: [(id: ObjectID, side: ReferenceModel.Side, target: ObjectID?)] = []
    for case (.target(let id, let side), .target(let target)) in words where isOneToOne(side) {
      partners.append((id, side, target))
    }
    func rank(_ side: ReferenceModel.Side) -> Int { model.sides(of: side.entity).firstIndex(of: side)! }
    return partners.sorted { ($0.id, rank($0.side)) < ($1.id, rank($1.side)) }
  }

  private mutating func say(_ fact: PlainFact, _ word: Word, _ position: UInt64) {
    words[fact] = word
    positions[fact, default: []].append(position)
  }

  private mutating func correct(_ fact: PlainFact, _ word: Word, _ position: UInt64) {
    if words[fact] != nil { say(fact, word, position) }
  }
}

extension ReferenceEvent {
  /// Returns the side that owns the link, by the entity that declares it.
  func side(in model: ReferenceModel) -> ReferenceModel.Side {
    model.declared(ReferenceModel.Side(entity, relationship!))
  }
}
