import DaybookEngine
import DaybookModel
import LMDB

/// The description of a snapshot on disk, or of the rows of a projection beside it.
///
/// It has the store, the position and a digest of the bytes.
///
/// A snapshot is a cache that outlives crashes of the operating system. It is flushed before it gets its name, and the
/// digest reveals any later change of its file.
package struct SnapshotMarker: Hashable {
  let storeID: ObjectID
  package let position: Position
  /// The hash of the commit at the position: a snapshot of another journal is not valid.
  let hash: Digest
  /// The number of events in all commits up to the position.
  package let eventCount: Int
  package let sizeInBytes: Int
  /// See ``State/isExact``: projections can start only from an exact snapshot.
  let isExact: Bool
  /// The SHA-256 of the data file.
  let digest: Digest
  /// The versions of the locales' orders in the indexes (``LocaleCollation/versions(of:)``).
  let collations: String
  /// A digest of what the rows of a projection follow from (``RowsOrigin``); `nil` for the snapshot of the store.
  let rows: Digest?

  /// The version of this format. Snapshots of another version are made again.
  private static let version: UInt64 = 1
  private static let key = Array("snapshot".utf8)

  /// The bytes of the marker's file: its content with a seal.
  var bytes: [UInt8] { JournalMeta.sealed(content, for: SnapshotMarker.key) }

  /// The bytes without the seal.
  package var content: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(SnapshotMarker.version)
    bytes.appendVarint(BuiltInTablesState.version)
    bytes.appendVarint(Collation.version)
    bytes.append(storeID)
    bytes.appendFixed(position.number)
    bytes.append(hash)
    bytes.appendFixed(UInt64(eventCount))
    bytes.appendFixed(UInt64(sizeInBytes))
    bytes.append(isExact ? 1 : 0)
    bytes.append(digest)
    if !collations.isEmpty || rows != nil { bytes.appendText(collations) }
    if let rows { bytes.append(rows) }
    return bytes
  }

  init(
    storeID: ObjectID, position: Position, hash: Digest, eventCount: Int, sizeInBytes: Int, isExact: Bool,
    digest: Digest, collations: String, rows: Digest? = nil
  ) {
    self.storeID = storeID
    self.position = position
    self.hash = hash
    self.eventCount = eventCount
    self.sizeInBytes = sizeInBytes
    self.isExact = isExact
    self.digest = digest
    self.collations = collations
    self.rows = rows
  }

  /// Reads a marker, or returns `nil` if the bytes are no marker of this version.
  init?(_ bytes: [UInt8]) {
    guard let content = JournalMeta.opened(bytes, for: SnapshotMarker.key) else { return nil }
    self.init(content: content)
  }

  /// Reads the bytes before the seal, or returns `nil` if they are no marker of this version.
  package init?(content: [UInt8]) {
    var reader = ByteReader(content.rawSpan)
    do {
      guard try reader.varint() == SnapshotMarker.version, try reader.varint() == BuiltInTablesState.version,
        try reader.varint() == Collation.version
      else { return nil }
      storeID = try reader.objectID()
      position = Position(try reader.fixed(UInt64.self))
      hash = try Digest(reading: &reader)
      guard let events = Int(exactly: try reader.fixed(UInt64.self)),
        let size = Int(exactly: try reader.fixed(UInt64.self))
      else { return nil }
      (eventCount, sizeInBytes) = (events, size)
      isExact = try reader.byte() == 1
      digest = try Digest(reading: &reader)
      collations = reader.isAtEnd ? "" : try reader.text()
      rows = reader.isAtEnd ? nil : try Digest(reading: &reader)
      guard reader.isAtEnd, LocaleCollation.isPresent(collations) else { return nil }
    } catch {
      return nil
    }
  }
}
