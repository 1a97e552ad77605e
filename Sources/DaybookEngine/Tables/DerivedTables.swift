import DaybookModel
import LMDB

/// The tables of one projection's derived entities, below a reader of the state that they belong to.
///
/// The rows have the form of the built-in tables' rows. Their keys begin with tags of the projection's range, by which
/// a reader finds the table of a row.
package struct DerivedTables {
  /// The tags of the projection's entities.
  package let tags: Range<UInt16>
  package let tables: BuiltInTables
  /// Reads the tables, which need not be in the environment of the built-in ones.
  package let snapshot: TransactionSnapshot
  /// How many of a reader's layers, from the lowest one, have no rows of these entities.
  private(set) var skippedLayerCount = 0

  package init(tags: Range<UInt16>, tables: BuiltInTables, in snapshot: TransactionSnapshot) {
    self.tags = tags
    self.tables = tables
    self.snapshot = snapshot
  }

  /// Returns the same tables for a reader whose lowest layers have no rows of these entities.
  ///
  /// A look-up of a row then does without a search in each of them.
  package func above(_ layerCount: Int) -> DerivedTables {
    var tables = self
    tables.skippedLayerCount = layerCount
    return tables
  }
}

/// The tables of a reader that hold the rows of a range of tags, each below the reader's layers.
///
/// It is a class, because a reader finds it for each row.
final class TableStack {
  let tags: Range<UInt16>
  let snapshot: TransactionSnapshot
  let tables: BuiltInTables
  let objects: LayeredTable
  let links: LayeredTable
  let indexes: LayeredTable
  let unique: LayeredTable
  let counts: LayeredTable

  init(tags: Range<UInt16>, _ tables: BuiltInTables, in snapshot: TransactionSnapshot, layers: [Layer]) {
    self.tags = tags
    self.snapshot = snapshot
    self.tables = tables
    objects = LayeredTable(snapshot: snapshot, base: tables.objects, layers: layers.map(\.objects))
    links = LayeredTable(snapshot: snapshot, base: tables.links, layers: layers.map(\.links))
    indexes = LayeredTable(snapshot: snapshot, base: tables.indexes, layers: layers.map(\.indexes))
    unique = LayeredTable(snapshot: snapshot, base: tables.unique, layers: layers.map(\.unique))
    counts = LayeredTable(snapshot: snapshot, base: tables.counts, layers: [])
  }

  subscript(table: TableName) -> LayeredTable {
    switch table {
    case .objects: objects
    case .links: links
    case .indexes: indexes
    case .unique: unique
    case .counts: counts
    }
  }
}
