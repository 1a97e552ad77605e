#if Import

import DaybookModel

/// A source's model as a model of Daybook, with the map between both and the report of what differs.
///
///     let translation = try Translation(of: source.lookup, options, origin: "Recipes.xcdatamodeld")
///     translation.model                  // for a new store
///     translation.entity("Recipe")?.name // the name in the store
///     print(translation.report.text)
///
/// It is a pure value: nothing is read or written.
package struct Translation: Sendable {
  package let lookup: SourceLookup
  package private(set) var entities: [TranslatedEntity] = []
  /// What became of each declaration; it has no numbers of rows yet.
  package private(set) var report = ImportReport()
  private var places: [String: Int] = [:]

  /// Translates a model.
  ///
  /// - Parameter origin: The file of the model, for messages.
  /// - Throws: ``ImportError`` for a model that Daybook cannot have, and for a wrong option.
  package init(
    of lookup: SourceLookup, _ options: TranslationOptions = TranslationOptions(), origin: String
  ) throws(ImportError) {
    self.lookup = lookup
    guard !lookup.model.entities.isEmpty else {
      throw ImportError(.usage, "\(origin) declares no entities, so there is nothing to import; give another model")
    }
    let names = try TranslatedNames(lookup, options, origin: origin)
    var translators: [String: EntityTranslator] = [:]
    for source in lookup.ancestorsFirst(lookup.model.entities) {
      guard let name = names.name(ofEntity: source.name) else { continue }
      let ancestors = lookup.chain(of: source.name).dropFirst().reversed().compactMap { translators[$0]?.entity }
      var translator = EntityTranslator(lookup, names, options, source, name, ancestors: ancestors)
      translator.translate()
      translators[source.name] = translator
    }
    for source in lookup.model.entities {
      guard let translator = translators[source.name] else {
        report.dropped.append(DroppedPart(source.name, "--only names other entities"))
        report.entities.append(EntityReport(name: source.name, newName: source.name))
        continue
      }
      places[source.name] = entities.count
      entities.append(translator.entity)
      report.entities.append(translator.report)
      report.dropped += translator.dropped
      report.changed += translator.changed
    }
    reportRest()
    try check(origin)
  }

  /// The model of a store.
  package var model: Model { Model(entities: entities.map(\.declaration)) }

  /// Returns the translation of an entity, by its name in the source; `nil` if it is not imported.
  package func entity(_ source: String) -> TranslatedEntity? { places[source].map { entities[$0] } }

  /// Returns the translated attributes of an entity's objects with the declaring entities, inherited ones first.
  package func attributes(of source: String) -> [TranslatedAttribute] {
    lookup.chain(of: source).reversed().compactMap(entity).flatMap(\.attributes)
  }

  /// Reports the declarations that belong to no entity.
  private mutating func reportRest() {
    for request in lookup.model.fetchRequests {
      let condition = request.predicate.map { " (\($0))" } ?? ""
      report.dropped.append(
        DroppedPart("fetch request \(request.name)", "stored requests of \(request.entity ?? "?")\(condition)"))
    }
    for configuration in lookup.model.configurations {
      report.dropped.append(
        DroppedPart(
          "configuration \(configuration.name)",
          "one store has all entities: \(configuration.entities.joined(separator: ", "))"))
    }
    let notes = lookup.model.entities.reduce(into: SourceAnnotations()) { $0 += $1.annotations }
    let counts = [
      (notes.userInfoEntryCount, "entries of userInfo"),
      (notes.spotlightAttributeCount, "attributes indexed by Spotlight"),
      (notes.preservedAttributeCount, "attributes preserved after deletion"),
      (notes.encryptedAttributeCount, "attributes encrypted by CloudKit"),
    ]
    for (count, what) in counts where count > 0 {
      report.dropped.append(DroppedPart("\(count) \(what)", "Daybook has no counterpart"))
    }
  }

  /// Checks that Daybook accepts the result, which is so unless a name or number exceeds a limit.
  private func check(_ origin: String) throws(ImportError) {
    do throws(ModelError) {
      _ = try ResolvedModel(creating: model)
    } catch {
      throw ImportError(.data, "\(origin) cannot be a model of Daybook: \(error)")
    }
  }
}

#endif
