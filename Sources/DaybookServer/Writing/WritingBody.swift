import DaybookModel
import HTTPTypes
import Hummingbird
import NIOCore

/// The body of a request that writes: JSON, or a form with JSON and files.
package struct WritingBody {
  package let json: JSONValue

  /// Reads the body.
  ///
  /// - Throws: `Problem`: 413 for a body that is too large, 415 for another media type, 400 for what cannot be parsed.
  package init(_ request: ServerRequest, limit: Int) async throws {
    let type = request.request.headers[.contentType] ?? ""
    let media = type.split(separator: ";").first.map { $0.trimmingWhitespace().lowercased() } ?? ""
    guard media == "application/json" || media == "multipart/form-data" else {
      throw Problem(
        .unsupportedMediaType, type.isEmpty ? "The body has no Content-Type." : "A body of \(media) is not understood.",
        advice: "Send application/json, or multipart/form-data with the parts commit and files.")
    }
    let bytes = try await WritingBody.bytes(of: request, limit)
    if media == "application/json" {
      json = try WritingBody.parse(bytes)
      return
    }
    let form = try MultipartForm(bytes, type: type)
    guard let commit = form.parts["commit"] else {
      throw Problem(.badRequest, "The form has no part “commit”.", parameter: "commit")
    }
    json = try WritingBody.parse(commit).replacing(files: form.parts)
  }

  /// The body as a line of operations.
  var line: JSONValue { json }

  private static func bytes(of request: ServerRequest, _ limit: Int) async throws -> [UInt8] {
    do {
      let buffer = try await request.request.body.collect(upTo: limit)
      return Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw Problem(
        .contentTooLarge, "The body is larger than \(limit) bytes.", advice: "Write it in several commits.")
    }
  }

  private static func parse(_ bytes: [UInt8]) throws -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw Problem(.badRequest, "The body is no JSON, at byte \(error.column): \(error.message).")
    }
  }
}

private extension JSONValue {
  /// Returns the value with the bytes of files, in base64, in place of `{"file": "NAME"}`.
  ///
  /// - Throws: `Problem` with the status 400 for a file that the form lacks.
  func replacing(files: [String: [UInt8]]) throws -> JSONValue {
    if let elements { return .array(try elements.map { try $0.replacing(files: files) }) }
    guard let members else { return self }
    if members.count == 1, members[0].key == "file", let name = members[0].value.stringValue {
      guard let bytes = files[name] else {
        throw Problem(.badRequest, "The form has no file “\(name)”.", parameter: name)
      }
      return .string(Base64.text(of: bytes))
    }
    return .object(try members.map { ($0.key, try $0.value.replacing(files: files)) })
  }
}
