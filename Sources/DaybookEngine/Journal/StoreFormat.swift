import DaybookModel

/// The format of a store as a whole, in a row of the journal's environment.
///
/// The first write of anything that an earlier version does not know raises it in the same transaction, and records
/// which versions may skip the unknown parts.
package struct StoreFormat: Hashable {
  /// The version that knows all parts of the store.
  package var version: UInt64
  /// The earliest version that can read the store without the parts unknown to it.
  package var readableBy: UInt64

  /// The format that this code knows.
  package static let known = StoreFormat(version: JournalMeta.formatVersion, readableBy: JournalMeta.formatVersion)

  /// The format of a store that uses nothing which the first version does not know.
  package static let first = StoreFormat(version: 1, readableBy: 1)
  /// The format of a store with a large value: earlier versions cannot read the fields that refer to one.
  package static let largeValues = StoreFormat(version: 4, readableBy: 4)

  /// Returns the least format of a store with parts that a version was the first to know, and that earlier ones may skip:
  /// all, from the fourth version on if the fifth was the first to know them, or none before the sixth.
  package static func skippable(since version: UInt64) -> StoreFormat {
    StoreFormat(version: version, readableBy: version < 5 ? 1 : version == 5 ? 4 : version)
  }

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

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(version)
    if readableBy != version { bytes.appendVarint(readableBy) }
    return bytes
  }

  /// Returns the format that also has what a later version added: the maximum of both numbers.
  package func raised(to other: StoreFormat) -> StoreFormat {
    StoreFormat(version: max(version, other.version), readableBy: max(readableBy, other.readableBy))
  }

  /// Whether the format allows what needs another format.
  package func includes(_ other: StoreFormat) -> Bool { raised(to: other) == self }

  /// The format of a store with a commit; no other version can read a header of version 2.
  package static func needed(by header: CommitHeader) -> StoreFormat {
    header.reasons.isEmpty ? .first : StoreFormat(version: 2, readableBy: 2)
  }

  /// Whether this code knows all parts of the store.
  package var isKnown: Bool { version <= JournalMeta.formatVersion }
  /// Whether this code may skip the parts that it does not know.
  package var isReadable: Bool { readableBy <= JournalMeta.formatVersion }
}
