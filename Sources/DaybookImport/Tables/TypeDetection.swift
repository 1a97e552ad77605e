#if Import

import DaybookModel

/// The types that the texts of a column can have, of those that are detected.
struct TextTypes: OptionSet {
  let rawValue: UInt8

  static let integer = TextTypes(rawValue: 1)
  static let double = TextTypes(rawValue: 2)
  static let boolean = TextTypes(rawValue: 4)
  static let date = TextTypes(rawValue: 8)
  static let uuid = TextTypes(rawValue: 16)
  static let all: TextTypes = [.integer, .double, .boolean, .date, .uuid]

  /// Whether a text has a type; only types in `candidates` are tried.
  init(of text: ArraySlice<UInt8>, among candidates: TextTypes) {
    self = []
    if !candidates.isDisjoint(with: [.integer, .double]) { formUnion(TextTypes.number(text)) }
    if candidates.contains(.boolean), text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) {
      insert(.boolean)
    }
    if candidates.contains(.date), TextTypes.isDate(text) { insert(.date) }
    if candidates.contains(.uuid), text.count == 36, ObjectID(String(decoding: text, as: UTF8.self)) != nil {
      insert(.uuid)
    }
    formIntersection(candidates)
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }

  private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
    // The longest time has a sign, six digits of the year and some digits of a second.
    guard (10...64).contains(text.count), let first = text.first,
      isDigit(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    else { return false }
    return Timestamp(String(decoding: text, as: UTF8.self)) != nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  /// Returns the types of a number without plus and without leading zeros, as in JSON.
  ///
  /// A whole number is a double only if the double is exactly the number; otherwise a long identity would lose its last digits.
  private static func number(_ text: ArraySlice<UInt8>) -> TextTypes {
    var rest = text
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    guard let first = rest.first, isDigit(first) else { return [] }
    let whole = rest.prefix(while: isDigit)
    guard whole.count == 1 || first != UInt8(ascii: "0") else { return [] }
    rest = rest[whole.endIndex...]
    let isWhole = rest.isEmpty
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return [] }
      rest = rest[fraction.endIndex...]
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      let exponent = rest.prefix(while: isDigit)
      guard !exponent.isEmpty else { return [] }
      rest = rest[exponent.endIndex...]
    }
    guard rest.isEmpty else { return [] }
    return isWhole ? wholeNumber(text) : fraction(text)
  }

  private static func wholeNumber(_ text: ArraySlice<UInt8>) -> TextTypes {
    guard text.count <= 20, let number = Int64(String(decoding: text, as: UTF8.self)) else { return [] }
    guard number != 0 || text.count == 1 else { return .double }
    return Int64(exactly: Double(number)) == number ? [.integer, .double] : .integer
  }

  private static func fraction(_ text: ArraySlice<UInt8>) -> TextTypes {
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return [] }
    // A number that is too small for a double would become zero.
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let isZero = !mantissa.contains { $0 >= UInt8(ascii: "1") && $0 <= UInt8(ascii: "9") }
    return number == 0 && !isZero ? [] : .double
  }
}

/// Detects the type of a column from all of its texts.
struct TypeDetection {
  private var candidates = TextTypes.all
  /// The number of texts that are not empty.
  private(set) var valueCount = 0

  /// Adds a text that is not empty.
  mutating func add(_ text: ArraySlice<UInt8>) {
    valueCount += 1
    if !candidates.isEmpty { candidates = TextTypes(of: text, among: candidates) }
  }

  /// The type that all texts have: a string if there is no text, or no other type.
  var type: AttributeType {
    guard valueCount > 0 else { return .string }
    if candidates.contains(.boolean) { return .boolean }
    if candidates.contains(.integer) { return .integer }
    if candidates.contains(.double) { return .double }
    if candidates.contains(.date) { return .date }
    return candidates.contains(.uuid) ? .uuid : .string
  }
}

#endif
