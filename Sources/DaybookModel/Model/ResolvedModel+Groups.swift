extension ResolvedModel {
  /// The name of the entity of groups; no entity of a model has it.
  package static let groupEntity = "(group)"

  /// What the name of an attribute begins with that no text can name: a key of which a value has the name, or an order.
  package static let hiddenPrefix = "\0"

  /// What the name of an attribute for order begins with, before the name of its key.
  package static let hiddenOrderPrefix = hiddenPrefix + "order of "

  /// Makes the model of groups: of one entity, whose objects have the keys and the values of groups.
  ///
  /// The tags of its attributes are beyond the tags of stored and derived entities. So is the tag of the entity, unless the
  /// groups are kept in the tables: then rows of groups are read there, else in a layer over any tables.
  ///
  /// - Parameters:
  ///   - attributes: The attributes, with any names.
  ///   - keyCount: The number of the first of them, which are the key.
  ///   - kept: The declared groups whose rows are read in the tables.
  ///   - order: The names of the attributes by which the rows are in the index of kept groups.
  package convenience init(
    ofGroupsWith attributes: [(declaration: Attribute, tag: Tag)], keyCount: Int, kept: ResolvedGroups? = nil,
    orderedBy order: [String] = []
  ) {
    let own = GroupRowTags.first - 1
    var entity = EncodedEntity(
      tag: kept?.tag ?? Tag(own), timelineTag: Tag(own - 1), name: ResolvedModel.groupEntity, nameAttribute: nil,
      attributes: attributes.map { EncodedAttribute($0.declaration, tag: $0.tag) })
    entity.key = attributes.prefix(keyCount).map(\.declaration.name)
    if let kept {
      entity.indexes = [EncodedIndex(declaration: Index(order.map { SortTerm(path: [$0]) }), tag: kept.keysTag)]
    }
    do {
      try self.init(resolving: EncodedModel(entities: [entity], nextTag: 1))
    } catch {
      preconditionFailure("A model without retired parts is resolved: \(error)")
    }
  }

  /// Whether it is the model of groups.
  package var isOfGroups: Bool { entities.count == 1 && entities[0].name == ResolvedModel.groupEntity }
}

/// The tags of the fields in a group's row.
package struct GroupRowTags: Hashable, Sendable {
  let keyCount: Int
  let valueCount: Int

  package init(keyCount: Int, valueCount: Int) {
    precondition(2 * keyCount + valueCount < GroupRowTags.maximumCount - 1, "A group has too many fields.")
    (self.keyCount, self.valueCount) = (keyCount, valueCount)
  }

  /// The first tag; the others follow.
  static let first = UInt16.max - UInt16(maximumCount)
  private static let maximumCount = 256

  /// The field that shows a key.
  package func key(_ number: Int) -> Tag { Tag(GroupRowTags.first + UInt16(number)) }
  package func value(_ number: Int) -> Tag { key(keyCount + number) }
  /// The field by which groups are sorted, if a key is shown as another value.
  package func order(_ number: Int) -> Tag { key(keyCount + valueCount + number) }
  /// The field from which kept groups are moved.
  package static let state = Tag(first + UInt16(maximumCount) - 1)
}
