#if Import

import DaybookModel

/// Makes values of a column's type from stored ones.
struct SQLiteColumnReader {
  let column: String
  let type: AttributeType

  /// Returns the value, or `nil` if the type does not hold it.
  func value(_ storage: SQLiteStorage) -> Value? {
    switch (type, storage) {
    case (_, .null): return .null
    case (.boolean, .integer(let number)): return number == 0 || number == 1 ? .boolean(number == 1) : nil
    case (.integer, .integer(let number)): return .integer(number)
    case (.double, .integer(let number)): return .double(Double(number))
    case (.double, .real(let number)): return .double(number == 0 ? 0 : number)
    case (.uuid, .blob(let bytes)) where bytes.count == ObjectID.byteCount: return .uuid(SQLiteColumnReader.id(bytes))
    case (.data, .blob(let bytes)): return .data(bytes)
    case (.data, .text(let bytes)): return .data(bytes)
    case (.data, .integer), (.data, .real):
      return storage.text.map { .data(Array($0.utf8)) }
    case (.integer, .real(let number)): return Int64(exactly: number).map { .integer($0) }
    case (.boolean, .real), (.date, .integer), (.date, .real), (.uuid, .integer), (.uuid, .real), (_, .blob): return nil
    default:
      // An error is a value that the type does not hold.
      return storage.text.flatMap { try? Value(text: $0, type: type) }
    }
  }

  private static func id(_ bytes: [UInt8]) -> ObjectID {
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return ObjectID(high: word(bytes[..<8]), low: word(bytes[8...]))
  }
}

#endif
