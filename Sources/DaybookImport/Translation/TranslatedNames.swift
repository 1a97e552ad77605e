#if Import

import DaybookModel

/// The names that the entities and fields of a source have in the store.
///
/// A name that Daybook reserves gets a trailing underscore, and a second one if that is taken: see ``FieldNames``. All
/// names are known before any declaration is translated, because relationships, constraints and derivations refer to
/// each other.
struct TranslatedNames {
  private var entities: [String: String] = [:]
  private var fields: [SourceField: String] = [:]

  /// - Throws: ``ImportError`` for a rename of a part that the source lacks, and for one to a name that is taken or reserved.
  init(_ lookup: SourceLookup, _ options: TranslationOptions, origin: String) throws(ImportError) {
    try TranslatedNames.checkRenames(lookup, options, origin)
    // An entity is not complete without the entities from which it inherits.
    let wanted = Set(options.only.flatMap(lookup.chain))
    let included = lookup.model.entities.filter { options.only.isEmpty || wanted.contains($0.name) }
    entities = try TranslatedNames.names(
      of: included.map(\.name), FieldNames.init(entitiesOf:), origin
    ) { options.renames[$0] }
    for entity in lookup.ancestorsFirst(included) {
      let names = TranslatedNames.names(of: entity).filter { !lookup.isRepeated(SourceField(entity.name, $0)) }
      let inherited = inheritedNames(of: entity, lookup)
      let make = { FieldNames(fieldsOf: $0, inherited: inherited) }
      let chosen = try TranslatedNames.names(of: names, make, origin) { name in
        options.renames["\(entity.name).\(name)"]
      }
      for (name, newName) in chosen { fields[SourceField(entity.name, name)] = newName }
    }
  }

  /// Returns the name of an entity, or `nil` if it is not imported.
  func name(ofEntity entity: String) -> String? { entities[entity] }

  /// Returns the name of a field, or `nil` if its entity is not imported.
  func name(of field: SourceField) -> String? { fields[field] }

  /// Returns the names that the fields of an entity's ancestors have in the store.
  private func inheritedNames(of entity: SourceEntity, _ lookup: SourceLookup) -> Set<String> {
    let ancestors = lookup.chain(of: entity.name).dropFirst().compactMap(lookup.entity)
    return Set(
      ancestors.flatMap { ancestor in
        TranslatedNames.names(of: ancestor).compactMap { fields[SourceField(ancestor.name, $0)] }
      })
  }

  /// Returns the names of an entity's fields, with the leaves of composite attributes in place of these.
  private static func names(of entity: SourceEntity) -> [String] {
    entity.attributes.flatMap { CompositeLeaves.leaves(of: $0).map(\.name) } + entity.relationships.map(\.name)
  }

  private static func names(
    of names: [String], _ make: ([String]) -> FieldNames, _ origin: String, _ rename: (String) -> String?
  ) throws(ImportError) -> [String: String] {
    var generator = make(names.filter { rename($0) == nil })
    var chosen: [String: String] = [:]
    for name in names {
      guard let wanted = rename(name) else { continue }
      let isOther = wanted != name && names.contains(wanted) && rename(wanted) == nil
      guard !isOther, generator.name(for: wanted) == wanted else {
        throw ImportError(
          .usage, "\(origin): --rename gives “\(name)” the name “\(wanted)”, which is reserved or taken; choose another"
        )
      }
      chosen[name] = wanted
    }
    for name in names where chosen[name] == nil { chosen[name] = generator.name(for: name) }
    return chosen
  }

  /// Returns whether a source has an entity, or a field by `Entity.field`.
  static func isKnown(_ place: String, _ lookup: SourceLookup) -> Bool {
    let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return lookup.entity(place) != nil }
    return lookup.entity(parts[0]).map { names(of: $0).contains(parts[1]) } ?? false
  }

  private static func checkRenames(
    _ lookup: SourceLookup, _ options: TranslationOptions, _ origin: String
  ) throws(ImportError) {
    for name in options.only.sorted() where lookup.entity(name) == nil {
      throw ImportError(.usage, "\(origin) has no entity “\(name)”, which --only names; check the name")
    }
    for place in options.renames.keys.sorted() {
      guard isKnown(place, lookup) else {
        throw ImportError(.usage, "\(origin) has no “\(place)”, which --rename names; write ENTITY.FIELD=NAME")
      }
    }
  }
}

#endif
