extension ResolvedEntity {
  /// The numbers of the attributes that the entity itself declares, by name.
  var livingAttributes: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: ownAttributes.filter { !attributes[$0].isRetired }.map { (attributes[$0].name, $0) })
  }

  /// The numbers of the relationships that the entity itself declares, by name.
  var livingRelationships: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: ownRelationships.filter { relationships[$0].isDeclared }
        .map { (relationships[$0].name, $0) })
  }
}
