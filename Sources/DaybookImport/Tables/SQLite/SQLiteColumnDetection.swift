#if Import

import DaybookModel

/// Detects the type of a column from its declaration and all of its values.
struct SQLiteColumnDetection {
  private let column: SQLiteColumn
  private let purpose: SQLitePurpose?
  private var integerCount = 0
  private var realCount = 0
  private var textCount = 0
  private var blobCount = 0
  private(set) var nullCount = 0
  private var areZeroOrOne = true
  private var areDates = true
  private var areDecimals = true
  private var areTextIDs = true
  private var areByteIDs = true
  /// Whether a double holds all integers exactly.
  private var areDoubles = true
  private var invalidTextCount = 0

  init(_ column: SQLiteColumn) {
    self.column = column
    purpose = SQLitePurpose(declared: column.declared)
  }

  mutating func add(_ storage: SQLiteStorage) {
    switch storage {
    case .null: nullCount += 1
    case .integer(let number):
      integerCount += 1
      if number != 0, number != 1 { areZeroOrOne = false }
      if areDoubles { areDoubles = Int64(exactly: Double(number)) == number }
    case .real(let number):
      realCount += 1
      if areDecimals, purpose == .decimal || integerCount > 0 {
        areDecimals = SQLiteColumnDetection.isDecimal("\(number)")
      }
    case .text(let bytes): add(text: bytes)
    case .blob(let bytes):
      blobCount += 1
      if bytes.count != ObjectID.byteCount { areByteIDs = false }
    }
  }

  private mutating func add(text bytes: [UInt8]) {
    textCount += 1
    guard TextDecoder.invalidOffset(in: bytes) == nil else {
      invalidTextCount += 1
      return
    }
    switch purpose {
    case .date: if areDates { areDates = TextTypes(of: bytes[...], among: .date) == .date }
    case .uuid: if areTextIDs { areTextIDs = TextTypes(of: bytes[...], among: .uuid) == .uuid }
    case .decimal:
      if areDecimals { areDecimals = SQLiteColumnDetection.isDecimal(String(decoding: bytes, as: UTF8.self)) }
    case .boolean, nil: break
    }
  }

  private static func isDecimal(_ text: String) -> Bool {
    (try? Value(text: text, type: .decimal)) != nil  // An error is the answer.
  }

  var valueCount: Int { integerCount + realCount + textCount + blobCount }

  /// The type that holds all values, with the reason where it is not the declared one, as the end of a sentence.
  var type: (type: AttributeType, note: String?) {
    if valueCount == 0 { return (declaredType, nil) }
    if invalidTextCount > 0 {
      return (
        .data, "has \(invalidTextCount) texts that are not valid in the file's encoding, so its values become bytes"
      )
    }
    if blobCount == valueCount {
      return (purpose == .uuid && areByteIDs ? .uuid : .data, nil)
    }
    if blobCount > 0 { return (.data, "has \(kinds), so its values become bytes") }
    if purpose == .decimal, areDecimals { return (.decimal, nil) }
    if textCount == 0 { return number }
    if textCount < valueCount { return (.string, "has \(kinds), so its values become strings") }
    switch purpose {
    case .date:
      return areDates ? (.date, nil) : (.string, "has texts that are not ISO 8601 dates, so its values become strings")
    case .uuid where areTextIDs: return (.uuid, nil)
    default: return (.string, nil)
    }
  }

  private var number: (type: AttributeType, note: String?) {
    guard realCount > 0 else {
      switch purpose {
      case .boolean where areZeroOrOne: return (.boolean, nil)
      case .boolean: return (.integer, "has integers other than 0 and 1, so its values become integers")
      case .date: return (.integer, "has numbers, whose unit is not known, so its values become integers")
      default: return (.integer, nil)
      }
    }
    if areDoubles || integerCount == 0 {
      return (.double, purpose == .decimal ? "has numbers that no decimal holds, so its values become doubles" : nil)
    }
    let note = "has integers that no double holds and numbers with fractions, so its values become"
    return areDecimals ? (.decimal, "\(note) decimals") : (.string, "\(note) strings")
  }

  /// The type without values.
  private var declaredType: AttributeType {
    switch purpose {
    case .boolean: return .boolean
    case .date: return .date
    case .decimal: return .decimal
    case .uuid: return .uuid
    case nil: break
    }
    switch column.affinity {
    case .integer: return .integer
    case .real: return .double
    case .blob where !column.declared.isEmpty: return .data
    case .blob, .text, .numeric: return .string
    }
  }

  private var kinds: String {
    let counts = [(integerCount, "integers"), (realCount, "doubles"), (textCount, "texts"), (blobCount, "blobs")]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " and ")
  }
}

#endif
