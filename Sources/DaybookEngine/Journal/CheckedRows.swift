import DaybookModel

/// The sealed rows of a table as they were when their seals were checked last.
///
/// Each write begins with several such rows, and to check their seals, which are SHA-256, would cost more than all else
/// in its beginning. A row that still has the same bytes needs no second check.
final class CheckedRows: Sendable {
  /// The whole rows, with their seals, by key.
  private let rows = Locked<[[UInt8]: [UInt8]]>([:])

  /// Returns a row's value without its seal, or `nil` if the seal does not match.
  func opened(_ row: [UInt8], for key: [UInt8]) -> [UInt8]? {
    if rows.withLock({ $0[key] == row }) { return Array(row.dropLast(JournalMeta.sealSize)) }
    guard let value = JournalMeta.opened(row, for: key) else { return nil }
    rows.withLock { $0[key] = row }
    return value
  }
}
