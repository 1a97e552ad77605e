import DaybookModel

extension ResolvedEntity {
  /// Returns an attribute that is not removed.
  func presentAttribute(tagged tag: Tag) -> ResolvedAttribute? {
    attribute(tagged: tag).map { attributes[$0] }.flatMap { $0.isRetired ? nil : $0 }
  }
}
