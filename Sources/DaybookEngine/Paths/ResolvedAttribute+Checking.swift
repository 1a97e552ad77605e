import DaybookModel

extension ResolvedAttribute {
  /// Returns a value in its stored form.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is not of the attribute's type.
  package func checked(_ value: Value, of entity: ResolvedEntity) throws -> Value {
    do {
      return try value.normalized(as: type)
    } catch {
      throw StoreError(.badValue, "\(entity.name).\(name): \(error)")
    }
  }
}
