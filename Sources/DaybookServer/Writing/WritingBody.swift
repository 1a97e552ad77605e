#if Server

import DaybookModel
import DaybookTools
import HTTPTypes
import Hummingbird
import NIOCore

/// The body of a request that writes: JSON, or a form with JSON and files.
package struct WritingBody {
  package let json: JSONValue
  /// The files of a form that are large values, to which ``json`` refers.
  let files: [LargeValue]

  /// Reads the body.
  ///
  /// A file of a form takes the place of `{"file": "NAME"}`: as base64, or as the reference to a large value.
  ///
  /// - Throws: `Problem`: 413 for a body that is too large, 415 for another media type, 400 for what cannot be parsed.
  package init(_ request: ServerRequest, _ configuration: ServerConfiguration) async throws {
    let type = request.request.headers[.contentType] ?? ""
    let media = request.mediaType
    guard media == "application/json" || media == "multipart/form-data" else {
      throw request.unsupportedMediaType(
        advice: "Send application/json, or multipart/form-data with the parts commit and files.")
    }
    let isForm = media != "application/json"
    let limit = isForm ? configuration.formLimit : configuration.bodyLimit
    let bytes = Array(try await request.body(upTo: limit, isForm ? "form" : "body").readableBytesView)
    // A large body takes seconds to parse, in which the threads that serve everybody must not be held.
    (json, files) = try await ThreadPoolExecutor.run { () -> (JSONValue, [LargeValue]) in
      guard isForm else { return (try WritingBody.parse(bytes), []) }
      let form = try MultipartForm(bytes, type: type)
      guard let commit = form.parts["commit"] else {
        throw Problem(.badRequest, "The form has no part “commit”.", parameter: "commit")
      }
      var files = FormFiles(parts: form.parts)
      let json = try files.replacing(in: WritingBody.parse(commit))
      return (json, files.largeValues)
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

/// The files of a form that its JSON names.
private struct FormFiles {
  let parts: [String: [UInt8]]
  /// The files that became references.
  private(set) var largeValues: [LargeValue] = []
  private var known: [String: JSONValue] = [:]

  init(parts: [String: [UInt8]]) {
    self.parts = parts
  }

  /// Returns the JSON with files in place of `{"file": "NAME"}`.
  ///
  /// - Throws: `Problem` with the status 400 for a file that the form lacks, 413 for one that no value can be.
  mutating func replacing(in json: JSONValue) throws -> JSONValue {
    if let elements = json.elements { return .array(try elements.map { try replacing(in: $0) }) }
    guard let members = json.members else { return json }
    if let reference = FileReference(json: json) { return try file(reference.name) }
    return .object(try members.map { ($0.key, try replacing(in: $0.value)) })
  }

  private mutating func file(_ name: String) throws -> JSONValue {
    if let json = known[name] { return json }
    guard let bytes = parts[name] else {
      throw Problem(.badRequest, "The form has no file “\(name)”.", parameter: name)
    }
    guard bytes.count <= LargeValue.maximumSizeInBytes else {
      throw Problem(.contentTooLarge, "The file “\(name)” is larger than \(LargeValue.maximumSizeInBytes) bytes.")
    }
    let value = LargeValue(bytes)
    if let value { largeValues.append(value) }
    let json = value?.json ?? .string(Base64.text(of: bytes))
    known[name] = json
    return json
  }
}

#endif
