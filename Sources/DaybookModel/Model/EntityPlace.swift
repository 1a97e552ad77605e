/// The place of an entity in its hierarchy, by the numbers of entities.
package struct EntityPlace: Sendable {
  /// The entities from the root to this one.
  package let lineage: [Int]
  /// The names of the entities from the root to this one.
  package let names: [String]
  /// The entities below this one, rising; retired ones too.
  package let descendants: [Int]

  init(lineage: [Int], names: [String], descendants: [Int]) {
    (self.lineage, self.names, self.descendants) = (lineage, names, descendants)
  }
}
