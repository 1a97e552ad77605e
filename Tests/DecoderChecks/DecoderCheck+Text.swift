import DaybookModel
import DaybookTestSupport

extension DecoderCheck {
  static func json(_ bytes: [UInt8]) throws -> Bool {
    guard let json = try? JSONValue(parsing: bytes) else { return false }
    for text in [Array(json.text.utf8), Array(json.prettyText.utf8)] {
      let again = try JSONValue(parsing: text)
      try require(again == json, "\(json.text) becomes \(again.text)")
    }
    let canonical = json.canonicalBytes
    try require(JSONValue(parsing: canonical).canonicalBytes == canonical, "\(json.text) has two canonical forms")
    return true
  }

  /// Uses the first byte as the type, and reads the other bytes as JSON and as text.
  static func value(_ bytes: [UInt8]) throws -> Bool {
    guard let first = bytes.first else { return false }
    let type = AttributeType.allCases[Int(first) % AttributeType.allCases.count]
    let rest = Array(bytes.dropFirst())
    var isTaken = false
    if let json = try? JSONValue(parsing: rest), let value = try? Value(json: json, type: type) {
      let again = try Value(json: value.json(as: type), type: type)
      try require(stored(again) == stored(value), "\(json.text) as \(type) becomes \(again)")
      isTaken = true
    }
    if let value = try? Value(text: String(decoding: rest, as: UTF8.self), type: type) {
      if !value.isNull {
        let again = try Value(text: value.text(as: type), type: type)
        try require(stored(again) == stored(value), "\(value) as \(type) becomes \(again)")
      }
      isTaken = true
    }
    return isTaken
  }

  static func model(_ bytes: [UInt8]) throws -> Bool {
    guard let model = try? Model(parsing: bytes) else { return false }
    let again = try Model(parsing: Array(model.text.utf8))
    try require(again.text == model.text, "\(model.text) becomes \(again.text)")
    guard let resolved = try? ResolvedModel(creating: model) else { return true }
    let stored = resolved.storedJSON
    try require(ResolvedModel(stored: stored).storedJSON == stored, "\(stored.text) does not come back")
    return true
  }

  /// Returns the value in stored form, as comparable bytes.
  static func stored(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(Tag(1), value)
    return bytes
  }
}
