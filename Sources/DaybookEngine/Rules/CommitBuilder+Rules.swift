import DaybookModel
import DaybookQuery
import LMDB

/// The rules of the model at the end of a commit.
extension CommitBuilder {
  /// Checks the rules that a folded commit may break.
  ///
  /// A rule is checked for an object only if the commit changed a value that the rule reads: what older objects broke
  /// before a rule was declared stands until it is changed.
  ///
  /// - Throws: `StoreError` with the code `constraint` for the first broken rule; `badModel` if a rule of the stored model
  ///   cannot be read by this version.
  package func checkRules() throws {
    if let fault = try ruleFaults(atMost: 1).first { throw fault.error }
  }

  /// Returns the rules that a folded commit breaks, by object, in the order of the events that touch the objects.
  ///
  /// - Complexity: O(*k*) for *k* events, and O(*m* log *n*) for *m* objects that the changes may have made break a rule.
  package func ruleFaults(atMost limit: Int) throws -> [ConstraintFault] {
    let rules = fold.rules
    if rules.faults.isEmpty, rules.rules.isEmpty { return [] }
    return try allowance.spend { try ruleFaults(of: rules, atMost: limit) }
  }

  private func ruleFaults(of rules: ModelRules, atMost limit: Int) throws -> [ConstraintFault] {
    do throws(ModelError) {
      try rules.check()
    } catch {
      throw StoreError(.badModel, "\(error)")
    }
    var faults: [(check: RuleCheck, fault: ConstraintFault)] = []
    var source = ReaderSource(reader: reader)
    search: for object in try checkedObjects(rules) {
      guard let record = try unsafe reader.unsafeRecord(of: object.key), try !RecordView(record).isTombstone else {
        continue
      }
      unsafe source.provide(record.unsafeBytes, of: object.key)
      for rule in object.rules {
        guard let fault = try rules.rules[rule].fault(of: object.key, in: &source, reader) else { continue }
        faults.append((RuleCheck(rule: rule, object: object.key.id), fault))
        if faults.count >= limit { break search }
      }
    }
    guard !faults.isEmpty else { return [] }
    let origins = try origins(of: faults.map(\.check), rules)
    return faults.map { $0.fault.adding(origins[$0.check] ?? []) }
  }

  /// A rule that an object may break.
  private struct RuleCheck: Hashable {
    let rule: Int
    let object: ObjectID
  }

  /// An object with the rules that it may break.
  private struct CheckedObject {
    let key: ObjectKey
    var rules: [Int] = []
  }

  /// Returns the objects that the commit may have made break rules, in the order of its events.
  private func checkedObjects(_ rules: ModelRules) throws -> [CheckedObject] {
    var (objects, places): ([CheckedObject], [ObjectKey: Int]) = ([], [:])
    try forEachCheck(of: rules) { check, _ in
      var key = ObjectKey(entity: rules.rules[check.rule].entity, id: check.object)
      if model.entities[key.entity].hasRelatives {
        // The rules of a parent and of its children are rules of one object.
        let own = try fold.concrete(key)
        guard model.entities[own.entity].isKind(of: model.entities[key.entity]) else { return }
        key = own
      }
      // The rules of an object come one after another.
      let place: Int
      if objects.last?.key == key {
        place = objects.count - 1
      } else if let found = places[key] {
        place = found
      } else {
        place = objects.count
        places[key] = place
        objects.append(CheckedObject(key: key))
      }
      if !objects[place].rules.contains(check.rule) { objects[place].rules.append(check.rule) }
    }
    return objects
  }

  /// Returns the changed objects that each check reads.
  private func origins(of wanted: [RuleCheck], _ rules: ModelRules) throws -> [RuleCheck: Set<ObjectID>] {
    var origins = Dictionary(wanted.map { ($0, Set<ObjectID>()) }) { first, _ in first }
    try forEachCheck(of: rules) { check, origin in
      if origins[check] != nil { origins[check]?.insert(origin) }
    }
    return origins
  }

  /// Calls a function for each rule that a change may have made an object break, and the changed object; more than once
  /// if several changes may have.
  private func forEachCheck(of rules: ModelRules, _ body: (RuleCheck, ObjectID) throws -> Void) throws {
    try forEachChange { change in
      for dependent in rules.dependents[change.trigger] ?? [] {
        guard !dependent.inversePath.isEmpty else {
          try body(RuleCheck(rule: dependent.rule, object: change.object), change.object)
          continue
        }
        for object in try reader.objects(along: dependent.inversePath, from: change.object) {
          try body(RuleCheck(rule: dependent.rule, object: object), change.object)
        }
      }
    }
  }

  /// Returns the live objects of entities and their descendants that the commit's events changed, or linked, in the order
  /// of the events.
  package func changedObjects(of entities: Set<Int>) throws -> [ObjectKey] {
    var (keys, seen): ([ObjectKey], Set<ObjectID>) = ([], [])
    let roots = Set(entities.map { model.entities[$0].root })
    try forEachChange { change in
      // A change of a field, or of the end of a link, has the entity that declares it.
      let entity = change.trigger.entity
      guard roots.contains(model.entities[entity].root), seen.insert(change.object).inserted else { return }
      let key = try fold.concrete(ObjectKey(entity: entity, id: change.object))
      guard !entities.isDisjoint(with: model.entities[key.entity].lineage) else { return }
      if try isLive(key) { keys.append(key) }
    }
    return keys
  }

  private func forEachChange(_ body: (ObjectChange) throws -> Void) throws {
    let bytes = writer.bytes
    try EventReader(bytes.rawSpan, position: writer.position, time: writer.time).forEachChange(in: model, body)
  }

  private func isLive(_ key: ObjectKey) throws -> Bool {
    guard let record = try unsafe fold.unsafeRecord(of: key) else { return false }
    return try !RecordView(record).isTombstone
  }
}

private extension Dependency.Trigger {
  /// The entity of the object that a change with this trigger names.
  var entity: Int {
    switch self {
    case .existence(let entity), .attribute(let entity, _), .subject(let entity): entity
    case .link(let reference): reference.entity
    }
  }
}
