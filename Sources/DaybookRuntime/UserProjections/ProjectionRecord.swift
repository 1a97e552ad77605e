import DaybookEngine
import DaybookModel

/// The row about a projection in the projections' environment.
///
/// It is written together with every change of the projection's rows.
package struct ProjectionRecord: Hashable {
  /// The rows that are read.
  package var live: Instance?
  /// The rows that are being built beside the live ones.
  package var next: Instance?

  /// Returns the number of commits up to a head that the rows that are read lack.
  package func lag(behind head: Position) -> UInt64 {
    head.number - min(head.number, live?.checkpoint.position.number ?? 0)
  }

  /// One version of the rows.
  package struct Instance: Hashable {
    /// The version of the code that made the rows.
    package var version: UInt64
    /// The number at the end of the name of the table.
    var generation: UInt64
    /// The number of the rows, which grows each time that rows with other bytes take their place.
    var fold: UInt64
    /// A random number that rows have from their beginning, by which they are known from others in a later environment.
    ///
    /// Rows that take the place of equal ones receive theirs.
    var identity: UInt64 = 0
    /// A digest of all that was written, by which rows at equal checkpoints are compared.
    package private(set) var digest = Digest.zero
    package var checkpoint = Checkpoint.empty
    /// The number of quarantined and skipped commits.
    package var quarantineCount: UInt64 = 0
    /// Whether any of these commits is to be retried: the rows are then built again, as nothing is applied late.
    package var hasRetries = false
    /// The commit before which the projection has stopped, and the reason.
    package var stop: Stop?
    /// The derived entities of the rows.
    package var derived: DerivedModel
    /// The rows of other projections that these rows follow from.
    var reads: [ScopeStamp.Part] = []

    /// - Parameter fold: The number of the rows.
    init(version: UInt64, generation: UInt64 = 0, fold: UInt64 = 1, _ derived: DerivedModel) {
      (self.version, self.generation, self.fold, self.derived) = (version, generation, fold, derived)
    }

    /// The first commit whose changes are kept.
    var firstKept: Position { derived.firstKept(at: checkpoint.position) }

    /// Takes note of what a commit has written.
    mutating func note(_ written: RawSpan, by position: Position) {
      var writer = DigestWriter()
      var bytes: [UInt8] = []
      bytes.append(digest)
      bytes.appendFixed(position.number)
      writer.append(bytes.rawSpan)
      writer.append(written)
      digest = writer.finish()
    }

    /// Whether other rows have the same bytes in all of their tables.
    func hasRows(of other: Instance) -> Bool {
      version == other.version && checkpoint == other.checkpoint && derived == other.derived && digest == other.digest
    }
  }

  package struct Stop: Hashable {
    package let position: Position
    package let reason: String

    /// The commit as part of the quarantine.
    package var commit: QuarantinedCommit {
      QuarantinedCommit(position: position, reason: reason, state: .stopped)
    }
  }

  /// The format of a row. Rows of another one are of projections whose rows were bytes by key, or whose failures were
  /// events, or they have no identity.
  private static let format: UInt64 = 4

  static func key(of name: String) -> [UInt8] { Array("projection \(name)".utf8) }

  /// The beginning of the names of all projections' tables.
  static let tablePrefix = "projection/"

  /// Returns the beginning of the names of a projection's tables; a generation follows.
  static func tableStem(of name: String) -> String { "\(tablePrefix)\(name)." }

  /// Returns the name of the table with the quarantine, with which the names of the other tables begin.
  static func tableName(of name: String, _ instance: Instance) -> String {
    "\(tableStem(of: name))\(instance.generation)"
  }

  /// Returns the names of the tables with derived entities, in the order of ``TableName``, and then of their changes.
  static func derivedTableNames(of name: String, _ instance: Instance) -> [String] {
    (TableName.allCases.map(\.name) + ["changes"]).map { "\(tableName(of: name, instance)).\($0)" }
  }

  /// Returns the names of all tables with rows of an instance.
  static func tableNames(of name: String, _ instance: Instance) -> [String] {
    [tableName(of: name, instance)] + derivedTableNames(of: name, instance)
  }

  init() {}

  /// Reads the row, or returns `nil` if it is damaged or of another format.
  ///
  /// In both cases the projection is rebuilt.
  init?(_ bytes: RawSpan, _ known: DerivedDescriptions? = nil) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.varint() == ProjectionRecord.format else { return nil }
      let parts = try reader.byte()
      if parts & 1 != 0 { live = try Instance(reading: &reader, known) }
      if parts & 2 != 0 { next = try Instance(reading: &reader, known) }
    } catch {
      return nil
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(ProjectionRecord.format)
    bytes.append((live == nil ? 0 : 1) | (next == nil ? 0 : 2))
    for instance in [live, next] { instance?.append(to: &bytes) }
    return bytes
  }
}

extension ProjectionRecord.Instance {
  init(reading reader: inout ByteReader, _ known: DerivedDescriptions? = nil) throws(MalformedBytes) {
    version = try reader.varint()
    generation = try reader.varint()
    fold = try reader.varint()
    identity = try reader.fixed(UInt64.self)
    digest = try Digest(reading: &reader)
    checkpoint = try Checkpoint(reading: &reader)
    quarantineCount = try reader.varint()
    checkpoint.omittingFormat = try reader.varint()
    let flags = try reader.byte()
    hasRetries = flags & 1 != 0
    if flags & 2 != 0 {
      stop = ProjectionRecord.Stop(position: Position(try reader.fixed(UInt64.self)), reason: try reader.text())
    }
    derived = try (known ?? DerivedDescriptions()).model(of: reader.text())
    if flags & 4 != 0 {
      for _ in 0..<(try reader.varint()) {
        reads.append(
          ScopeStamp.Part(
            projection: try reader.text(), version: try reader.varint(), fold: try reader.varint()))
      }
    }
  }

  func append(to bytes: inout [UInt8]) {
    bytes.appendVarint(version)
    bytes.appendVarint(generation)
    bytes.appendVarint(fold)
    bytes.appendFixed(identity)
    bytes.append(digest)
    checkpoint.append(to: &bytes)
    bytes.appendVarint(quarantineCount)
    bytes.appendVarint(checkpoint.omittingFormat)
    bytes.append(
      (hasRetries ? 1 : 0) | (stop == nil ? 0 : 2) | (reads.isEmpty ? 0 : 4))
    if let stop {
      bytes.appendFixed(stop.position.number)
      bytes.appendText(stop.reason)
    }
    bytes.appendText(derived.text)
    guard !reads.isEmpty else { return }
    bytes.appendVarint(UInt64(reads.count))
    for part in reads {
      bytes.appendText(part.projection)
      bytes.appendVarint(part.version)
      bytes.appendVarint(part.fold)
    }
  }
}
