import DaybookModel

extension ResolvedEntity {
  /// - Throws: `StoreError` for a name that is unknown, built in or derived.
  package func requireStoredAttribute(_ name: String) throws -> Int {
    guard let number = attribute(named: name) else {
      if ["id", "createdAt", "changedAt"].contains(name) {
        throw StoreError(.badValue, "\(self.name).\(name) is built in and cannot be set.")
      }
      let names = attributes.filter { !$0.isRetired && $0.derivation == nil }.map(\.name)
      throw StoreError(
        .notFound, "\(self.name) has no attribute “\(name)”.",
        advice: relationship(named: name) != nil
          ? "It is a relationship: use relate." : "It has \(names.joined(separator: ", ")).")
    }
    guard attributes[number].derivation == nil else {
      throw StoreError(.badValue, "\(self.name).\(name) is derived and cannot be set.")
    }
    return number
  }

  /// Returns a value of an attribute in its stored form.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is not of the attribute's type; the error of
  ///   ``checkSize(of:ofAttribute:)``.
  func checked(_ value: Value, ofAttribute number: Int) throws -> Value {
    let normalized: Value
    do {
      normalized = try value.normalized(as: attributes[number].type)
    } catch {
      throw StoreError(.badValue, "\(name).\(attributes[number].name): \(error)")
    }
    try checkSize(of: normalized, ofAttribute: number)
    return normalized
  }

  /// - Throws: `StoreError` with the code `tooLarge` for a large value of an attribute that a uniqueness constraint names.
  func checkSize(of value: Value, ofAttribute number: Int) throws {
    guard value.isLarge, constraints.contains(where: { $0.fields.contains(.attribute(number)) }) else { return }
    throw StoreError(
      .tooLarge,
      "\(name).\(attributes[number].name) is unique, so its values have at most \(LargeValue.thresholdInBytes) bytes.",
      advice: "Store a smaller value, such as a digest, or take the attribute out of the constraint.")
  }
}
