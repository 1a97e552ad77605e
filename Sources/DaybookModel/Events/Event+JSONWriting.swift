/// The amount of detail in a commit's line of JSON.
package enum CommitLineStyle: Hashable, Sendable {
  /// The details for people and programs that read the log.
  case log
  /// The details of the log, and what an import needs to write the same bytes.
  ///
  /// That is: former times, tags of the model, and the bytes of codable values that are not in canonical form.
  case export
}

extension Event {
  /// Appends the event as a JSON object.
  package func writeJSON(to output: inout [UInt8], names: EventNames, style: CommitLineStyle) {
    output += #"{"event": ""#.utf8
    output += kind.rawValue.utf8
    output.append(UInt8(ascii: "\""))
    if case .recorded(let name, _) = content {
      output.appendKey("name")
      JSONValue.string(name).write(to: &output)
    }
    output.appendKey("entity")
    JSONValue.string(entity).write(to: &output)
    output.appendMember("object", object)
    switch content {
    case .inserted(let values, let links), .deleted(let values, let links):
      output.append(values)
      output.append(links)
    case .recorded(_, let values): output.append(values)
    case .renamed(let change):
      output.appendKey("from")
      change.old.json(as: change.type).write(to: &output)
      output.appendKey("to")
      change.new.json(as: change.type).write(to: &output)
      if !isOfName(change, names) {
        output.appendKey("attribute")
        JSONValue.string(change.name).write(to: &output)
      }
    case .set(let changes):
      output.appendKey("values")
      output.append(changes, between: "{", "}") { change, output in
        JSONValue.string(change.name).write(to: &output)
        output += ": [".utf8
        change.old.json(as: change.type).write(to: &output)
        output += ", ".utf8
        change.new.json(as: change.type).write(to: &output)
        output += "]".utf8
      }
    case .related(let link), .unrelated(let link): output.append(link)
    case .unknown(let content):
      output.appendKey("content")
      JSONValue.string(Base64.text(of: content)).write(to: &output)
    }
    output.appendMember("previous", previous)
    output.appendMember("targetPrevious", link?.targetPrevious)
    output.appendMember("fromPrevious", link?.fromPrevious)
    if style == .export {
      writeExactBytes(to: &output)
      writeFormer(to: &output)
    }
    output += "}".utf8
  }

  /// Returns whether a renaming changed the model's name attribute.
  ///
  /// Any other attribute is named in the line.
  private func isOfName(_ change: Change, _ names: EventNames) -> Bool {
    // Decoding the event refuses names that the model lacks.
    guard let entity = try? names.entity(entity).number, let name = names.nameAttribute(of: entity) else {
      return false
    }
    return name.name == change.name
  }

  private func writeFormer(to output: inout [UInt8]) {
    guard let former else { return }
    output.appendKey("former")
    output += "{".utf8
    if let created = former.created, let createdAt = former.createdAt {
      output += #""created": \#(created), "createdAt": "\#(createdAt)", "#.utf8
    }
    output += #""changed": \#(former.changed), "changedAt": "\#(former.changedAt)"}"#.utf8
  }

  /// Writes the bytes of codable values that their JSON would not restore.
  ///
  /// Such bytes are in an older form, or come from another encoder.
  private func writeExactBytes(to output: inout [UInt8]) {
    var exact: [(key: String, value: JSONValue)] = []
    switch content {
    case .inserted(let values, _), .deleted(let values, _), .recorded(_, let values):
      for field in values {
        if let bytes = field.value.exactBytes(as: field.type) { exact.append((field.name, bytes)) }
      }
    case .set(let changes):
      for change in changes {
        let sides = [change.old, change.new].map { $0.exactBytes(as: change.type) }
        if sides.contains(where: { $0 != nil }) { exact.append((change.name, .array(sides.map { $0 ?? .null }))) }
      }
    case .renamed, .related, .unrelated, .unknown: return
    }
    guard !exact.isEmpty else { return }
    output.appendKey("bytes")
    JSONValue.object(exact).write(to: &output)
  }
}

private extension Value {
  /// Returns the bytes of a codable value in base64, or `nil` if they are its canonical JSON.
  ///
  /// A large value has its reference here too, because a codable value could be the same JSON.
  func exactBytes(as type: AttributeType) -> JSONValue? {
    if case .large(let value) = self, type == .codable { return value.json }
    guard case .data(let bytes) = self, type == .codable else { return nil }
    // Bytes that are not JSON are not canonical either.
    let canonical = try? JSONValue(parsing: bytes).canonicalBytes
    return canonical == bytes ? nil : .string(Base64.text(of: bytes))
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ values: [NamedValue]) {
    appendKey("values")
    append(values, between: "{", "}") { field, output in
      JSONValue.string(field.name).write(to: &output)
      output += ": ".utf8
      field.value.json(as: field.type).write(to: &output)
    }
  }

  fileprivate mutating func append(_ links: [NamedLink]) {
    guard !links.isEmpty else { return }
    appendKey("links")
    append(links, between: "{", "}") { link, output in
      JSONValue.string(link.name).write(to: &output)
      output += #": {"to": "#.utf8
      if let target = link.target { output.appendQuoted(target) }
      if !link.order.isEmpty {
        output.appendKey("order")
        output.appendHexadecimal(link.order)
      }
      output += "}".utf8
    }
  }

  fileprivate mutating func append(_ link: Event.Link) {
    appendKey("relationship")
    JSONValue.string(link.relationship).write(to: &self)
    appendKey("from")
    if let from = link.from { appendQuoted(from) } else { self += "null".utf8 }
    if let to = link.to { appendMember("to", to) }
    guard link.isOrdered || !link.oldOrder.isEmpty || !link.newOrder.isEmpty else { return }
    appendKey("order")
    append([link.oldOrder, link.newOrder], between: "[", "]") { order, output in output.appendHexadecimal(order) }
  }

  mutating func append<Item>(
    _ elements: [Item], between open: String, _ close: String, _ write: (Item, inout [UInt8]) -> Void
  ) {
    self += open.utf8
    var isFirst = true
    for element in elements {
      if !isFirst { self += ", ".utf8 }
      isFirst = false
      write(element, &self)
    }
    self += close.utf8
  }

  /// Appends a comma and a key.
  mutating func appendKey(_ key: StaticString) {
    self += ", \"".utf8
    key.withUTF8Buffer { append(contentsOf: $0) }
    self += "\": ".utf8
  }

  mutating func appendMember(_ key: StaticString, _ id: ObjectID) {
    appendKey(key)
    appendQuoted(id)
  }

  mutating func appendMember(_ key: StaticString, _ position: Position?) {
    guard let position else { return }
    appendKey(key)
    self += String(position.number).utf8
  }

  mutating func appendQuoted(_ id: ObjectID) {
    append(UInt8(ascii: "\""))
    for (word, isFirst) in [(id.high, true), (id.low, false)] {
      for digit in 0..<16 {
        if isFirst ? digit == 8 || digit == 12 : digit == 0 || digit == 4 { append(UInt8(ascii: "-")) }
        let value = UInt8(truncatingIfNeeded: word &>> UInt64(60 - digit * 4)) & 15
        append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends bytes in quoted hexadecimal, or null for no bytes.
  fileprivate mutating func appendHexadecimal(_ bytes: [UInt8]) {
    self += bytes.isEmpty ? "null".utf8 : "\"\(hexadecimalText(of: bytes.rawSpan))\"".utf8
  }
}
