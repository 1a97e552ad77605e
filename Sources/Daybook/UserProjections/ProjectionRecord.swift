import DaybookModel
import LMDB

/// What the projections' environment says of a projection: one row, written together with every change of its rows.
struct ProjectionRecord: Hashable {
  /// What is read.
  var live: Instance?
  /// What is being built anew, beside the live one.
  var next: Instance?

  /// One version of the rows.
  struct Instance: Hashable {
    /// That of the code that made it.
    var version: UInt64
    /// The number that the name of its table ends in.
    var generation: UInt64
    /// The last commit that it has taken in, and its hash: a checkpoint of another journal is no checkpoint.
    var checkpoint = Position.empty
    var checkpointHash = Digest.zero
    /// How many events were set aside.
    var quarantineCount: UInt64 = 0
    /// Whether any of these is to be tried again.
    var hasRetries = false
    /// The event that it has stopped before, and why.
    var stop: Stop?
    /// The format that was known to whoever left out events that it did not know; 0 if none was. Code that knows more
    /// makes the rows anew.
    var leftOutBy: UInt64 = 0

    /// Whether events were left out that are known here.
    var lacksKnownEvents: Bool { leftOutBy > 0 && leftOutBy < JournalMeta.formatVersion }
  }

  struct Stop: Hashable {
    let address: EventAddress
    let reason: String
  }

  private static let format: UInt64 = 1

  static func key(of name: String) -> [UInt8] { Array("projection \(name)".utf8) }

  /// What the names of all tables of a projection begin with; a generation follows.
  static func tableStem(of name: String) -> String { "projection/\(name)." }

  static func tableName(of name: String, _ instance: Instance) -> String {
    "\(tableStem(of: name))\(instance.generation)"
  }

  init() {}

  /// Reads the row; nil if it is of another format or damaged, in both of which cases the projection is built again.
  init?(_ bytes: RawSpan) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.varint() == ProjectionRecord.format else { return nil }
      let parts = try reader.byte()
      if parts & 1 != 0 { live = try Instance(reading: &reader) }
      if parts & 2 != 0 { next = try Instance(reading: &reader) }
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
  init(reading reader: inout ByteReader) throws(MalformedBytes) {
    version = try reader.varint()
    generation = try reader.varint()
    checkpoint = Position(try reader.fixed(UInt64.self))
    checkpointHash = try Digest(reading: &reader)
    quarantineCount = try reader.varint()
    leftOutBy = try reader.varint()
    let flags = try reader.byte()
    hasRetries = flags & 1 != 0
    guard flags & 2 != 0 else { return }
    stop = ProjectionRecord.Stop(address: try EventAddress(reading: &reader), reason: try reader.text())
  }

  func append(to bytes: inout [UInt8]) {
    bytes.appendVarint(version)
    bytes.appendVarint(generation)
    bytes.appendFixed(checkpoint.number)
    bytes.append(checkpointHash)
    bytes.appendVarint(quarantineCount)
    bytes.appendVarint(leftOutBy)
    bytes.append((hasRetries ? 1 : 0) | (stop == nil ? 0 : 2))
    guard let stop else { return }
    bytes.append(contentsOf: stop.address.bytes)
    bytes.appendText(stop.reason)
  }

  /// Whether it goes on from commits of this journal.
  func belongs(to journal: LMDBJournal, head: Position) throws -> Bool {
    if checkpoint == .empty { return true }
    return try checkpoint <= head && journal.header(at: checkpoint).hash == checkpointHash
  }
}

extension OpenProjections {
  /// What they say of a projection that a user wrote; nothing if they have never had it.
  func record(of name: String, in snapshot: Snapshot) throws -> ProjectionRecord {
    guard let row = try snapshot.value(for: ProjectionRecord.key(of: name), in: stateTable) else {
      return ProjectionRecord()
    }
    return ProjectionRecord(row) ?? ProjectionRecord()
  }

  /// The names of the projections of users that they have rows of.
  func recordNames(in snapshot: Snapshot) throws -> [String] {
    let prefix = ProjectionRecord.key(of: "")
    var names: [String] = []
    var cursor = try snapshot.makeCursor(in: stateTable)
    var isValid = try cursor.seek(atOrAfter: prefix.span.bytes)
    while isValid, hasPrefix(cursor.key, prefix.span.bytes) {
      names.append(String(decoding: [UInt8](cursor.key).dropFirst(prefix.count), as: UTF8.self))
      isValid = try cursor.moveToNext()
    }
    return names
  }
}

extension ProjectionsSnapshot {
  /// What they say of a projection that a user wrote; nothing if they have never had it.
  func record(of name: String) throws -> ProjectionRecord { try opened.record(of: name, in: snapshot) }
}
