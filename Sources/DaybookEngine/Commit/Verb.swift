import DaybookModel

/// A verb of a write with its arguments, as data.
///
/// ``CommitBuilder/carryOut(_:)`` is its only executor. An editing context records the verbs of its steps and carries
/// them out again over another state; undoing an event is one verb; the command turns its input into verbs.
package enum Verb {
  /// Inserts an object; without an identity the object gets a new one. A recorded verb has the identity.
  case insert(entity: String, values: [(key: String, value: Value)], id: ObjectID?)
  case rename(ObjectID, to: String)
  case set(ObjectID, values: [(key: String, value: Value)])
  case relate(ObjectID, relationship: String, to: ObjectID, at: Place)
  case unrelate(ObjectID, relationship: String, from: ObjectID)
  /// Deletes objects together: delete rules ignore the links between them.
  case delete([ObjectID])
}
