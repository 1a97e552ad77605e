import DaybookModel

extension ResolvedModel {
  /// Returns the number of the entity of an object: the one that its record names, or the root of its hierarchy.
  ///
  /// - Parameter entity: An entity of the hierarchy.
  /// - Throws: `MalformedBytes` if the record names an entity of no hierarchy, or of another one.
  package func entity(of record: RecordView, in entity: Int) throws(MalformedBytes) -> Int {
    let root = entities[entity].root
    guard let tag = record.entity else { return root }
    guard let number = self.entity(tagged: tag), entities[number].root == root else {
      throw MalformedBytes(offset: 1, expected: "the tag of an entity of the hierarchy of \(entities[entity].name)")
    }
    return number
  }

  /// Returns whether a record is of an object of an entity or of a descendant of it.
  ///
  /// - Parameter entity: An entity of the hierarchy of the record's object.
  func isKind(_ record: RecordView, of entity: Int) throws(MalformedBytes) -> Bool {
    let wanted = entities[entity]
    if wanted.lineage.count == 1 { return true }
    return entities[try self.entity(of: record, in: entity)].isKind(of: wanted)
  }

  /// The tag that the records of an entity's objects have; `nil` for the root of a hierarchy.
  func recordTag(of entity: Int) -> Tag? { entities[entity].lineage.count > 1 ? entities[entity].tag : nil }
}
