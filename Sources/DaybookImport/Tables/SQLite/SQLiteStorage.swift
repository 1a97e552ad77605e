#if Import

import Foundation
import GRDB

/// A stored value, with the bytes of text as they are in the file.
///
/// GRDB's strings end at U+0000 and replace what is not UTF-8, so text is read as bytes.
enum SQLiteStorage {
  case null
  case integer(Int64)
  case real(Double)
  /// Text as UTF-8, which the file need not hold to.
  case text([UInt8])
  case blob([UInt8])

  /// Reads a value of a row.
  init(_ row: Row, _ index: Int) {
    let value: DatabaseValue = row[index]
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .blob(let data): self = .blob(Array(data))
    // SQLite converted a text of UTF-16 when it was read as a string, so these bytes are UTF-8 too.
    case .string: self = .text((row[index] as Data?).map { Array($0) } ?? [])
    }
  }

  /// The value as text, or `nil` for null, for bytes, and for text that is not UTF-8.
  var text: String? {
    switch self {
    case .integer(let number): String(number)
    case .real(let number): SQLiteStorage.text(of: number)
    case .text(let bytes):
      TextDecoder.invalidOffset(in: bytes) == nil ? String(decoding: bytes, as: UTF8.self) : nil
    case .null, .blob: nil
    }
  }

  private static func text(of number: Double) -> String {
    number.isFinite ? "\(number)" : number < 0 ? "-Infinity" : "Infinity"
  }
}

#endif
