#if Import

/// A stored fetch request, or the request of a fetched property: only a report mentions it.
package struct SourceFetchRequest: Hashable, Sendable {
  package var name: String
  /// The entity of the results; `nil` where a compiled model lacks it.
  package var entity: String?
  /// The condition of the request; `nil` without one, and in a compiled model, where it is not text.
  package var predicate: String?

  package init(name: String, entity: String?, predicate: String? = nil) {
    self.name = name
    self.entity = entity
    self.predicate = predicate
  }
}

#endif
