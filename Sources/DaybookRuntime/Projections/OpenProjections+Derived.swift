import DaybookEngine
import DaybookModel
import LMDB

extension OpenProjections {
  /// Returns what reads the derived entities of a projection.
  ///
  /// - Throws: `UnopenedTables` if the process has not opened the tables of these rows.
  func derivedCatalog(
    of name: String, _ instance: ProjectionRecord.Instance, _ derived: DerivedModel, in model: ResolvedModel
  ) throws -> DerivedCatalog {
    let (known, tables) = derivedCatalogs.withLock { ($0.catalogs[name], $0.tables) }
    if let known, known.matches(instance, in: model) { return known }
    let names = ProjectionRecord.derivedTableNames(of: name, instance)
    let opened = names.compactMap { tables[$0] }
    guard opened.count == names.count else { throw UnopenedTables(projection: name, names: names) }
    do {
      let made = try DerivedCatalog(name, instance, derived, in: model, tables: opened)
      derivedCatalogs.withLock { $0.catalogs[name] = made }
      return made
    } catch let error as ModelError {
      throw StoreError(.badModel, "The projection \(name) does not fit the store: \(error)")
    }
  }

  /// Opens tables of derived entities, outside of transactions.
  func open(_ missing: UnopenedTables) throws {
    let tables = try environment.openTables(missing.names)
    derivedCatalogs.withLock { known in
      for case let table? in tables { known.tables[table.name] = table }
    }
  }
}

extension OpenProjections {
  /// Returns a description of derived entities with tags that no rows in the environment have.
  ///
  /// - Throws: `StoreError` with the code `badModel` if there is no room for them.
  func assigningTags(to model: DerivedModel, in snapshot: TransactionSnapshot) throws -> DerivedModel {
    var model = model
    let taken = try recordNames(in: snapshot).flatMap { name in
      let record = try record(of: name, in: snapshot)
      return [record.live, record.next].compactMap { $0?.derived?.tags }
    }.sorted { $0.lowerBound < $1.lowerBound }
    for tags in taken where tags.overlaps(model.tags) { model.firstTag = tags.upperBound }
    guard Int(model.firstTag) + model.tagCount < Int(UInt16.max) else {
      throw StoreError(
        .badModel, "The projection \(model.projection) has too many entities and attributes for this store.",
        advice: "Declare fewer of them, or use fewer projections.")
    }
    return model
  }
}
