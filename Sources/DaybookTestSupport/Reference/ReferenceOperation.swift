import Daybook
import DaybookModel

/// An operation that a random test performs on a store and on the reference.
package enum ReferenceOperation: Sendable {
  case insert(entity: String, values: [String: Value], id: ObjectID)
  case rename(ObjectID, String)
  case set(ObjectID, [String: Value])
  case relate(ObjectID, String, ObjectID, Place)
  case unrelate(ObjectID, String, ObjectID)
  case delete(ObjectID)
  case record(String, ObjectID, [String: Value])
}

/// An expected event of the journal.
package struct ReferenceEvent: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable { case inserted, renamed, set, related, unrelated, deleted, recorded }

  package var kind: Kind
  package var entity: String
  package var object: ObjectID
  package var previous: UInt64?
  /// For recorded: the name of the event.
  package var name: String?
  /// For inserted, deleted and recorded.
  package var values: [String: Value] = [:]
  /// For renamed and set: the old and the new value.
  package var changes: [String: [Value]] = [:]
  package var relationship: String?
  package var from: ObjectID?
  package var fromPrevious: UInt64?
  package var to: ObjectID?
  package var toPrevious: UInt64?
  /// The former stamps of the subject.
  package var formerChanged: UInt64?
  package var formerChangedAt: Timestamp?
  /// For deleted.
  package var formerCreated: UInt64?
  package var formerCreatedAt: Timestamp?

  package init(_ kind: Kind, _ entity: String, _ object: ObjectID, previous: UInt64?) {
    self.kind = kind
    self.entity = entity
    self.object = object
    self.previous = previous
  }

  package var description: String {
    var text = "\(kind) \(entity) \(object.shortForm)"
    if let name { text += " \(name)" }
    if !values.isEmpty { text += " values \(values.sorted { $0.key < $1.key })" }
    if !changes.isEmpty { text += " changes \(changes.sorted { $0.key < $1.key })" }
    if let relationship { text += " \(relationship)" }
    if let from { text += " from \(from.shortForm) (\(fromPrevious.map { "\($0)" } ?? "-"))" }
    if let to { text += " to \(to.shortForm) (\(toPrevious.map { "\($0)" } ?? "-"))" }
    text += " previous \(previous.map { "\($0)" } ?? "-")"
    if let formerChanged { text += " changed \(formerChanged)" }
    if let formerChangedAt { text += " at \(formerChangedAt.microseconds)" }
    if let formerCreated { text += " created \(formerCreated)" }
    if let formerCreatedAt { text += " at \(formerCreatedAt.microseconds)" }
    return text
  }
}
