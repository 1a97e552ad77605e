import DaybookModel

/// A commit to append to the journal: its header and its body.
package struct PendingCommit: Sendable {
  package let header: CommitHeader
  package let headerBytes: [UInt8]
  package let body: [UInt8]
  /// The SHA-256 of the header.
  package let hash: Digest
  /// The version of a store's format that knows all parts of the body; earlier ones skip them.
  package let bodyVersion: UInt64
  /// Whether the body refers to large values.
  package let refersToLargeValues: Bool
  /// The large values that the store lacks, and that are written with the commit.
  package let largeValues: [LargeValue]

  /// - Parameters:
  ///   - bodyVersion: The version that knows all parts of the body, except references to large values; `nil` searches
  ///     the body.
  ///   - refersToLargeValues: Whether the body has such references; `nil` searches the body.
  ///   - largeValues: The values that are written with the commit.
  package init(
    header: CommitHeader, body: [UInt8], bodyVersion: UInt64? = nil, refersToLargeValues: Bool? = nil,
    largeValues: [LargeValue] = []
  ) {
    self.header = header
    self.bodyVersion = bodyVersion ?? PendingCommit.version(of: body, header)
    self.largeValues = largeValues
    self.refersToLargeValues = refersToLargeValues ?? PendingCommit.refersToLargeValues(body, header)
    var headerBytes: [UInt8] = []
    header.append(to: &headerBytes)
    self.headerBytes = headerBytes
    self.body = body
    hash = Digest(hashing: headerBytes.rawSpan)
  }

  /// The least format of a store that has the commit.
  package var neededFormat: StoreFormat {
    let format = StoreFormat.needed(by: header).raised(to: .skippable(since: bodyVersion))
    return refersToLargeValues ? format.raised(to: .largeValues) : format
  }

  /// The size of the commit in the journal, in bytes.
  package var sizeInBytes: Int { headerBytes.count + body.count + CommitSeal.byteCount }

  /// The events, from first to last.
  package var events: EventReader {
    @_lifetime(borrow self)
    get { EventReader(body.rawSpan, position: header.position, time: header.time) }
  }

  /// Returns the version that knows all parts of a body; a damaged body is searched up to the damage.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  private static func version(of body: [UInt8], _ header: CommitHeader) -> UInt64 {
    if header.isModel {
      // What is no model is refused by its reader.
      return (try? ResolvedModel(stored: JSONValue(parsing: body)).neededVersion) ?? 1
    }
    var events = EventReader(body.rawSpan, position: header.position, time: header.time)
    while !events.isAtEnd {
      // Damaged events are refused by the code that folds them.
      guard let event = try? events.next() else { return 1 }
      if event.kind == .recorded { return EventWriter.recordedVersion }
    }
    return 1
  }

  /// Returns whether a body refers to large values; a damaged body is searched up to the damage.
  private static func refersToLargeValues(_ body: [UInt8], _ header: CommitHeader) -> Bool {
    if header.isModel { return false }
    var isFound = false
    // Damaged events are refused by the code that folds them.
    try? EventReader(body.rawSpan, position: header.position, time: header.time).forEachLargeValue { _ in
      isFound = true
    }
    return isFound
  }

  /// Throws if a commit is too large.
  ///
  /// - Parameter size: The bytes of the commit, or of its events so far.
  /// - Throws: `StoreError` with the code `tooLarge`.
  package static func check(size: Int) throws {
    guard size > CommitLimits.maximumSizeInBytes else { return }
    throw StoreError(
      .tooLarge, "The commit has \(size) bytes; \(CommitLimits.maximumSizeInBytes) are allowed.",
      advice: "Write it in several commits.")
  }
}

/// The first bytes of a commit's hash, which end its value in the journal.
///
/// Each header contains the hash of the previous commit, but the last commit has no successor: without the seal, damage
/// to its author or time could not be detected.
package struct CommitSeal: Hashable, Sendable {
  let number: UInt64

  package static let byteCount = 8

  package init(_ hash: Digest) {
    number = hash.words.0
  }

  package init(_ bytes: RawSpan) throws(MalformedBytes) {
    var reader = ByteReader(bytes)
    number = try reader.fixed(UInt64.self)
  }
}
