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

  /// Returns the rules that a folded commit breaks, in the order of its events.
  ///
  /// - Complexity: O(*k*) for *k* events, and O(*m* log *n*) for *m* objects that the changes may have made break a rule.
  package func ruleFaults(atMost limit: Int) throws -> [ConstraintFault] {
    let rules = fold.rules
    if rules.faults.isEmpty, rules.rules.isEmpty { return [] }
    do throws(ModelError) {
      try rules.check()
    } catch {
      throw StoreError(.badModel, "\(error)")
    }
    let checks = try checks(of: rules)
    var faults: [ConstraintFault] = []
    var source = ReaderSource(reader: reader)
    for check in checks.order {
      let rule = rules.rules[check.rule]
      let key = ObjectKey(entity: rule.entity, id: check.object)
      guard try isLive(key), let fault = try rule.fault(of: key, in: &source, reader) else { continue }
      faults.append(fault.adding(checks.origins[check] ?? []))
      if faults.count >= limit { break }
    }
    return faults
  }

  /// A rule that an object may break.
  private struct CheckedRule: Hashable {
    let rule: Int
    let object: ObjectID
  }

  /// Returns the rules that the commit may have made objects break, in the order of its events, and the changed objects
  /// that each of them reads.
  private func checks(
    of rules: ModelRules
  ) throws -> (order: [CheckedRule], origins: [CheckedRule: Set<ObjectID>]) {
    var (order, origins): ([CheckedRule], [CheckedRule: Set<ObjectID>]) = ([], [:])
    try forEachChange { change in
      for dependent in rules.dependents[change.trigger] ?? [] {
        let objects =
          try dependent.inversePath.isEmpty
          ? [change.object] : reader.objects(along: dependent.inversePath, from: change.object)
        for object in objects {
          let check = CheckedRule(rule: dependent.rule, object: object)
          if origins[check] == nil { order.append(check) }
          origins[check, default: []].insert(change.object)
        }
      }
    }
    return (order, origins)
  }

  /// Returns the live objects that the commit's events changed, or linked, in the order of the events.
  package func changedObjects(of entities: Set<Int>) throws -> [ObjectKey] {
    var (keys, seen): ([ObjectKey], Set<ObjectID>) = ([], [])
    try forEachChange { change in
      let entity = change.trigger.entity
      guard entities.contains(entity), seen.insert(change.object).inserted else { return }
      let key = ObjectKey(entity: entity, id: change.object)
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
