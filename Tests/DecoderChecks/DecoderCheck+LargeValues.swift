import DaybookEngine
import DaybookModel
import DaybookTestSupport
import DaybookTools

extension DecoderCheck {
  /// Checks the row with the format of a store, without and with its seal, which covers no other bytes.
  static func format(_ bytes: [UInt8]) throws -> Bool {
    guard let format = try? StoreFormat(bytes) else { return false }
    try require(StoreFormat(format.bytes) == format, "\(format) becomes \(format.bytes)")
    var row = JournalMeta.sealed(format.bytes, for: JournalMeta.format)
    try require(JournalMeta.opened(row, for: JournalMeta.format) == format.bytes, "\(row) is not opened")
    row[0] ^= 1
    try require(JournalMeta.opened(row, for: JournalMeta.format) == nil, "\(row) is opened")
    return true
  }

  /// Checks the key of a piece in the table of large values.
  static func largeValueKey(_ bytes: [UInt8]) throws -> Bool {
    guard let key = try? LargeValueKey(bytes.rawSpan) else { return false }
    try require(key.bytes == bytes, "\(key) becomes \(key.bytes)")
    return true
  }

  /// Checks a line with a piece of a value in an export.
  static func largeValueLine(_ bytes: [UInt8]) throws -> Bool {
    let isOne = LargeValueLine.isOne(bytes)
    guard let line = try? LargeValueLine(bytes) else { return false }
    // The line of a commit may begin with spaces that are no part of the form.
    guard isOne else { return true }
    let written = line.line
    try require(LargeValueLine.isOne(written), "the written line is none")
    try require(LargeValueLine(Array(written.dropLast())).line == written, "\(written) is read as another piece")
    return true
  }
}
