#if Server

/// The parts of a body of the type `multipart/form-data` (RFC 7578).
struct MultipartForm {
  /// The bytes of the parts by their names.
  let parts: [String: [UInt8]]

  /// The most parts of a form.
  static let maximumCount = 1_000

  /// Parses a body.
  ///
  /// - Parameter type: The value of the field `Content-Type`, with the boundary.
  /// - Throws: `Problem` with the status 400.
  init(_ body: [UInt8], type: String) throws {
    let delimiter = Array("\r\n--\(try MultipartForm.boundary(in: type))".utf8)
    // A boundary stands at the beginning of a line: after what precedes the first part, which is left out.
    var rest: ArraySlice<UInt8>
    if body.starts(with: delimiter.dropFirst(2)) {
      rest = body[(delimiter.count - 2)...]
    } else if let first = MultipartForm.range(of: delimiter, in: body[...]) {
      rest = body[first.upperBound...]
    } else {
      throw Problem(.badRequest, "The form has no boundary.")
    }
    var parts: [String: [UInt8]] = [:]
    // What follows the last boundary is left out, too (RFC 2046, 5.1.1).
    while !rest.starts(with: Array("--".utf8)) {
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard rest.starts(with: Array("\r\n".utf8)),
        let end = MultipartForm.range(of: delimiter, in: rest.dropFirst(2))
      else { throw Problem(.badRequest, "The form ends within a part.") }
      let part = rest[(rest.startIndex + 2)..<end.lowerBound]
      guard let head = MultipartForm.range(of: Array("\r\n\r\n".utf8), in: part) else {
        throw Problem(.badRequest, "A part of the form has no header.")
      }
      let name = try MultipartForm.name(in: part[..<head.lowerBound])
      guard parts[name] == nil else { throw Problem(.badRequest, "The form has two parts “\(name)”.", parameter: name) }
      guard parts.count < MultipartForm.maximumCount else { throw Problem(.badRequest, "The form has too many parts.") }
      parts[name] = Array(part[head.upperBound...])
      rest = rest[end.upperBound...]
    }
    self.parts = parts
  }

  private static func boundary(in type: String) throws -> String {
    for parameter in type.split(separator: ";").dropFirst() {
      let sides = parameter.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].trimmingWhitespace().lowercased() == "boundary" else { continue }
      var value = sides[1].trimmingWhitespace()
      if value.first == "\"", value.last == "\"", value.count >= 2 { value = value.dropFirst().dropLast() }
      // RFC 2046, 5.1.1.
      if (1...70).contains(value.utf8.count) { return String(value) }
    }
    throw Problem(.badRequest, "The Content-Type of the form has no boundary.", parameter: "Content-Type")
  }

  /// Returns the name in a part's field `Content-Disposition: form-data; name="..."`.
  private static func name(in header: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: header, as: UTF8.self) else {
      throw Problem(.badRequest, "The header of a part of the form is no UTF-8.")
    }
    for line in text.split(separator: "\r\n") where line.lowercased().hasPrefix("content-disposition:") {
      for parameter in line.split(separator: ";").dropFirst() {
        let sides = parameter.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, sides[0].trimmingWhitespace().lowercased() == "name" else { continue }
        let value = sides[1].trimmingWhitespace()
        return value.first == "\"" && value.last == "\"" && value.count >= 2
          ? String(value.dropFirst().dropLast()) : String(value)
      }
    }
    throw Problem(.badRequest, "A part of the form has no name.")
  }

  /// Returns the first place of a pattern.
  private static func range(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(of: first) {
      guard found + pattern.count <= bytes.endIndex else { return nil }
      if bytes[found..<(found + pattern.count)].elementsEqual(pattern) { return found..<(found + pattern.count) }
      start = found + 1
    }
    return nil
  }
}

#endif
