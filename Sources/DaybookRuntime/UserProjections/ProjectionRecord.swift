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
    package var checkpoint = Checkpoint.empty
    /// The number of quarantined and skipped events.
    package var quarantineCount: UInt64 = 0
    /// Whether any of these events is to be retried.
    package var hasRetries = false
    /// The event before which the projection has stopped, and the reason.
    package var stop: Stop?
    /// The derived entities of the rows, if there are any.
    package var derived: DerivedModel?
    /// The rows of other projections that these rows follow from.
    var reads: [ScopeStamp.Part] = []

    /// Whether a retry builds the rows again: rows of entities are built in the order of the commits, and nothing is
    /// applied late.
    var isToBeBuiltAgain: Bool { hasRetries && derived != nil }
  }

  /// What the rows of a projection follow from: two states with equal stamps have the same rows.
  ///
  /// Rows change without a commit when a quarantined event is retried, which makes the quarantine smaller; it grows only
  /// with a commit.
  package struct Stamp: Hashable {
    private let version: UInt64
    private let generation: UInt64
    private let checkpoint: Checkpoint
    private let quarantineCount: UInt64

    init(_ instance: Instance) {
      version = instance.version
      generation = instance.generation
      checkpoint = instance.checkpoint
      quarantineCount = instance.quarantineCount
    }
  }

  package struct Stop: Hashable {
    package let address: EventAddress
    package let reason: String
  }

  /// The format of a row without derived entities, and of one with them, which earlier versions do not read.
  private static let (plainFormat, format): (UInt64, UInt64) = (1, 2)

  static func key(of name: String) -> [UInt8] { Array("projection \(name)".utf8) }

  /// The beginning of the names of all projections' tables.
  static let tablePrefix = "projection/"

  /// Returns the beginning of the names of a projection's tables; a generation follows.
  static func tableStem(of name: String) -> String { "\(tablePrefix)\(name)." }

  static func tableName(of name: String, _ instance: Instance) -> String {
    "\(tableStem(of: name))\(instance.generation)"
  }

  /// Returns the names of the tables with derived entities, in the order of ``TableName``, and then of their changes.
  static func derivedTableNames(of name: String, _ instance: Instance) -> [String] {
    guard instance.derived != nil else { return [] }
    return (TableName.allCases.map(\.name) + ["changes"]).map { "\(tableName(of: name, instance)).\($0)" }
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
      guard try (ProjectionRecord.plainFormat...ProjectionRecord.format).contains(reader.varint()) else { return nil }
      let parts = try reader.byte()
      if parts & 1 != 0 { live = try Instance(reading: &reader, known) }
      if parts & 2 != 0 { next = try Instance(reading: &reader, known) }
    } catch {
      return nil
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    let hasDerived = [live, next].contains { $0?.derived != nil }
    bytes.appendVarint(hasDerived ? ProjectionRecord.format : ProjectionRecord.plainFormat)
    bytes.append((live == nil ? 0 : 1) | (next == nil ? 0 : 2))
    for instance in [live, next] { instance?.append(to: &bytes) }
    return bytes
  }
}

extension ProjectionRecord.Instance {
  init(reading reader: inout ByteReader, _ known: DerivedDescriptions? = nil) throws(MalformedBytes) {
    version = try reader.varint()
    generation = try reader.varint()
    checkpoint = try Checkpoint(reading: &reader)
    quarantineCount = try reader.varint()
    checkpoint.omittingFormat = try reader.varint()
    let flags = try reader.byte()
    hasRetries = flags & 1 != 0
    if flags & 2 != 0 {
      stop = ProjectionRecord.Stop(address: try EventAddress(reading: &reader), reason: try reader.text())
    }
    if flags & 4 != 0 { derived = try (known ?? DerivedDescriptions()).model(of: reader.text()) }
    if flags & 8 != 0 {
      for _ in 0..<(try reader.varint()) {
        reads.append(
          ScopeStamp.Part(
            projection: try reader.text(), version: try reader.varint(), generation: try reader.varint()))
      }
    }
  }

  func append(to bytes: inout [UInt8]) {
    bytes.appendVarint(version)
    bytes.appendVarint(generation)
    checkpoint.append(to: &bytes)
    bytes.appendVarint(quarantineCount)
    bytes.appendVarint(checkpoint.omittingFormat)
    bytes.append(
      (hasRetries ? 1 : 0) | (stop == nil ? 0 : 2) | (derived == nil ? 0 : 4) | (reads.isEmpty ? 0 : 8))
    if let stop {
      bytes.append(contentsOf: stop.address.bytes)
      bytes.appendText(stop.reason)
    }
    if let derived { bytes.appendText(derived.text) }
    guard !reads.isEmpty else { return }
    bytes.appendVarint(UInt64(reads.count))
    for part in reads {
      bytes.appendText(part.projection)
      bytes.appendVarint(part.version)
      bytes.appendVarint(part.generation)
    }
  }
}
