import DaybookModel

/// One verb with its arguments, which can be carried out again over another state.
package enum PendingOperation {
  case insert(entity: String, values: [(key: String, value: Value)], id: ObjectID)
  case rename(ObjectID, to: String)
  case set(ObjectID, values: [(key: String, value: Value)])
  case relate(ObjectID, relationship: String, to: ObjectID, at: Place)
  case unrelate(ObjectID, relationship: String, from: ObjectID)
  case delete(ObjectID)
}
