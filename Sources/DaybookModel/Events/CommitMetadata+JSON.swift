/// The stored form of metadata: canonical JSON.
extension CommitMetadata {
  /// Reads metadata from a JSON object, without checking the limits.
  ///
  /// - Throws: `MetadataFault` for a value that is not a scalar, or a number that does not fit.
  package init(json: JSONValue) throws(MetadataFault) {
    guard let members = json.members else {
      throw MetadataFault("metadata are a JSON object, not \(json.nounPhrase)")
    }
    // More entries than are allowed would be inserted one by one at a quadratic cost.
    guard members.count <= CommitMetadata.maximumCount else { throw MetadataFault(count: members.count) }
    self.init()
    for (key, value) in members { self[key] = try CommitMetadata.value(value, of: key) }
  }

  private static func value(_ json: JSONValue, of key: String) throws(MetadataFault) -> Value {
    switch json {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .number(let number) where number.isFinite: return .double(number)
    case .string(let text): return .string(text)
    case .literal(let text):
      let isInteger = !text.utf8.contains {
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E")
      }
      if !isInteger, let number = Double(text), number.isFinite { return .double(number) }
      throw MetadataFault("the number \(text.prefix(40)) of “\(key)” does not fit 64 bits")
    case .number, .array, .object:
      throw MetadataFault("“\(key)” takes a string, a number, a boolean or null, not \(json.nounPhrase)")
    }
  }

  /// Reads the stored form.
  ///
  /// - Throws: `MetadataFault` if the bytes are not canonical, or exceed a limit.
  package init(canonicalBytes bytes: [UInt8]) throws(MetadataFault) {
    guard bytes.count <= CommitMetadata.maximumSizeInBytes else { throw MetadataFault(sizeInBytes: bytes.count) }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw MetadataFault("the metadata are not JSON: \(error)")
    }
    try self.init(json: json)
    guard try checkedBytes() == bytes else { throw MetadataFault("the metadata are not in canonical form") }
  }

  /// The entries as a JSON object.
  ///
  /// A value of a type that JSON lacks, which no commit has, becomes text.
  package var json: JSONValue {
    .object(entries.map { (key: $0.key, value: $0.value.scalarJSON ?? .string($0.value.text)) })
  }

  /// Returns the canonical JSON, whose keys are sorted by their bytes, after checking the limits.
  ///
  /// - Throws: `MetadataFault` for a value that is not a scalar of JSON, and for each exceeded limit.
  package func checkedBytes() throws(MetadataFault) -> [UInt8] {
    guard count <= CommitMetadata.maximumCount else { throw MetadataFault(count: count) }
    for entry in entries {
      let size = entry.key.utf8.count
      guard (1...CommitMetadata.maximumKeySizeInBytes).contains(size) else {
        throw MetadataFault(
          "the key “\(entry.key.prefix(40))” has \(size) bytes; 1 to \(CommitMetadata.maximumKeySizeInBytes) are allowed",
          isTooLarge: size > 0)
      }
      guard entry.value.scalarJSON != nil else {
        throw MetadataFault(
          "“\(entry.key)” takes a string, an integer, a finite double, a boolean or null, not \(entry.value.text.prefix(40))"
        )
      }
    }
    let bytes = json.canonicalBytes
    guard bytes.count <= CommitMetadata.maximumSizeInBytes else { throw MetadataFault(sizeInBytes: bytes.count) }
    return bytes
  }
}

private extension Value {
  /// The value as JSON, or `nil` if JSON has no such scalar.
  var scalarJSON: JSONValue? {
    switch self {
    case .null: .null
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .boolean(let flag): .boolean(flag)
    // Negative zero is written as zero, as in attributes.
    case .double(let number): number.isFinite ? .number(number == 0 ? 0 : number) : nil
    case .decimal, .date, .uuid, .data, .large: nil
    }
  }
}

/// The reason why metadata are refused.
package struct MetadataFault: Error, Hashable, CustomStringConvertible {
  package let description: String
  /// Whether a limit of size is exceeded, instead of a value being wrong.
  package let isTooLarge: Bool

  package init(_ description: String, isTooLarge: Bool = false) {
    self.description = description
    self.isTooLarge = isTooLarge
  }

  init(count: Int) {
    self.init("there are \(count) keys; \(CommitMetadata.maximumCount) are allowed", isTooLarge: true)
  }

  init(sizeInBytes size: Int) {
    self.init(
      "the metadata have \(size) bytes as JSON; \(CommitMetadata.maximumSizeInBytes) are allowed", isTooLarge: true)
  }
}
