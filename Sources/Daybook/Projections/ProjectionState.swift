import DaybookModel
import LMDB

/// What the projections' environment says of itself: one row, written together with every change of the tables.
struct ProjectionState: Hashable {
  /// The last commit that the tables have taken in, and its hash: a checkpoint of another journal is no checkpoint.
  var checkpoint: Position
  var checkpointHash: Digest
  /// The commit of the model by which the tables are kept.
  var modelPosition: Position
  /// By the number of the table: the generation that its name ends in.
  ///
  /// LMDB cannot rename a table, so a rebuilt one gets a new name, and another process's handle of the old one would
  /// silently read nothing. Every transaction therefore compares these with what the process has cached.
  var generations: [UInt64]
  /// The format that was known to whoever left something out that it did not know; 0 if nothing was. Code that knows
  /// more builds the tables again.
  var leftOutBy: UInt64 = 0

  /// The version of the tables' rows. Tables of another version are built again.
  static let version: UInt64 = 2

  static let tableName = "projections"
  static let key = Array("built-in".utf8)

  init(
    checkpoint: Position, checkpointHash: Digest, modelPosition: Position, generations: [UInt64], leftOutBy: UInt64 = 0
  ) {
    self.leftOutBy = leftOutBy
    self.checkpoint = checkpoint
    self.checkpointHash = checkpointHash
    self.modelPosition = modelPosition
    self.generations = generations
  }

  /// Reads the row; nil if it is of another version or damaged, in both of which cases the projections are built again.
  ///
  /// - Parameter format: The format that is known to whoever reads.
  init?(_ bytes: RawSpan, knowing format: UInt64 = JournalMeta.formatVersion) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.varint() == ProjectionState.version, try reader.varint() == Collation.version else { return nil }
      checkpoint = Position(try reader.fixed(UInt64.self))
      checkpointHash = try Digest(reading: &reader)
      modelPosition = Position(try reader.fixed(UInt64.self))
      generations = []
      for _ in TableName.allCases { generations.append(try reader.varint()) }
      if !reader.isAtEnd { leftOutBy = try reader.varint() }
      guard leftOutBy == 0 || leftOutBy >= format else { return nil }
    } catch {
      return nil
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(ProjectionState.version)
    bytes.appendVarint(Collation.version)
    bytes.appendFixed(checkpoint.number)
    bytes.append(checkpointHash)
    bytes.appendFixed(modelPosition.number)
    for generation in generations { bytes.appendVarint(generation) }
    if leftOutBy > 0 { bytes.appendVarint(leftOutBy) }
    return bytes
  }

  /// The name of a table in its present generation.
  func tableName(_ table: TableName) -> String { "\(table.name).\(generations[table.rawValue])" }

  var tableNames: [String] { TableName.allCases.map(tableName) }
}

/// What a process keeps between transactions about a store's model and tables.
final class Catalog: Sendable {
  let modelPosition: Position
  let model: ResolvedModel
  let uses: ModelUses
  let generations: [UInt64]
  let tables: ProjectionTables

  init(modelPosition: Position, model: ResolvedModel, generations: [UInt64], tables: ProjectionTables) {
    self.modelPosition = modelPosition
    self.model = model
    self.generations = generations
    self.tables = tables
    uses = ModelUses(model)
  }

  func matches(_ state: ProjectionState) -> Bool {
    state.modelPosition == modelPosition && state.generations == generations
  }
}
