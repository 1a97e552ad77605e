import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Comparisons of events, objects, links and times with the reference.
extension RandomRun {
  func named(in plans: [Plan]) -> [ObjectID] {
    Array(Set(plans.flatMap(\.events).flatMap { [$0.object, $0.from, $0.to].compactMap { $0 } }))
  }

  /// Compares the events of a commit, and the times in its header.
  func check(_ plan: Plan) throws {
    guard !plan.events.isEmpty else { return }
    try store.read { reader in
      try reader.journal.withCommit(at: Position(plan.position)) { commit in
        let events = try ReferenceEvent.read(commit, reader.resolvedModel)
        for index in 0..<max(events.count, plan.events.count) {
          let there = index < events.count ? events[index] : nil
          let wanted = index < plan.events.count ? plan.events[index] : nil
          guard there == wanted else {
            throw Mismatch(
              "event \(index) of commit \(plan.position) is\n  \(there?.description ?? "none")\ninstead of\n  \(wanted?.description ?? "none")\n\(text(plan))"
            )
          }
        }
        guard commit.header.recordedAt == plan.recordedAt, commit.header.happenedAt == plan.happenedAt else {
          throw Mismatch("the times of commit \(plan.position) are wrong: \(commit.header)")
        }
      }
    }
  }

  func checkAll() throws {
    try check(Array(reference.state.known.keys))
    try store.read { reader in
      for entity in reference.state.model.model.entities {
        let count = try reader.count(Request(entity: entity.name))
        let expected = reference.state.objects(of: entity.name).count
        guard count == expected else { throw Mismatch("there are \(count) \(entity.name) instead of \(expected)") }
      }
    }
  }

  func check(_ ids: [ObjectID]) throws {
    let state = reference.state
    try store.read { reader in
      guard reader.position.number == state.position else {
        throw Mismatch("the store is at \(reader.position) instead of \(state.position)")
      }
      for id in ids {
        try compare(try reader.get(id), with: state, id) { try reader.targets(of: id, $0) }
        try checkStamps(id, state, reader.reader)
      }
    }
  }

  func check(_ state: ReferenceState, _ tx: borrowing Transaction) throws {
    for id in state.known.keys {
      try compare(try tx.get(id), with: state, id) { try tx.targets(of: id, $0) }
    }
    try checkFetch(state) { try tx.fetch($0) }
  }

  private func compare(
    _ object: StoredObject?, with state: ReferenceState, _ id: ObjectID, _ targets: (String) throws -> [ObjectID]
  ) throws {
    guard let expected = state.objects[id] else {
      if object != nil { throw Mismatch("\(id) should not be there") }
      return
    }
    guard let object, object.entity == expected.entity else { throw Mismatch("\(expected.entity) \(id) is not there") }
    guard object.createdAt == expected.createdAt, object.changedAt == expected.changedAt else {
      throw Mismatch(
        "the times of \(expected.entity) \(id) are \(object.createdAt), \(object.changedAt) instead of \(expected.createdAt), \(expected.changedAt)"
      )
    }
    guard let entity = state.model.entity(expected.entity) else { return }
    for attribute in entity.attributes {
      let (value, wanted) = (object[attribute.name], state.value(attribute.name, of: id))
      guard value == wanted else {
        throw Mismatch("\(expected.entity).\(attribute.name) of \(id) is \(value) instead of \(wanted)")
      }
      if wanted.isLarge { try checkBytes(of: value, wanted) }
    }
    for relationship in entity.relationships {
      let wanted = state.targets(.init(entity.name, relationship.name), id)
      let there = try targets(relationship.name)
      guard there == wanted else {
        throw Mismatch("\(entity.name).\(relationship.name) of \(id) leads to \(there) instead of \(wanted)")
      }
      if !relationship.isMany, object.target(relationship.name) != wanted.first {
        throw Mismatch("the link \(relationship.name) of \(id) is wrong")
      }
    }
  }

  private func checkStamps(_ id: ObjectID, _ state: ReferenceState, _ reader: Reader) throws {
    guard let known = state.known[id], let entity = reader.model.entity(named: known.entity) else { return }
    guard let bytes = try reader.unsafeRecord(of: ObjectKey(entity: entity, id: id)) else {
      throw Mismatch("\(known.entity) \(id) has no record")
    }
    let record = try RecordView(bytes)
    guard record.stamps.last.number == known.last else {
      throw Mismatch("\(known.entity) \(id) was last touched at \(record.stamps.last) instead of \(known.last)")
    }
    guard let object = state.objects[id] else {
      guard record.isTombstone else { throw Mismatch("\(id) has no tombstone") }
      return
    }
    guard record.stamps.created.number == object.created, record.stamps.changed.number == object.changed else {
      throw Mismatch("the positions of \(known.entity) \(id) are wrong: \(record.stamps)")
    }
  }
}
