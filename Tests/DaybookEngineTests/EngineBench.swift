import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import DaybookEngine

/// A journal and its tables without a store around them.
///
/// Each commit is made by a `CommitBuilder`, appended to the journal and flushed into the tables.
final class EngineBench {
  private let directory: TemporaryDirectory
  private let environments: (journal: Environment, projections: Environment)
  private let journalTables: JournalTables
  let tables: BuiltInTables
  let model: ResolvedModel
  let dependents: Dependents
  private(set) var head: Position = 1
  private var hash: Digest
  private var nextID: UInt64 = 0
  private let inverses = InverseLayers()

  private let boundaries: StretchBoundaries

  /// Creates a journal that has a model only.
  ///
  /// - Parameter boundaries: By default, the counts of a few rows have several levels.
  init(_ draft: Model, boundaries: StretchBoundaries = StretchBoundaries(firstBits: 1, nextBits: 1)) throws {
    self.boundaries = boundaries
    directory = try TemporaryDirectory()
    model = try ResolvedModel(creating: draft)
    dependents = Dependents(model)
    environments = try (
      Environment.open(at: Self.made(directory.path("journal")), options: EnvironmentOptions()),
      Environment.open(
        at: Self.made(directory.path("projections")),
        options: EnvironmentOptions(flush: .none, hasChecksums: TableName.hasChecksums))
    )
    var transaction = try environments.journal.beginWrite()
    journalTables = JournalTables(
      try JournalTables.names.map { try #require(try transaction.openTable($0, create: true)) })
    var body: [UInt8] = []
    model.storedJSON.write(to: &body)
    let commit = PendingCommit(
      header: Self.header(1, after: .zero, body, eventCount: 0, isModel: true), body: body)
    hash = commit.hash
    try transaction.append(commit, to: journalTables)
    var models: [UInt8] = []
    models.appendFixed(UInt64(1))
    try transaction.putMeta(JournalMeta.models, models, in: journalTables)
    try transaction.commit()
    tables = try Self.makeTables("1", in: environments.projections, boundaries)
  }

  private static func made(_ path: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return path
  }

  /// A day lies between two commits.
  private static func time(of position: Position) -> Timestamp {
    Timestamp(microseconds: Int64(position.number) * 86_400_000_000)
  }

  private static func header(
    _ position: Position, after previous: Digest, _ body: [UInt8], eventCount: Int, isModel: Bool
  ) -> CommitHeader {
    CommitHeader(
      position: position, previousHash: previous, bodyDigest: Digest(hashing: body.rawSpan),
      recordedAt: time(of: position), happenedAt: nil, commitID: nil, author: "",
      message: "", eventCount: eventCount, bodySize: body.count, isModel: isModel)
  }

  private static func makeTables(
    _ generation: String, in environment: Environment, _ boundaries: StretchBoundaries
  ) throws -> BuiltInTables {
    var transaction = try environment.beginWrite()
    let tables = try TableName.allCases.map {
      try #require(try transaction.openTable("\($0.name).\(generation)", create: true))
    }
    try transaction.commit()
    return BuiltInTables(tables, boundaries: boundaries)
  }

  /// Makes an identity: 1, 2, 3 and so on.
  func makeID() -> ObjectID {
    nextID += 1
    return ObjectID(high: 1, low: nextID)
  }

  /// Writes one commit.
  ///
  /// If the closure throws, or a constraint fails, nothing is written.
  @discardableResult
  func commit(_ body: (CommitBuilder) throws -> Void) throws -> Position {
    var projections = try environments.projections.beginWrite()
    let layer = Layer()
    let reader = Reader(snapshot: projections.snapshot, tables: tables, model: model, layers: [layer])
    let builder = CommitBuilder(reader: reader, layer: layer, dependents: dependents, makeID: makeID)
    builder.begin(at: head.next, time: Self.time(of: head.next))
    try body(builder)
    try builder.checkWhole()
    try builder.checkConstraints()
    let (bytes, count) = (builder.writer.bytes, builder.writer.count)
    let commit = PendingCommit(
      header: Self.header(head.next, after: hash, bytes, eventCount: count, isModel: false), body: bytes)
    var journal = try environments.journal.beginWrite()
    try journal.append(commit, to: journalTables)
    try projections.flush(layer, into: tables)
    try journal.commit()
    try projections.commit()
    (head, hash) = (head.next, commit.hash)
    return head
  }

  /// Writes one commit of verbs that are given as data.
  @discardableResult
  func commit(_ verbs: Verb...) throws -> Position {
    try commit { builder in for verb in verbs { try builder.carryOut(verb) } }
  }

  /// Reads the state at the head, and the journal.
  func read<Result>(_ body: (State, LMDBJournal) throws -> Result) throws -> Result {
    try environments.journal.withSnapshot { journal in
      try environments.projections.withSnapshot { projections in
        try body(
          State(
            reader: Reader(snapshot: projections, tables: tables, model: model), dependents: dependents, position: head,
            sharing: inverses.anchored(at: hash)),
          LMDBJournal(snapshot: journal, tables: journalTables))
      }
    }
  }

  /// Changes the last byte of a commit's events in the journal.
  func damageCommit(_ position: Position) throws {
    let key = JournalKey(position: position, chunk: 0).bytes
    var bytes = try environments.journal.withSnapshot { snapshot -> [UInt8] in
      guard let value = try snapshot.value(for: key.rawSpan, in: journalTables.journal) else {
        throw Mismatch("There is no commit \(position).")
      }
      return [UInt8](value)
    }
    bytes[bytes.count - CommitSeal.byteCount - 1] ^= 1
    var transaction = try environments.journal.beginWrite()
    try transaction.put(key, bytes, in: journalTables.journal)
    try transaction.commit()
  }

  /// All rows of the tables.
  func dump() throws -> TableDump { try read { present, _ in try TableDump(present.reader) } }

  /// Builds tables from the journal alone, and returns their rows.
  func dumpOfNewTables(memoryLimit: Int, isConcurrent: Bool = true) throws -> TableDump {
    let new = try Self.makeTables("2", in: environments.projections, boundaries)
    return try environments.journal.withSnapshot { journal in
      var projections = try environments.projections.beginWrite()
      let catalog = Catalog(modelPosition: 1, model: model, generations: [2, 2, 2, 2, 2], tables: new)
      var builder = TableBuilder(
        journal: LMDBJournal(snapshot: journal, tables: journalTables), head: head, catalog: catalog,
        memoryLimit: memoryLimit)
      builder.isConcurrent = isConcurrent
      _ = try builder.build(in: &projections)
      return try TableDump(Reader(snapshot: projections.snapshot, tables: new, model: model))
    }
  }
}
