/// A sorted view of an entity: the timeline, or an index of the model.
package final class ResolvedView: Sendable {
  package let tag: Tag
  package let terms: [ResolvedTerm]

  package init(tag: Tag, terms: [ResolvedTerm]) {
    self.tag = tag
    self.terms = terms
  }
}
