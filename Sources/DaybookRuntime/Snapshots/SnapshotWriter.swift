import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// Writes the state of a reader into a snapshot, or the rows of a projection beside one.
///
/// A reader of the past sees the rows of its position; rows and fields that belong only to a later or an earlier model
/// are omitted.
struct SnapshotWriter {
  let past: State
  let storeID: ObjectID
  /// The checkpoint of the position, the commit of its model, and the number of events.
  let checkpoint: Checkpoint
  let modelPosition: Position
  let eventCount: Int
  /// Whether the store had one model only, so that every row and field belongs to the position.
  let hasOneModel: Bool
  let mapSizeInBytes: Int
  /// The rows to write; `nil` for the rows of the store.
  var rows: Rows?
  var progress: ((StoreProgress) -> Void)?

  /// The rows of a projection.
  struct Rows {
    let projection: String
    let tags: Range<UInt16>
    /// A digest of what they follow from.
    let digest: Digest
  }

  /// The amount of data that is written in one transaction, which holds it in memory.
  private static let pieceSizeInBytes = 16 << 20

  /// Writes the whole snapshot or nothing. When this returns, the snapshot is on disk.
  ///
  /// - Complexity: O(*n*) for *n* rows.
  func write(to files: SnapshotFiles) throws {
    try createDirectoryAtomically(at: files.directory(past.position, of: rows?.projection)) { directory in
      try writeTables(in: directory)
      let lock = directory + "/lock.mdb"
      if try FileKind(ofFileAt: lock) != nil { try removeTree(lock) }
      let file = try RawFile(at: directory + "/data.mdb")
      let marker = SnapshotMarker(
        storeID: storeID, position: past.position, hash: checkpoint.hash, eventCount: eventCount,
        sizeInBytes: file.sizeInBytes, isExact: past.isExact, digest: try Digest(of: file),
        collations: LocaleCollation.versions(of: past.reader.model.locales), rows: rows?.digest)
      let output = try NewFile(at: SnapshotFiles.markerFile(in: directory))
      defer { output.close() }
      try output.write(marker.bytes)
    }
  }

  private func writeTables(in directory: String) throws {
    let environment = try Environment.open(
      at: directory,
      options: EnvironmentOptions(
        mapSizeInBytes: mapSizeInBytes, maximumTables: 16, flush: .none, hasChecksums: TableName.hasChecksums))
    defer { environment.close() }
    let state = BuiltInTablesState(
      checkpoint: checkpoint, modelPosition: modelPosition, model: past.reader.model,
      // No rebuild has made these tables, so their generation is 0.
      generations: Array(repeating: 0, count: TableName.allCases.count))
    var transaction = try environment.beginWrite()
    for name in state.tableNames + [BuiltInTablesState.tableName] { _ = try transaction.openTable(name, create: true) }
    try transaction.commit()
    var rowCount: UInt64 = 0
    // The flush of the indexes makes the counts.
    for table in TableName.layered { try copy(table, of: state, environment, &rowCount) }
    try put(state, environment)
  }

  private func put(_ state: BuiltInTablesState, _ environment: Environment) throws {
    var transaction = try environment.beginWrite()
    guard let table = try transaction.openTable(BuiltInTablesState.tableName, create: false) else {
      preconditionFailure("The table was created here.")
    }
    try transaction.put(BuiltInTablesState.key, state.bytes, in: table)
    try transaction.commit()
  }

  private func copy(
    _ table: TableName, of state: BuiltInTablesState, _ environment: Environment, _ rowCount: inout UInt64
  ) throws {
    var rows = try SnapshotRows(table, of: past, isWhole: hasOneModel, tags: self.rows?.tags)
    var isMore = try rows.start()
    while isMore {
      var transaction = try environment.beginWrite()
      guard let tables = try BuiltInTables(state.tableNames, in: &transaction) else {
        preconditionFailure("The tables were created here.")
      }
      // The flush of the indexes makes their counts; the other rows need no copy in memory.
      let piece = table == .indexes ? MemoryTable() : nil
      var size = 0
      while isMore, size < SnapshotWriter.pieceSizeInBytes {
        if let piece {
          piece.put(rows.key, rows.value)
          size = piece.sizeInBytes
        } else {
          size += try rows.append(to: tables[table], in: &transaction)
        }
        rowCount += 1
        isMore = try rows.advance()
      }
      if let piece { try transaction.flush(piece, into: table, of: tables) }
      try transaction.commit()
      progress?(
        StoreProgress(activity: "writing snapshot \(past.position)", completed: rowCount, total: nil, unit: "rows"))
    }
  }
}

