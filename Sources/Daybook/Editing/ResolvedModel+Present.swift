import DaybookModel

/// Parts that are not removed.
extension ResolvedModel {
  func presentEntity(tagged tag: Tag) -> ResolvedEntity? {
    entity(tagged: tag).map { entities[$0] }.flatMap { $0.isRetired ? nil : $0 }
  }

  func presentRelationship(tagged tag: Tag) -> ResolvedRelationship? {
    relationship(tagged: tag).map { self[$0] }.flatMap { $0.isRetired ? nil : $0 }
  }

  func presentEvent(tagged tag: Tag) -> ResolvedEventType? {
    event(tagged: tag).map { events[$0] }.flatMap { $0.isRetired ? nil : $0 }
  }
}
