/// A line of an export, with the commit's metadata read and its events still encoded.
///
/// A commit may have a million events, so they are never all in memory as JSON: each is read, encoded and released.
package struct CommitLineReader: Sendable {
  package let position: Position
  package let commitID: ObjectID?
  package let recordedAt: Timestamp
  package let happenedAt: Timestamp?
  package let author: String?
  package let message: String?
  /// Why the commit was written.
  package let reasons: CommitReasons
  package let previousHash: Digest
  package let hash: Digest
  /// The stored form of the model, if the commit stores a model.
  package let model: JSONValue?
  private let text: [UInt8]
  /// The offset of the list of events.
  private let eventsOffset: Int

  /// The time that objects receive from the commit.
  package var time: Timestamp { happenedAt ?? recordedAt }

  private static let keys: Set<String> = [
    "position", "commitID", "recordedAt", "happenedAt", "author", "message", "previousHash", "hash", "events", "model",
    "metadata", "causation", "correlation", "undoes", "redoes",
  ]
  /// The depth limit of a line, in which a codable value of full depth is six levels deep.
  private static let maximumDepth = JSONValue.maximumDepth + 8

  /// Reads a line.
  ///
  /// - Throws: `EventFault` with the reason and, for invalid JSON, the column.
  package init(_ line: [UInt8]) throws(EventFault) {
    if let offset = JSONParser.invalidOffset(in: line) {
      throw EventFault("\(JSONError("a byte that is not UTF-8", at: offset, of: line).inLine)")
    }
    var parser = JSONParser(text: line, maximumDepth: CommitLineReader.maximumDepth)
    let (members, eventsOffset) = try CommitLineReader.split(&parser)
    try members.check(keys: CommitLineReader.keys)
    guard let position = try members.position("position") else { throw EventFault("“position” is missing") }
    self.position = position
    commitID = try members.optionalID("commitID")
    recordedAt = try members.time("recordedAt")
    happenedAt = try members.optionalTime("happenedAt")
    author = try members.optionalText("author")
    message = try members.optionalText("message")
    reasons = try CommitReasons(members)
    previousHash = try members.digest("previousHash")
    hash = try members.digest("hash")
    model = members.optional("model")
    guard (model == nil) != (eventsOffset == nil) else {
      throw EventFault("a commit has either “events” or a “model”")
    }
    text = line
    self.eventsOffset = eventsOffset ?? 0
  }

  /// Reads all members except the events, which it skips.
  private static func split(
    _ parser: inout JSONParser
  ) throws(EventFault) -> (members: EventMembers, eventsOffset: Int?) {
    var members: [(key: String, value: JSONValue)] = []
    var eventsOffset: Int?
    do throws(JSONError) {
      try parser.forEachMember { parser, key throws(JSONError) in
        guard !members.contains(where: { equalBytes($0.key, key) }), key != "events" || eventsOffset == nil else {
          throw parser.error("the key “\(key)” is there twice")
        }
        if key == "events" {
          eventsOffset = parser.offset
          try parser.skipList()
        } else {
          members.append((key: key, value: try parser.value()))
        }
      }
      parser.skipSpace()
      guard parser.offset == parser.text.count else { throw parser.error("nothing may follow the commit") }
    } catch {
      throw EventFault(error.inLine)
    }
    return (EventMembers(members), eventsOffset)
  }

  /// Returns the body of the commit, the number of its events, and whether named events are among them.
  ///
  /// The last is `nil` for a commit of a model, which has no events.
  ///
  /// - Parameter names: The names by the model before the commit; not needed for a commit of a model.
  /// - Throws: `EventFault`, which names the event.
  package func body(names: EventNames?) throws(EventFault) -> (
    bytes: [UInt8], eventCount: Int, bodyVersion: UInt64?
  ) {
    if let model {
      var bytes: [UInt8] = []
      model.write(to: &bytes)
      return (bytes, 0, nil)
    }
    guard let names else { throw EventFault("no model comes before the events") }
    var writer = EventWriter(position: position, time: time)
    var parser = JSONParser(text: text, maximumDepth: CommitLineReader.maximumDepth)
    parser.offset = eventsOffset
    do {
      try parser.forEachElement { parser in
        guard writer.count < CommitLimits.maximumEventCount, writer.bytes.count <= CommitLimits.maximumSizeInBytes
        else {
          throw EventFault(
            "the commit is larger than \(CommitLimits.maximumEventCount) events or \(CommitLimits.maximumSizeInBytes) bytes"
          )
        }
        try writer.append(Event(json: parser.value(), names: names), names: names)
      }
    } catch let error as JSONError {
      throw EventFault(error.inLine)
    } catch let fault as EventFault {
      throw EventFault("event \(writer.count + 1): \(fault)")
    } catch {
      preconditionFailure("Only the two errors above are thrown: \(error)")
    }
    guard writer.count > 0 || reasons.namesCommits else {
      throw EventFault("“events” is empty; a commit has at least one")
    }
    return (writer.bytes, writer.count, writer.bodyVersion)
  }
}

