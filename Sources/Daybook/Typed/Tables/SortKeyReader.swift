import DaybookModel
import Foundation

/// Reads the values of a sort key; see ``SortKey`` for the bytes.
///
/// Strings are read in the order of code points, and no term descends.
struct SortKeyReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// Reads a value of a type, or null.
  mutating func value(of type: AttributeType) throws(MalformedBytes) -> Value {
    switch try byte() {
    case 0: return .null
    case 1: break
    default: throw fault("the beginning of a value")
    }
    switch type {
    case .integer: return .integer(try integer())
    case .date: return .date(Timestamp(microseconds: try integer()))
    case .double: return .double(try double())
    case .boolean: return .boolean(try byte() != 0)
    case .uuid: return .uuid(try id())
    case .decimal: return .decimal(try decimal())
    case .data, .codable: return .data(try escaped())
    case .string:
      guard let text = String(validating: try escaped(), as: UTF8.self) else { throw fault("UTF-8") }
      return .string(text)
    }
  }

  private func fault(_ expected: String) -> MalformedBytes { MalformedBytes(offset: offset, expected: expected) }

  private mutating func byte() throws(MalformedBytes) -> UInt8 {
    guard offset < bytes.count else { throw fault("a byte") }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func word() throws(MalformedBytes) -> UInt64 {
    var word: UInt64 = 0
    for _ in 0..<8 { word = word << 8 | UInt64(try byte()) }
    return word
  }

  private mutating func integer() throws(MalformedBytes) -> Int64 { Int64(bitPattern: try word() ^ (1 << 63)) }

  private mutating func double() throws(MalformedBytes) -> Double {
    let bits = try word()
    return Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }

  private mutating func id() throws(MalformedBytes) -> ObjectID {
    let high = try word()
    return ObjectID(high: high, low: try word())
  }

  /// Reads bytes in which 0 is written as 0 255, up to 0 0.
  private mutating func escaped() throws(MalformedBytes) -> [UInt8] {
    var content: [UInt8] = []
    while true {
      let next = try byte()
      guard next == 0 else {
        content.append(next)
        continue
      }
      switch try byte() {
      case 0: return content
      case 255: content.append(0)
      default: throw fault("0 0 or 0 255")
      }
    }
  }

  /// Reads a sign, the power of ten above the first digit, and the digits.
  private mutating func decimal() throws(MalformedBytes) -> Decimal {
    let sign = try byte()
    if sign == 1 { return 0 }
    let mask: UInt8 = sign == 0 ? 255 : 0
    let high = try byte() ^ mask
    let magnitude = Int(high) << 8 + Int(try byte() ^ mask) - 32_768
    var digits = ""
    while true {
      let next = try byte() ^ mask
      if next == 0 { break }
      guard (1...10).contains(next) else { throw fault("a digit") }
      digits.append(Character(UnicodeScalar(next - 1 + UInt8(ascii: "0"))))
    }
    guard (1...38).contains(digits.count), (-128...127).contains(magnitude - digits.count),
      let significand = Decimal(string: digits)
    else { throw fault("the digits of a decimal") }
    return Decimal(sign: sign == 0 ? .minus : .plus, exponent: magnitude - digits.count, significand: significand)
  }
}
