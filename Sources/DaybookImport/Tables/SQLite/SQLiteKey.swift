#if Import

import DaybookModel
import GRDB

/// The identity of a table's rows: the primary key, or the row number without one.
///
/// The name of a row is the table's with the key's text: `Album/7`, `Order Details/10248,11`. Numbers are digits, a blob is
/// `x'0a1b'`. Text is unchanged unless it could be read as another key: then it is a JSON string. So two rows have two
/// names. A row with a null in its primary key, which SQLite allows, is named by its row number: `rowid 7`.
struct SQLiteKey: Hashable, Sendable {
  /// A part of the key.
  struct Part: Hashable, Sendable {
    let column: String
    /// Whether the column can store text that looks like a number beside numbers.
    let isUntyped: Bool
    let hasForeignCollation: Bool
  }

  let table: String
  private let parts: [Part]
  /// The row number, or its other name.
  private let rowNumber: String?
  private let isRowNumber: Bool

  /// - Returns: `nil` if the table has neither a primary key nor an accessible row number.
  init?(_ table: SQLiteTable) {
    self.table = table.name
    isRowNumber = table.isRowNumber || table.primaryKey.isEmpty
    rowNumber = table.isRowNumber ? table.primaryKey.first : table.rowNumber
    parts =
      isRowNumber
      ? []
      : table.primaryKey.map { name in
        Part(
          column: name, isUntyped: table.column(name).map { $0.affinity == .blob } ?? true,
          hasForeignCollation: table.foreignCollations.contains(name.folded))
      }
    if parts.isEmpty, rowNumber == nil { return nil }
  }

  /// Returns the columns to select for the key.
  func columns(of alias: String) -> [String] {
    let names = parts.map(\.column) + (rowNumber.map { [$0] } ?? [])
    return names.map { "\(alias).\($0.quotedName)" }
  }

  /// Returns the terms that sort rows by their keys.
  func order(of alias: String) -> [String] {
    guard !parts.isEmpty else { return columns(of: alias) }
    return parts.map { "\(alias).\($0.column.quotedName)\($0.hasForeignCollation ? " COLLATE BINARY" : "")" }
  }

  /// Returns the key in a row that has the columns of the key from `index` on.
  func key(_ row: Row, at index: Int) -> SourceKey {
    if isRowNumber { return SourceKey(root: table, row: row[index]) }
    var texts: [String] = []
    for (offset, part) in parts.enumerated() {
      guard let text = part.text(SQLiteStorage(row, index + offset), isSingle: parts.count == 1) else {
        return SourceKey(root: table, text: "rowid \(rowNumber == nil ? 0 : row[index + parts.count] as Int64)")
      }
      texts.append(text)
    }
    return SourceKey(root: table, text: texts.joined(separator: ","))
  }

  /// The number of columns of the key.
  var columnCount: Int { parts.count + (rowNumber == nil ? 0 : 1) }
}

extension SQLiteKey.Part {
  /// Returns the text of a part, or `nil` for null.
  func text(_ storage: SQLiteStorage, isSingle: Bool) -> String? {
    switch storage {
    case .null: return nil
    case .blob(let bytes): return SQLiteKey.Part.hexadecimal(bytes)
    case .text(let bytes):
      guard let text = storage.text else { return "text " + SQLiteKey.Part.hexadecimal(bytes) }
      return isPlain(text, isSingle: isSingle) ? text : JSONValue.string(text).text
    case .integer, .real: return storage.text
    }
  }

  private func isPlain(_ text: String, isSingle: Bool) -> Bool {
    if ["\"", "x'", "rowid ", "text "].contains(where: text.hasPrefix) { return false }
    if isUntyped, Double(text) != nil { return false }
    return isSingle || !text.utf8.contains(UInt8(ascii: ","))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }
}

#endif
