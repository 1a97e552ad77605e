/// Writes events as CloudEvents 1.0 in JSON, a line each.
///
/// `type` is `daybook.` and the kind of the event, or the name of a recorded one; `subject` is the object, `id` the
/// position and the number of the event from 0, `source` the store, and `data` the event as a log prints it. A commit of
/// a model is one event of the type `daybook.model`. Causation and correlation are extensions.
///
/// See https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md.
package struct CloudEventWriter: Sendable {
  private let source: String

  /// - Parameter storeID: The identity of the store.
  package init(storeID: ObjectID) {
    source = "urn:uuid:\(storeID)"
  }

  /// Appends the events of a commit.
  ///
  /// - Throws: `EventFault` if an event is damaged; the output then holds a part of the lines.
  package func write(
    _ header: CommitHeader, body: RawSpan, names: EventNames, to output: inout [UInt8]
  ) throws(EventFault) {
    guard !header.isModel else {
      begin(header, number: 0, type: "daybook.model", subject: nil, to: &output)
      names.model.model.json.write(to: &output)
      output += "}\n".utf8
      return
    }
    var number = 0
    try Event.forEach(in: body, of: header, names: names) { event in
      begin(header, number: number, type: CloudEventWriter.type(of: event), subject: event.object, to: &output)
      event.writeJSON(to: &output, names: names, style: .log)
      output += "}\n".utf8
      number += 1
    }
  }

  private static func type(of event: Event) -> String {
    if case .recorded(let name, _) = event.content { name } else { "daybook.\(event.kind.rawValue)" }
  }

  /// Appends everything before the value of `data`.
  private func begin(
    _ header: CommitHeader, number: Int, type: String, subject: ObjectID?, to output: inout [UInt8]
  ) {
    output += #"{"specversion": "1.0", "id": "\#(header.position).\#(number)", "source": "\#(source)", "type": "#.utf8
    JSONValue.string(type).write(to: &output)
    if let subject { output.appendMember("subject", subject) }
    output += #", "time": "\#(header.time)", "datacontenttype": "application/json""#.utf8
    // An extension's value is a string, a number or a boolean; the name of a cause is a string in both of its forms.
    if let causation = header.reasons.causation { output += #", "causation": "\#(causation)""#.utf8 }
    if let correlation = header.reasons.correlation {
      output.appendKey("correlation")
      JSONValue.string(correlation).write(to: &output)
    }
    output.appendKey("data")
  }
}
