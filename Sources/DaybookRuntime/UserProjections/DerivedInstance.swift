import DaybookEngine
import DaybookModel
import LMDB

/// The rows of a projection that are read, with their derived entities.
struct DerivedInstance {
  let name: String
  let instance: ProjectionRecord.Instance
  /// Where the rows are, if they are not in the projections' environment.
  var place: (tables: [Table], snapshot: TransactionSnapshot)?

  var model: DerivedModel { instance.derived }
  var checkpoint: Position { instance.checkpoint.position }

  /// Which rows they are.
  var part: ScopeStamp.Part {
    ScopeStamp.Part(projection: name, version: instance.version, fold: instance.fold)
  }

  /// Reads rows that are in files of their own, without stored objects.
  ///
  /// - Parameter stored: The model of the store, with the entities of the projections that are read.
  /// - Throws: `StoreError` with the code `badModel` if it does not allow the entities.
  func reader(by stored: ResolvedModel) throws -> Reader {
    guard let place else { preconditionFailure("Rows of a store are read with its objects.") }
    let model = try stored.serving([self.model])
    let tables = BuiltInTables(Array(place.tables.dropLast()))
    return Catalog(modelPosition: 1, model: model, generations: [], tables: tables)
      .reader(over: place.snapshot)
      .adding([DerivedTables(tags: self.model.tags, tables: tables, in: place.snapshot)], layers: [], by: model)
  }

  /// What the rows follow from.
  var origin: RowsOrigin { RowsOrigin(part: part, identity: instance.identity, entities: model) }
}

extension [DerivedInstance] {
  /// Returns the name of the projection that writes an entity, or `nil` if none does.
  func owner(of entity: String) -> String? {
    first { $0.model.entities.contains { $0.entity.name == entity } }?.name
  }

  /// Returns the rows of projections and of all that they read, by name; `nil` if some do not exist yet.
  func rows(of names: [String]) -> [DerivedInstance]? {
    let names = closure(over: names).sorted()
    let rows = names.compactMap { name in first { $0.name == name && $0.checkpoint > .empty } }
    return rows.count == names.count ? rows : nil
  }

  /// Returns whether rows follow from the present rows of the projections that they read.
  func areCurrent(_ rows: DerivedInstance) -> Bool {
    self.rows(of: rows.model.reads)?.map(\.part) == rows.instance.reads
  }

  /// Returns the names of projections and of all that they read.
  func closure(over names: [String]) -> Set<String> { map(\.model).closure(over: names) }
}
