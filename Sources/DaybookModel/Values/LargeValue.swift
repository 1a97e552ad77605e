/// A value of more than 64 KiB, referred to by its SHA-256 and its size.
///
///     let photo = try Value.data(contentsOf: "cake.jpg")          // a reference, because the file is large
///     let id = try store.write { try $0.insert("Photo", ["image": photo]) }
///     if case .large(let image) = try store.get(id)?["image"] {
///       try image.forEachChunk { try file.write($0) }             // at most 1 MiB of it is in memory
///     }
///
/// **What is stored.** A value of data, or a `Codable` value, of more than 64 KiB is replaced by a
/// reference when a verb writes it. Its bytes go once into a table of the journal's environment, under their SHA-256, in
/// the transaction of the first commit that refers to them, so they are as durable as that commit. Events, records,
/// layers, editing contexts and feeds hold the reference of 40 bytes; the body of a commit, whose digest is in the hash
/// chain, therefore covers the bytes too. A value that is set ten times is stored once, and so is a value of many
/// objects. Nothing is ever removed from the journal, so a reference that was committed never becomes invalid.
///
/// **What a program sees.** A property of the type `Data`, or of a `Codable` type, has its bytes as if they were in the
/// record: they are read when the property is decoded, and not when objects are fetched. An untyped object has
/// ``Value/large(_:)``, from which the bytes are read on demand; whether a value is large depends on its size alone. A
/// reference equals data with the same bytes, so a value that an earlier version stored whole stays readable and equal,
/// and setting it again is no change. Comparing the two forms computes the digest of the data.
///
/// **What is not large.** Strings are stored whole: filters, collations and searches read all of their text, so a
/// reference would be resolved by each of them. An attribute that a uniqueness constraint names refuses a large value,
/// because the keys of a constraint are made from the values' bytes. No request sorts by data of any size.
///
/// **Limits.** One value has at most 64 MiB; the new values of one commit have at most 512 MiB together.
/// Until a commit is written, a value that was given as bytes is in memory; a value that was given as a file is read
/// from the file in pieces, and must not change before that.
public struct LargeValue: Sendable {
  /// The SHA-256 of the bytes.
  public let sha256: Digest
  /// The number of bytes, more than 64 KiB.
  public let size: Int
  /// The part that reads the bytes; `nil` for a reference that was read from text.
  package let source: (any LargeValueSource)?

  /// The size up to which a value is stored whole in events and records, in bytes: 64 KiB.
  package static let thresholdInBytes = 64 << 10
  /// The size of the largest value, in bytes: 64 MiB.
  package static let maximumSizeInBytes = 64 << 20
  /// The size of all pieces of a value but the last one, in bytes: 1 MiB.
  package static let chunkSizeInBytes = 1 << 20
  /// The bytes of a reference in a field.
  @inlinable
  package static var encodedSizeInBytes: Int { 40 }

  /// Creates a reference, or returns `nil` if no large value has the size.
  package init?(sha256: Digest, size: Int, source: (any LargeValueSource)? = nil) {
    guard size > LargeValue.thresholdInBytes, size <= LargeValue.maximumSizeInBytes else { return nil }
    self.sha256 = sha256
    self.size = size
    self.source = source
  }

  /// Reads the payload of a field.
  package init(payload: RawSpan) throws(MalformedBytes) {
    var reader = ByteReader(payload)
    let digest = try Digest(reading: &reader)
    let size = Int(clamping: try reader.fixed(UInt64.self))
    guard let value = LargeValue(sha256: digest, size: size) else {
      throw MalformedBytes(offset: Digest.byteCount, expected: "the size of a large value")
    }
    self = value
  }

  /// Creates a reference to bytes in memory, or returns `nil` if no large value has their size.
  ///
  /// - Complexity: O(*n*) for *n* bytes, whose digest is computed.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count > LargeValue.thresholdInBytes else { return nil }
    self.init(sha256: Digest(hashing: bytes.rawSpan), size: bytes.count, source: BytesInMemory(bytes: bytes))
  }

  /// Returns the same reference with another source.
  package func reading(from source: (any LargeValueSource)?) -> LargeValue {
    // The size was checked when this reference was made.
    LargeValue(sha256: sha256, size: size, source: source) ?? self
  }

  /// The number of pieces.
  package var chunkCount: Int { (size + LargeValue.chunkSizeInBytes - 1) / LargeValue.chunkSizeInBytes }

  /// Returns the size of a piece.
  package func sizeOfChunk(_ number: Int) -> Int {
    min(LargeValue.chunkSizeInBytes, size - number * LargeValue.chunkSizeInBytes)
  }
}

extension LargeValue: Hashable {
  public static func == (a: LargeValue, b: LargeValue) -> Bool { a.size == b.size && a.sha256 == b.sha256 }

  public func hash(into hasher: inout Hasher) { hasher.combine(size) }
}

extension LargeValue {
  /// Returns whether data has the bytes that the reference names.
  ///
  /// - Complexity: O(1) for data of another size, else O(*n*) for *n* bytes.
  package func equals(_ bytes: [UInt8]) -> Bool { size == bytes.count && sha256 == Digest(hashing: bytes.rawSpan) }
}

/// The text of a reference: `sha256:DIGEST:SIZE`, which is neither base64 nor JSON.
extension LargeValue: CustomStringConvertible {
  public var description: String { "sha256:\(sha256):\(size)" }

  /// Reads the text of a reference, or returns `nil` for any other text.
  package init?(text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "sha256", let digest = Digest(parts[1]), let size = Int(parts[2]),
      String(size) == parts[2]
    else { return nil }
    self.init(sha256: digest, size: size)
  }
}

/// The JSON of a reference: `{"sha256": "...", "size": 1048576}`.
extension LargeValue {
  package var json: JSONValue {
    .object([("sha256", .string(sha256.description)), ("size", .integer(Int64(size)))])
  }

  /// Reads the JSON of a reference, or returns `nil` for any other JSON.
  package init?(json: JSONValue) {
    guard let members = json.members, members.count == 2,
      let digest = members.first(where: { $0.key == "sha256" })?.value.stringValue.flatMap({ Digest($0) }),
      let size = members.first(where: { $0.key == "size" })?.value.integerValue
    else { return nil }
    self.init(sha256: digest, size: Int(size))
  }
}

extension LargeValue {
  /// Returns the source, which a reference that was read from text lacks.
  package func requireSource() throws(LargeValueFault) -> any LargeValueSource {
    guard let source else { throw .noSource(sha256) }
    return source
  }
}
