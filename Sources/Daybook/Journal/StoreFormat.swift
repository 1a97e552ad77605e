import DaybookModel

/// The format of a store as a whole, in a row of the journal's environment.
///
/// The first write of anything that an earlier version does not know raises it in the same transaction, and records
/// which versions may skip the unknown parts.
package struct StoreFormat: Hashable {
  /// The version that knows all parts of the store.
  var version: UInt64
  /// The earliest version that can read the store without the parts unknown to it.
  var readableBy: UInt64

  /// The format that this code knows.
  static let known = StoreFormat(version: JournalMeta.formatVersion, readableBy: JournalMeta.formatVersion)

  init(version: UInt64, readableBy: UInt64) {
    self.version = version
    self.readableBy = readableBy
  }

  init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.span.bytes)
    version = try reader.varint()
    readableBy = reader.isAtEnd ? version : try reader.varint()
    guard reader.isAtEnd, readableBy <= version else {
      throw MalformedBytes(offset: reader.offset, expected: "a format")
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(version)
    if readableBy != version { bytes.appendVarint(readableBy) }
    return bytes
  }

  /// Whether this code knows all parts of the store.
  package var isKnown: Bool { version <= JournalMeta.formatVersion }
  /// Whether this code may skip the parts that it does not know.
  var isReadable: Bool { readableBy <= JournalMeta.formatVersion }

  /// - Throws: `StoreError` with the code `newerFormat` if the store cannot be opened, or the policy forbids it.
  func check(_ policy: StoreOptions.NewerVersionPolicy, path: String) throws(StoreError) {
    if isKnown { return }
    guard isReadable else {
      throw StoreError(
        .newerFormat,
        "The store \(path) has format \(version); this version of Daybook reads up to \(JournalMeta.formatVersion).",
        advice: "Update Daybook.")
    }
    guard policy == .fail else { return }
    throw StoreError(
      .newerFormat,
      "The store \(path) has format \(version), of which this version of Daybook knows \(JournalMeta.formatVersion).",
      advice: "Update Daybook, or open the store for reading what is known.")
  }

  /// - Throws: `StoreError` with the code `newerFormat` if the store may only be read.
  func checkWritable(_ policy: StoreOptions.NewerVersionPolicy, path: String) throws(StoreError) {
    if isKnown || policy == .ignore { return }
    throw StoreError(
      .newerFormat, "The store \(path) has format \(version), and is opened only for reading what is known of it.",
      advice: "Update Daybook to write to it.")
  }
}
