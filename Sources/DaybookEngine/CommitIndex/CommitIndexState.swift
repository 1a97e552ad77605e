import DaybookModel

/// How far the index of the journal has come: a row beside the state of the built-in tables.
package struct CommitIndexState: Hashable, Sendable {
  /// The number of indexed blocks, from block 0.
  package var blockCount: UInt64
  /// The format known to the code that met events of a later version, or 0 if there were none.
  package var omittingFormat: UInt64

  /// The version of the rows; rows of another version are made again.
  private static let version: UInt64 = 1

  package static let key = Array("commit-index".utf8)

  /// The state of an index without rows.
  package static let empty = CommitIndexState(blockCount: 0, omittingFormat: 0)

  init(blockCount: UInt64, omittingFormat: UInt64) {
    self.blockCount = blockCount
    self.omittingFormat = omittingFormat
  }

  /// Reads the row, or returns `nil` if its rows must be made again.
  ///
  /// - Parameter format: The format known to the reading code.
  package init?(_ bytes: RawSpan, knowing format: UInt64 = JournalMeta.formatVersion) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.varint() == CommitIndexState.version else { return nil }
      blockCount = try reader.varint()
      omittingFormat = try reader.varint()
      guard reader.isAtEnd, omittingFormat == 0 || omittingFormat >= format else { return nil }
    } catch {
      return nil
    }
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(CommitIndexState.version)
    bytes.appendVarint(blockCount)
    bytes.appendVarint(omittingFormat)
    return bytes
  }

  /// The last commit whose block is indexed.
  package var position: Position { Position(blockCount.multipliedReportingOverflow(by: CommitBlock.size).partialValue) }
}
