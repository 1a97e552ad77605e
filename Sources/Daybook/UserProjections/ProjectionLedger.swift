import DaybookModel
import LMDB

/// What must be known of a projection even after its rows were lost: a row in the journal's environment.
///
/// The rows of a projection are disposable. That a mail was sent, and that somebody decided to leave an event out, are not.
struct ProjectionLedger: Hashable {
  /// Effects of events up to here have left the store, or never will.
  var effectsThrough: Position
  /// Events that are left out for good.
  var skipped: [Skip] = []

  /// An event that was left out, in the rows of one version: the code of a later one may take it in.
  struct Skip: Hashable {
    let version: UInt64
    let address: EventAddress
  }

  private static let format: UInt64 = 1

  init(effectsThrough: Position) {
    self.effectsThrough = effectsThrough
  }

  init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes.span.bytes)
    guard try reader.varint() == ProjectionLedger.format else {
      throw StoreError(.newerFormat, "A newer version of Daybook wrote what became of a projection’s effects.")
    }
    effectsThrough = Position(try reader.fixed(UInt64.self))
    while !reader.isAtEnd {
      skipped.append(Skip(version: try reader.varint(), address: try EventAddress(reading: &reader)))
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(ProjectionLedger.format)
    bytes.appendFixed(effectsThrough.number)
    for skip in skipped {
      bytes.appendVarint(skip.version)
      bytes.append(contentsOf: skip.address.bytes)
    }
    return bytes
  }

  func skips(_ address: EventAddress, version: UInt64) -> Bool {
    !skipped.isEmpty && skipped.contains(Skip(version: version, address: address))
  }

  static func key(of name: String) -> [UInt8] { Array("projection \(name)".utf8) }
}

extension LMDBJournal {
  /// What is known of a projection; nil if the store has never had one of this name.
  func ledger(of name: String) throws -> ProjectionLedger? {
    try meta(ProjectionLedger.key(of: name)).map { try ProjectionLedger($0) }
  }

  /// What is known of a projection; if nothing is, all that there is counts as taken in.
  func presentLedger(of name: String) throws -> ProjectionLedger {
    try ledger(of: name) ?? ProjectionLedger(effectsThrough: head())
  }
}

extension WriteTransaction {
  mutating func put(_ ledger: ProjectionLedger, of name: String, in tables: JournalTables) throws(LMDBError) {
    try putMeta(ProjectionLedger.key(of: name), ledger.bytes, in: tables)
  }
}
