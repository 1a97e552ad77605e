/// Recognises files of other programs by their beginning, for the advice of errors.
package enum ForeignFile {
  /// Returns the command that imports a file, as a sentence, or `nil` for bytes that are not known.
  ///
  /// - Parameter bytes: The beginning of the file, such as its first line.
  package static func advice(for bytes: some Collection<UInt8>) -> String? {
    let start = bytes.prefix(1_024).drop { $0 <= 0x20 || $0 >= 0x80 }
    if start.starts(with: "SQLite format 3".utf8) {
      return "It is a SQLite file: see `daybook import coredata --help` if Core Data or SwiftData wrote it, else "
        + "`daybook import sqlite --help`."
    }
    if start.starts(with: "<?xml".utf8) || start.starts(with: "<model".utf8) {
      return "It is XML: see `daybook import coredata --help` if it is a model of Core Data."
    }
    if start.starts(with: "[".utf8) {
      return "It is a JSON array: see `daybook import json --help`."
    }
    guard let first = start.first, first != UInt8(ascii: "{") else { return nil }
    let line = start.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let isTable = line.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: ";") }
    return isTable ? "If it is a table, see `daybook import csv --help`." : nil
  }
}
