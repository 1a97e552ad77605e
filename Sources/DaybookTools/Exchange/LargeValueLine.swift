import Daybook
import DaybookModel

/// The lines with the bytes of a large value in an export, before the line of the first commit that refers to it.
///
///     {"largeValue": {"sha256": "...", "size": 1500000, "chunk": 0, "bytes": "base64"}}
///     {"largeValue": {"sha256": "...", "size": 1500000, "chunk": 1, "bytes": "base64"}}
///
/// A line has a piece of at most 1 MiB, so that neither side needs memory for more than a piece and one value. As
/// CloudEvents, a piece is an event of the type `daybook.value`, whose `id` is the digest and the number of the piece and
/// whose `data_base64` is the piece.
package struct LargeValueLine {
  /// The value, whose bytes are not all known yet.
  let value: LargeValue
  let chunk: Int
  let bytes: [UInt8]

  private static let key = "largeValue"

  /// Writes the lines of a value.
  ///
  /// - Parameter write: Receives a line.
  /// - Throws: Any error of `write`; `StoreError` with the code `damaged` if the bytes cannot be read.
  static func write(_ value: LargeValue, as form: Exporter.Form, of store: Store, to write: ([UInt8]) throws -> Void)
    throws
  {
    var chunk = 0
    try value.forEachChunk { bytes in
      try write(LargeValueLine(value: value, chunk: chunk, bytes: bytes).line(as: form, of: store))
      chunk += 1
    }
  }

  private func line(as form: Exporter.Form, of store: Store) -> [UInt8] {
    switch form {
    case .commits: line
    case .cloudEvents:
      LargeValueLine.line(
        of: .object([
          ("specversion", "1.0"), ("id", .string("\(value.sha256).\(chunk)")),
          ("source", .string("urn:uuid:\(store.id)")), ("type", "daybook.value"),
          ("subject", .string(value.sha256.description)), ("datacontenttype", "application/octet-stream"),
          ("data_base64", .string(Base64.text(of: bytes))),
        ]))
    }
  }

  /// The line of an export, with its end.
  package var line: [UInt8] {
    LargeValueLine.line(
      of: .object([
        (
          LargeValueLine.key,
          .object([
            ("sha256", .string(value.sha256.description)), ("size", .integer(Int64(value.size))),
            ("chunk", .integer(Int64(chunk))), ("bytes", .string(Base64.text(of: bytes))),
          ])
        )
      ]))
  }

  private static func line(of json: JSONValue) -> [UInt8] {
    var line: [UInt8] = []
    json.write(to: &line)
    line.append(UInt8(ascii: "\n"))
    return line
  }
}

/// Reading a line.
extension LargeValueLine {
  /// Returns whether a line has a piece of a value, from its first member.
  package static func isOne(_ text: [UInt8]) -> Bool {
    let start = text.prefix(64).filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return start.starts(with: "{\"\(key)\":".utf8)
  }

  /// - Throws: `CommitRefusal` if the line is not one that an export has.
  package init(_ text: [UInt8]) throws {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text)
    } catch {
      throw CommitRefusal(.damaged, "it is no JSON, at byte \(error.column): \(error.message)")
    }
    guard json.members?.count == 1, let members = json[LargeValueLine.key]?.members, members.count == 4,
      let digest = json[LargeValueLine.key]?["sha256"]?.stringValue.flatMap({ Digest($0) }),
      let size = json[LargeValueLine.key]?["size"]?.integerValue,
      let value = LargeValue(sha256: digest, size: Int(size)),
      let chunk = json[LargeValueLine.key]?["chunk"]?.integerValue, (0..<Int64(value.chunkCount)).contains(chunk),
      let text = json[LargeValueLine.key]?["bytes"]?.stringValue, let bytes = Base64.bytes(of: text),
      bytes.count == value.sizeOfChunk(Int(chunk))
    else { throw CommitRefusal(.damaged, "it is no piece of a large value") }
    (self.value, self.chunk, self.bytes) = (value, Int(chunk), bytes)
  }
}
