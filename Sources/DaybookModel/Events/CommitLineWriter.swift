/// Writes commits as lines of JSON.
package struct CommitLineWriter {
  package let style: CommitLineStyle
  /// The events to write.
  private let selection: EventSelection

  package init(_ style: CommitLineStyle, events selection: EventSelection = .all) {
    self.style = style
    self.selection = selection
  }

  /// Appends a commit's line, without the line's end.
  ///
  /// - Throws: `EventFault` if an event or the model is damaged; the output then holds a part of the line.
  package func write(
    _ header: CommitHeader, hash: Digest, body: RawSpan, names: EventNames, to output: inout [UInt8]
  ) throws(EventFault) {
    write(header, hash, to: &output)
    if !header.reasons.isEmpty { try CommitLineWriter.write(header.reasons, to: &output) }
    if header.isModel {
      output.appendKey("model")
      (style == .log ? names.model.model.json : try CommitLineWriter.storedModel(body)).write(to: &output)
    } else {
      output.appendKey("events")
      try writeEvents(of: header, body, names, to: &output)
    }
    output += "}".utf8
  }

  private func write(_ header: CommitHeader, _ hash: Digest, to output: inout [UInt8]) {
    output += #"{"position": \#(header.position)"#.utf8
    output.appendKey("commitID")
    if let id = header.commitID { output.appendQuoted(id) } else { output += "null".utf8 }
    output += #", "recordedAt": "\#(header.recordedAt)""#.utf8
    output.appendKey("happenedAt")
    output += header.happenedAt.map { "\"\($0)\"" }.map(\.utf8) ?? "null".utf8
    output.appendKey("author")
    JSONValue(header.author).write(to: &output)
    output.appendKey("message")
    JSONValue(header.message).write(to: &output)
    output += #", "previousHash": "\#(header.previousHash)", "hash": "\#(hash)""#.utf8
  }

  /// Appends the members that only some commits have.
  private static func write(_ reasons: CommitReasons, to output: inout [UInt8]) throws(EventFault) {
    func write(_ key: StaticString, _ value: JSONValue) {
      output.appendKey(key)
      value.write(to: &output)
    }
    do throws(MetadataFault) {
      if !reasons.metadata.isEmpty { write("metadata", try reasons.decodedMetadata().json) }
    } catch {
      throw EventFault("\(error)")
    }
    if let causation = reasons.causation { write("causation", causation.json) }
    if let correlation = reasons.correlation { write("correlation", .string(correlation)) }
    if !reasons.undoes.isEmpty { write("undoes", reasons.undoes.json) }
    if !reasons.redoes.isEmpty { write("redoes", reasons.redoes.json) }
  }

  private func writeEvents(
    of header: CommitHeader, _ body: RawSpan, _ names: EventNames, to output: inout [UInt8]
  ) throws(EventFault) {
    output += "[".utf8
    var isFirst = true
    try Event.forEach(in: body, of: header, names: names, where: selection) { event in
      if !isFirst { output += ", ".utf8 }
      isFirst = false
      event.writeJSON(to: &output, names: names, style: style)
    }
    output += "]".utf8
  }

  private static func storedModel(_ body: RawSpan) throws(EventFault) -> JSONValue {
    do {
      return try JSONValue(parsing: [UInt8](body))
    } catch {
      throw EventFault("its model is damaged: \(error)")
    }
  }
}

private extension PositionList {
  var json: JSONValue { .array(positions.map(\.json)) }
}

private extension JSONValue {
  init(_ text: String?) {
    self = text.map { .string($0) } ?? .null
  }
}
