#if Import

import DaybookModel

/// Detects the type of a field from all of its JSON values.
struct JSONFieldDetection {
  /// The kinds of values that occur.
  struct Kinds: OptionSet {
    let rawValue: UInt8
    static let boolean = Kinds(rawValue: 1)
    static let number = Kinds(rawValue: 2)
    static let string = Kinds(rawValue: 4)
    static let object = Kinds(rawValue: 8)
    static let array = Kinds(rawValue: 16)
  }

  private var kinds: Kinds = []
  private(set) var valueCount = 0
  /// Whether all numbers are whole numbers of 64 bits, written without fraction and exponent.
  private var areIntegers = true
  /// Whether doubles hold all whole numbers exactly, and no number is too large for a double.
  private var areDoubles = true
  private var areDecimals = true
  private var textTypes: TextTypes = [.date, .uuid]
  /// Whether all elements of all arrays are objects.
  private var hasOnlyObjects = true
  private var elementCount = 0

  /// Adds a value that is not null.
  mutating func add(_ value: JSONValue) {
    valueCount += 1
    switch value {
    case .null: valueCount -= 1
    case .boolean: kinds.insert(.boolean)
    case .integer(let number):
      kinds.insert(.number)
      if areDoubles { areDoubles = Int64(exactly: Double(number)) == number }
    case .number(let number):
      kinds.insert(.number)
      areIntegers = false
      // The digits are at most 17, so the magnitude decides.
      if areDecimals { areDecimals = number == 0 || (1e-110..<1e127).contains(abs(number)) }
    case .literal(let text): add(literal: text, value)
    case .string(let text):
      kinds.insert(.string)
      if !textTypes.isEmpty { textTypes = TextTypes(of: Array(text.utf8)[...], among: textTypes) }
    case .object: kinds.insert(.object)
    case .array(let elements):
      kinds.insert(.array)
      elementCount += elements.count
      if hasOnlyObjects { hasOnlyObjects = elements.allSatisfy { $0.members != nil } }
    }
  }

  /// Adds a number that neither 64 bits nor a double holds exactly.
  private mutating func add(literal text: String, _ value: JSONValue) {
    kinds.insert(.number)
    areIntegers = false
    let isWhole = text.utf8.allSatisfy {
      $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    if isWhole || Double(text)?.isFinite != true { areDoubles = false }
    if areDecimals { areDecimals = (try? Value(json: value, type: .decimal)) != nil }  // An error is the answer.
  }

  /// Whether all values are objects, which can be an entity.
  var isObject: Bool { kinds == .object }

  /// Whether all values are arrays of objects, of which there are some.
  var isObjectList: Bool { kinds == .array && hasOnlyObjects && elementCount > 0 }

  /// The type that holds all values, with the reason where it is not the values' own type.
  var type: (type: AttributeType, note: String?) {
    if !kinds.isDisjoint(with: [.object, .array]) { return (.codable, nil) }
    switch kinds {
    case []: return (.string, nil)
    case .boolean: return (.boolean, nil)
    case .string: return (textTypes.contains(.date) ? .date : textTypes.contains(.uuid) ? .uuid : .string, nil)
    case .number: return number
    default: return (.string, "has \(kinds.words), so its values become strings")
    }
  }

  private var number: (type: AttributeType, note: String?) {
    if areIntegers { return (.integer, nil) }
    if areDoubles { return (.double, nil) }
    if areDecimals { return (.decimal, "has numbers that no double holds exactly, so its values become decimals") }
    return (.string, "has numbers that no decimal holds, so its values become strings")
  }
}

extension JSONFieldDetection.Kinds {
  /// The kinds in words.
  var words: String {
    let names: [(Self, String)] = [(.boolean, "booleans"), (.number, "numbers"), (.string, "strings")]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: " and ")
  }
}

#endif
