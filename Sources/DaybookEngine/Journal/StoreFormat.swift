import DaybookModel

/// The format of a store as a whole, in a row of the journal's environment.
///
/// The first write of anything that an earlier version does not know raises it in the same transaction, and records
/// which versions may skip the unknown parts.
package struct StoreFormat: Hashable {
  /// The version that knows all parts of the store.
  package var version: UInt64
  /// The earliest version that can read the store without the parts unknown to it.
  var readableBy: UInt64

  /// The format of a store that has nothing which the first version does not know.
  package static let first = StoreFormat(version: 1, readableBy: 1)

  /// The format that this code knows.
  package static let known = StoreFormat(version: JournalMeta.formatVersion, readableBy: JournalMeta.formatVersion)

  package init(version: UInt64, readableBy: UInt64) {
    self.version = version
    self.readableBy = readableBy
  }

  package init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.rawSpan)
    version = try reader.varint()
    readableBy = reader.isAtEnd ? version : try reader.varint()
    guard reader.isAtEnd, readableBy <= version else {
      throw MalformedBytes(offset: reader.offset, expected: "a format")
    }
  }

  /// Returns the format of a store in which something of another format is stored too.
  package func raised(to version: UInt64, readableBy: UInt64) -> StoreFormat {
    StoreFormat(version: max(self.version, version), readableBy: max(self.readableBy, readableBy))
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(version)
    if readableBy != version { bytes.appendVarint(readableBy) }
    return bytes
  }

  /// Whether this code knows all parts of the store.
  package var isKnown: Bool { version <= JournalMeta.formatVersion }
  /// Whether this code may skip the parts that it does not know.
  package var isReadable: Bool { readableBy <= JournalMeta.formatVersion }
}
