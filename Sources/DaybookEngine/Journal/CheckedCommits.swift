import DaybookModel

/// The bytes of the last small commits that this process made, or read and checked.
///
/// What follows a store reads a new commit several times: the notifier, each live request, each feed. Comparing the
/// commit with bytes that were checked before costs far less than computing its two digests again.
final class CheckedCommits: Sendable {
  private struct Entry {
    let position: Position
    let bytes: [UInt8]
  }

  /// The entry of a position is at the position's remainder by the number of entries.
  private let entries = Locked([Entry?](repeating: nil, count: CheckedCommits.maximumCount))

  private static let maximumCount = 16
  /// Of a larger commit, reading the events costs more than checking them.
  private static let maximumSizeInBytes = 4 << 10

  /// Records a commit whose digests were made from these bytes, or agree with them.
  func note(_ bytes: RawSpan, at position: Position) {
    guard bytes.byteCount <= CheckedCommits.maximumSizeInBytes, !contains(bytes, at: position) else { return }
    let entry = Entry(position: position, bytes: [UInt8](bytes))
    entries.withLock { $0[CheckedCommits.place(of: position)] = entry }
  }

  /// Whether the commit at a position was recorded with exactly these bytes.
  func contains(_ bytes: RawSpan, at position: Position) -> Bool {
    guard bytes.byteCount <= CheckedCommits.maximumSizeInBytes else { return false }
    return entries.withLock { entries in
      guard let entry = entries[CheckedCommits.place(of: position)], entry.position == position else { return false }
      return equalBytes(entry.bytes.rawSpan, bytes)
    }
  }

  private static func place(of position: Position) -> Int { Int(position.number % UInt64(maximumCount)) }
}
