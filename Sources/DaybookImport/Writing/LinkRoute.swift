#if Import

import DaybookModel

/// The way of the links of one relationship, with its inverse, from a source to the store.
///
/// Of the two sides the ordered one is written, or else the to-one side, or else the one declared first; where the source
/// lacks that side, the other one.
struct LinkRoute {
  let source: any ObjectSource
  /// The relationship of the source's own model that is read.
  let field: SourceField
  /// The relationship of the imported model that is written.
  let target: SourceField
  /// The entity of the store whose relationship is written.
  let entity: String
  /// The entity of the store to which it leads.
  let targetEntity: String
  /// The relationship that is written, by its name in the store.
  let name: String
  let isToMany: Bool
  let isOrdered: Bool
  /// The way back in the store, or `nil` for a one-way relationship.
  let inverse: Inverse?

  /// Whether the relationship is its own inverse: the source has each link twice, from both objects.
  var isMirrored: Bool { inverse?.target == target }

  /// Returns whether a link counts: of a relationship that is its own inverse, only from the first of its objects.
  func counts(_ link: SourceLink) -> Bool { !isMirrored || !(link.target < link.source) }

  /// The relationship that leads back.
  struct Inverse {
    /// The relationship of the imported model.
    let target: SourceField
    /// The name in the store.
    let name: String
    let isToMany: Bool
  }
}

#endif
