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
  /// - Throws: `StoreError` with the code `badValue` if it is not of the attribute's type.
  func checked(_ value: Value, ofAttribute number: Int) throws -> Value {
    do {
      return try value.normalized(as: attributes[number].type)
    } catch {
      throw StoreError(.badValue, "\(name).\(attributes[number].name): \(error)")
    }
  }
}
