import DaybookModel
import LMDB

/// The row about the built-in projections in the projections' environment.
///
/// It is written together with every change of the tables.
package struct BuiltInTablesState: Hashable {
  package var checkpoint: Checkpoint
  /// The commit of the model of the tables.
  package var modelPosition: Position
  /// The generations at the end of the tables' names, by the number of the table.
  ///
  /// LMDB cannot rename a table, so a rebuilt table gets a new name, and another process's handle of the old one would
  /// silently read nothing. Every transaction therefore compares these numbers with the numbers that the process has
  /// cached.
  package var generations: [UInt64]
  /// The versions of the locales' orders in the indexes (``LocaleCollation/versions(of:)``).
  package var collations: String
  /// The format known to the code that wrote the rows of a model with declared groups, or 0.
  ///
  /// Earlier code leaves it out, and so marks rows of groups that it did not keep up to date.
  private var groupsFormat: UInt64

  /// The version of the tables' rows. Tables of another version are built again.
  package static let version: UInt64 = 5

  package static let tableName = "projections"
  package static let key = Array("built-in".utf8)

  package init(checkpoint: Checkpoint, modelPosition: Position, model: ResolvedModel, generations: [UInt64]) {
    self.checkpoint = checkpoint
    self.modelPosition = modelPosition
    self.generations = generations
    collations = LocaleCollation.versions(of: model.locales)
    groupsFormat = BuiltInTablesState.groupsFormat(of: model)
  }

  /// Notes the model of the tables.
  package mutating func move(to model: ResolvedModel, at position: Position) {
    modelPosition = position
    collations = LocaleCollation.versions(of: model.locales)
    groupsFormat = BuiltInTablesState.groupsFormat(of: model)
  }

  private static func groupsFormat(of model: ResolvedModel) -> UInt64 {
    model.declaresGroups ? JournalMeta.formatVersion : 0
  }

  /// Returns whether the tables lack rows of a model's groups, because code that does not know these wrote them.
  package func lacksGroups(of model: ResolvedModel) -> Bool { model.declaresGroups && groupsFormat == 0 }

  /// Reads the row, or returns `nil` if it is damaged or of another version.
  ///
  /// In both cases the projections are built again. The same applies to a row that lacks events of a known format.
  ///
  /// - Parameter format: The format known to the reading code.
  package init?(_ bytes: RawSpan, knowing format: UInt64 = JournalMeta.formatVersion) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.varint() == BuiltInTablesState.version, try reader.varint() == Collation.version else {
        return nil
      }
      checkpoint = try Checkpoint(reading: &reader)
      modelPosition = Position(try reader.fixed(UInt64.self))
      generations = []
      for _ in TableName.allCases { generations.append(try reader.varint()) }
      if !reader.isAtEnd { checkpoint.omittingFormat = try reader.varint() }
      collations = reader.isAtEnd ? "" : try reader.text()
      groupsFormat = reader.isAtEnd ? 0 : try reader.varint()
      guard LocaleCollation.isPresent(collations) else { return nil }
      if checkpoint.lacksEvents(knownTo: format) { return nil }
    } catch {
      return nil
    }
  }

  /// Reads the row in the projections' environment, or returns `nil` if it is missing, or cannot be used.
  ///
  /// - Throws: `LMDBError` of a kind that ``LMDBError/isDamage`` covers if the row differs from what was written.
  package init?(in snapshot: TransactionSnapshot, _ table: Table) throws {
    guard let row = try snapshot.value(for: BuiltInTablesState.key, in: table) else { return nil }
    self.init(row)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(BuiltInTablesState.version)
    bytes.appendVarint(Collation.version)
    checkpoint.append(to: &bytes)
    bytes.appendFixed(modelPosition.number)
    for generation in generations { bytes.appendVarint(generation) }
    let hasGroups = groupsFormat > 0
    if checkpoint.omittingFormat > 0 || !collations.isEmpty || hasGroups {
      bytes.appendVarint(checkpoint.omittingFormat)
    }
    if !collations.isEmpty || hasGroups { bytes.appendText(collations) }
    if hasGroups { bytes.appendVarint(groupsFormat) }
    return bytes
  }

  /// Returns the name of a table in its present generation.
  package func tableName(_ table: TableName) -> String { "\(table.name).\(generations[table.rawValue])" }

  package var tableNames: [String] { TableName.allCases.map(tableName) }
}