private extension CommitReasons {
  /// Reads the members of a line that only some commits have.
  init(_ members: EventMembers) throws(EventFault) {
    self.init()
    do {
      if let json = members.optional("metadata") { metadata = try CommitMetadata(json: json).checkedBytes() }
    } catch {
      throw EventFault("“metadata”: \(error)")
    }
    guard metadata != Array("{}".utf8) else { throw EventFault("“metadata” is empty; a commit without any lacks it") }
    if let json = members.optional("causation") {
      guard let causation = CommitReference(json: json) else {
        throw EventFault("“causation” is \(json.text.prefix(80)), and must be a position or a commit id")
      }
      self.causation = causation
    }
    if let json = members.optional("correlation") {
      guard let text = json.stringValue else { throw EventFault("“correlation” must be text, not \(json.nounPhrase)") }
      correlation = text
    }
    undoes = try CommitReasons.positions("undoes", members)
    redoes = try CommitReasons.positions("redoes", members)
    guard undoes.isEmpty || redoes.isEmpty else { throw EventFault("a commit has “undoes” or “redoes”, not both") }
  }

  private static func positions(_ key: String, _ members: EventMembers) throws(EventFault) -> PositionList {
    guard let json = members.optional(key) else { return PositionList() }
    let elements = json.elements ?? []
    let numbers = elements.compactMap { $0.integerValue.flatMap { UInt64(exactly: $0) } }
    guard !numbers.isEmpty, numbers.count == elements.count, let list = PositionList(numbers.map { Position($0) })
    else {
      throw EventFault("“\(key)” must be a list of at most \(PositionList.maximumCount) positions, which rise")
    }
    return list
  }
}

private extension JSONError {
  /// The message for a text that is one line of a file; the caller adds the line's number.
  var inLine: String { "column \(column): \(message)" }
}

private extension JSONParser {
  /// Reads an object, member by member; `body` must read or skip the value.
  mutating func forEachMember(
    _ body: (inout JSONParser, String) throws(JSONError) -> Void
  ) throws(JSONError) {
    skipSpace()
    guard take(UInt8(ascii: "{")) else { throw error("expected a commit, which is an object, but found \(here)") }
    skipSpace()
    if take(UInt8(ascii: "}")) { return }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a key in quotes, but found \(here)") }
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("expected “:” after the key, but found \(here)") }
      skipSpace()
      try body(&self, key)
      skipSpace()
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw error("expected “,” or “}”, but found \(here)") }
    }
  }

  /// Reads a list, element by element.
  mutating func forEachElement(_ body: (inout JSONParser) throws -> Void) throws {
    guard take(UInt8(ascii: "[")) else { throw error("expected a list, but found \(here)") }
    skipSpace()
    if take(UInt8(ascii: "]")) { return }
    while true {
      try body(&self)
      skipSpace()
      if take(UInt8(ascii: "]")) { return }
      guard take(UInt8(ascii: ",")) else { throw error("expected “,” or “]”, but found \(here)") }
    }
  }

  /// Moves past a list without decoding it, matching only its brackets and strings.
  mutating func skipList() throws(JSONError) {
    guard next == UInt8(ascii: "[") else { throw error("expected a list, but found \(here)") }
    var depth = 0
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""): skipString()
      default: break
      }
      offset += 1
      if depth == 0 { return }
    }
    throw error("the list does not end")
  }

  /// Moves to the closing quote of a string; the next byte must be its opening quote.
  private mutating func skipString() {
    offset += 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    offset = min(offset, text.count)
  }
}
