import DaybookModel

extension ResolvedEntity {
  /// Returns an attribute that is not removed.
  func presentAttribute(tagged tag: Tag) -> ResolvedAttribute? {
    attribute(tagged: tag).map { attributes[$0] }.flatMap { $0.isRetired ? nil : $0 }
  }

  /// Returns values with the names of their attributes, without values of removed attributes.
  func named(_ values: [(attribute: Tag, value: Value)]) -> [(key: String, value: Value)] {
    values.compactMap { tag, value in presentAttribute(tagged: tag).map { ($0.name, value) } }
  }
}