/// The rows of a table that belong to the model of the reader, or to a projection.
private struct SnapshotRows: ~Copyable {
  private let table: TableName
  private var cursor: MergingCursor
  /// Whether all rows are copied unchanged.
  private let isWhole: Bool
  /// The tags of the rows to keep, which are the ones of the model; `nil` if all are kept.
  private let kept: Set<UInt16>?
  /// The model of the position, which determines the fields that only a later model has.
  private let model: ResolvedModel
  /// The derived attributes that only another model has.
  private let dropped: Set<Tag>
  /// The tags of a projection; `nil` for the rows of the store.
  private let tags: Range<UInt16>?

  init(_ table: TableName, of past: State, isWhole: Bool, tags: Range<UInt16>?) throws {
    self.table = table
    self.isWhole = isWhole
    self.tags = tags
    (model, dropped) = (past.reader.model, past.dropped)
    cursor = try past.reader.makeCursor(in: table, of: Tag(tags?.lowerBound ?? 0))
    guard !isWhole, table != .counts, tags == nil else {
      kept = nil
      return
    }
    let groups = model.entities.flatMap(\.groups)
    let present: [Tag] =
      switch table {
      case .objects: model.entities.map(\.tag) + groups.map(\.tag)
      case .links: model.entities.flatMap { $0.relationships.map(\.tag) } + groups.flatMap { [$0.tag, $0.keysTag] }
      case .indexes: model.entities.flatMap { $0.indexes.map(\.tag) } + groups.map(\.keysTag)
      case .unique: model.entities.flatMap { $0.constraints.map(\.tag) }
      case .counts: []
      }
    kept = Set(present.map(\.number))
  }

  mutating func start() throws -> Bool {
    guard let tags else {
      try cursor.seek(atOrAfter: RawSpan())
      return try skip()
    }
    // The layers have the rows of the store and of other projections, too.
    var (start, end): ([UInt8], [UInt8]) = ([], [])
    start.appendFixed(tags.lowerBound)
    end.appendFixed(tags.upperBound)
    try cursor.seek(atOrAfter: start.rawSpan, limit: .key(end))
    return try skip()
  }

  mutating func advance() throws -> Bool {
    try cursor.advance()
    return try skip()
  }

  private mutating func skip() throws -> Bool {
    if let tags { return try cursor.isValid && tags.contains(leadingTag()) }
    guard let kept else { return cursor.isValid }
    while cursor.isValid {
      if kept.contains(try leadingTag()) { return true }
      try cursor.advance()
    }
    return false
  }

  private func leadingTag() throws -> UInt16 {
    var reader = ByteReader(cursor.key)
    return try reader.fixed(UInt16.self)
  }

  /// The key of the present row.
  var key: RawSpan {
    @_lifetime(borrow self)
    get { cursor.key }
  }

  /// The value of the present row, with all of its fields.
  var value: RawSpan {
    @_lifetime(borrow self)
    get { cursor.value }
  }

  /// Appends the present row to a table.
  ///
  /// - Returns: The size of the row.
  func append(to target: Table, in transaction: inout WriteTransaction) throws -> Int {
    if !isWhole, table == .objects, let entity = model.entity(tagged: Tag(try leadingTag())) {
      let record = try RecordView(cursor.value)
      let known = model.entities[entity]
      if !record.isTombstone,
        let changed = try record.keepingFields(where: { known.knows($0) && !dropped.contains($0) })
      {
        try transaction.put(cursor.key, changed.rawSpan, in: target, mode: .append)
        return cursor.key.byteCount + changed.count
      }
    }
    try transaction.put(cursor.key, cursor.value, in: target, mode: .append)
    return cursor.key.byteCount + cursor.value.byteCount
  }
}

private extension ResolvedEntity {
  func knows(_ tag: Tag) -> Bool {
    attribute(tagged: tag) != nil || relationships.contains { $0.tag == tag }
  }
}
