import Daybook
import DaybookModel

/// Writes the result of a request as one JSON value: the position, and the sections with their objects.
///
/// An object has the values at the ends of the paths that the request shows as `shown`, if it names some. The value is
/// written in pieces while the objects are read, so that results of any size need no memory.
package struct FetchWriter {
  private var encoder: ObjectEncoder
  private var output: [UInt8] = []
  /// The name of the section in progress.
  private var present: String?
  private var isFirst = true

  package init(_ model: ResolvedModel) {
    encoder = ObjectEncoder(model)
  }

  /// Writes a result.
  ///
  /// - Parameters:
  ///   - members: Members that follow the sections; called after the objects were read.
  ///   - sink: Receives the pieces, in order.
  /// - Throws: `StoreError` with the code `badRequest`; what the closures throw.
  package mutating func write(
    _ request: FetchRequest, _ reader: borrowing StoreReader,
    followedBy members: (borrowing StoreReader) throws -> [(key: String, value: JSONValue)] = { _ in [] },
    to sink: ([UInt8]) throws -> Void
  ) throws {
    output = Array("{\"position\": \(reader.position), \"sections\": [".utf8)
    (present, isFirst) = (nil, true)
    if request.section == nil { begin("") }
    var shown = request.shows == nil ? nil : try ShownReader(request, in: reader)
    try reader.forEachObject(in: request) { object, section in
      // Sections are distinguished by bytes: names that look the same may differ in them.
      if present.map({ Value.string($0) != .string(section) }) ?? true {
        begin(section)
        isFirst = true
      }
      if !isFirst { output += ", ".utf8 }
      isFirst = false
      var members = encoder.members(of: object)
      if let values = try shown?.values(of: object.id) { members.append(ShownValue.member(values)) }
      JSONValue.object(members).write(to: &output)
      try sink(output)
      output.removeAll(keepingCapacity: true)
      return true
    }
    output += (present == nil ? "]" : "]}]").utf8
    for (key, value) in try members(reader) {
      output += ", ".utf8
      JSONValue.string(key).write(to: &output)
      output += ": ".utf8
      value.write(to: &output)
    }
    output += "}".utf8
    try sink(output)
  }

  private mutating func begin(_ section: String) {
    if present != nil { output += "]}, ".utf8 }
    output += "{\"name\": ".utf8
    JSONValue.string(section).write(to: &output)
    output += ", \"objects\": [".utf8
    present = section
  }
}
