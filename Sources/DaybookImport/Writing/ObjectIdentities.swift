#if Import

import DaybookModel

/// The identities of a source's objects.
///
/// An identity follows from the name of the row alone, so no table of keys is kept: a second import finds the objects of
/// the first one. Only the objects of entities with an identifying attribute have entries in memory, because their links
/// have the keys of rows.
struct ObjectIdentities {
  /// The identity of the source, or of the store for a source without one.
  let namespace: ObjectID
  private var chosen: [SourceKey: ObjectID] = [:]
  /// The entities with an identifying attribute, by their names in the source.
  private(set) var chosenEntities: Set<String> = []

  init(namespace: ObjectID) {
    self.namespace = namespace
  }

  func id(of key: SourceKey, in source: any ObjectSource) -> ObjectID {
    chosen.isEmpty
      ? ObjectID(name: source.objectName(key), in: namespace)
      : chosen[key] ?? ObjectID(name: source.objectName(key), in: namespace)
  }

  /// Reads the identifying attribute of an entity and its descendants.
  ///
  /// A UUID is the identity itself; another value names it in the namespace of the entity's name.
  ///
  /// - Throws: ``ImportError`` for an attribute that the entity lacks, and for a value that is missing or repeated.
  mutating func read(_ attribute: String, of entity: String, in source: any ObjectSource) throws {
    guard let place = source.attributes(of: entity).firstIndex(where: { $0.field.name == attribute }) else {
      throw ImportError(.usage, "\(source.name) has no attribute \(entity).\(attribute), which --identity names")
    }
    let family = source.lookup.family(of: entity)
    chosenEntities.formUnion(family)
    let names = ObjectID(name: entity, in: .zero)
    var (seen, found): (Set<ObjectID>, [SourceKey: ObjectID]) = ([], [:])
    // Inherited attributes come first, so each descendant has it at the same place.
    for member in family {
      try source.forEachObject(of: member) { object in
        guard case .value(let value) = object.values[place], !value.isNull else {
          throw ImportError(
            .data,
            "\(source.objectName(object.key)) has no \(attribute), which --identity names; give it one, or omit --identity"
          )
        }
        var id = ObjectID(name: value.text, in: names)
        if case .uuid(let own) = value { id = own }
        guard seen.insert(id).inserted else {
          throw ImportError(
            .data,
            "two objects of \(entity) have the \(attribute) \(value.text), the second is \(source.objectName(object.key)); "
              + "name a unique attribute with --identity")
        }
        found[object.key] = id
      }
    }
    chosen.merge(found) { _, new in new }
  }
}

#endif
