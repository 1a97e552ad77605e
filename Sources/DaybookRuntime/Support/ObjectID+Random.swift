import DaybookModel

extension ObjectID {
  /// Returns an identity without a time.
  package static func random() -> ObjectID {
    ObjectID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }
}
