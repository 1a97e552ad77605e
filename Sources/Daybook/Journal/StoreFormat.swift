import DaybookModel

/// The format of a store as a whole: a row in the journal's environment.
///
/// Whoever is first to write what an earlier version does not know raises it in the same transaction, and says which
/// versions may pass over that.
struct StoreFormat: Hashable {
  /// What is needed to know all that is there.
  var version: UInt64
  /// What is needed to read the store without what is unknown.
  var readableBy: UInt64

  /// What this code knows.
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

  /// Whether all that is there is known here.
  var isKnown: Bool { version <= JournalMeta.formatVersion }
  /// Whether what is unknown may be passed over.
  var isReadable: Bool { readableBy <= JournalMeta.formatVersion }

  /// - Throws: `StoreError` with the code `newerFormat` if the store cannot be opened, or must not be by the policy.
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

extension LMDBJournal {
  /// The format of the store; nil if there is none.
  func format() throws -> StoreFormat? {
    try meta(JournalMeta.format).map { try StoreFormat($0) }
  }
}
