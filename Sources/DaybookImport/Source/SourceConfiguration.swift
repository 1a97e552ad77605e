#if Import

/// A named set of the entities that one store file holds.
package struct SourceConfiguration: Hashable, Sendable {
  package var name: String
  package var entities: [String]

  package init(name: String, entities: [String]) {
    self.name = name
    self.entities = entities
  }
}

#endif
