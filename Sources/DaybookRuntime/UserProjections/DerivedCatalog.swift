import DaybookEngine
import DaybookModel
import LMDB

/// Tables that this process has not opened yet: a snapshot cannot use tables that are opened after it began.
struct UnopenedTables: Error, Equatable {
  /// The projection whose derived entities are in them; `nil` for the built-in tables.
  let projection: String?
  let names: [String]

  /// The built-in tables, which a reader opens that is not on the thread of a write.
  static let builtIn = UnopenedTables(projection: nil, names: [])
}

/// What reads the derived entities of some projections: the model of the store with them, and their tables.
final class DerivedCatalog: Sendable {
  /// The rows of one projection.
  struct Part: Sendable {
    let origin: RowsOrigin
    /// Which tables the rows are in.
    let generation: UInt64
    let tables: BuiltInTables
    let changes: Table

    /// - Parameter tables: The tables, in the order of ``ProjectionRecord/derivedTableNames(of:_:)``.
    init(_ rows: DerivedInstance, tables: [Table]) {
      (origin, generation) = (rows.origin, rows.instance.generation)
      self.tables = BuiltInTables(Array(tables.dropLast()))
      changes = tables[tables.count - 1]
    }

    /// Which rows they are.
    var rows: ScopeStamp.Part { origin.part }
    var entities: DerivedModel { origin.entities }
  }

  let parts: [Part]
  /// Which rows it reads.
  let stamp: ScopeStamp
  /// The model of the store, without the entities, and its position.
  let stored: ResolvedModel
  let storedPosition: Position
  let model: ResolvedModel
  let dependents: Dependents
  /// The digests of what the rows of a part follow from, by the name of the projection.
  private let digests = Locked<[String: Digest]>([:])

  /// - Throws: `StoreError` with the code `badModel` if the model of the store does not allow the entities.
  init(_ parts: [Part], in stored: ResolvedModel, at position: Position) throws(StoreError) {
    self.parts = parts
    self.stored = stored
    storedPosition = position
    stamp = ScopeStamp(parts: parts.map(\.rows))
    model = try stored.serving(parts.map(\.entities))
    dependents = Dependents(model)
  }

  /// Whether it reads some rows by a model of the store.
  func matches(_ rows: [DerivedInstance], in model: ResolvedModel) -> Bool {
    stored === model
      && parts.elementsEqual(rows) {
        $0.origin == $1.origin && $0.generation == $1.instance.generation
      }
  }

  /// Returns a digest of what the rows of a part follow from.
  func digest(of part: Part) -> Digest {
    let name = part.rows.projection
    return digests.withLock { digests in
      if let known = digests[name] { return known }
      let made = parts.map(\.origin).digest(of: name)
      digests[name] = made
      return made
    }
  }
}
