import DaybookModel

/// The rows of the index of the journal: a term and a block, and the bits of the commits of the block with the term.
package enum CommitIndexRow {
  /// The name of the table; its rows end in checksums, like the rows of all tables but the indexes of objects.
  package static let tableName = "commit-index"

  private static let blockSize = MemoryLayout<UInt64>.size

  static func key(_ term: [UInt8], _ block: CommitBlock) -> [UInt8] {
    var key = term
    key.appendFixed(block.number)
    return key
  }

  static func value(_ bits: UInt64) -> [UInt8] {
    var value: [UInt8] = []
    value.appendFixed(bits)
    return value
  }

  /// Splits a row.
  ///
  /// - Throws: `MalformedBytes` if it is not a row of the index.
  static func entry(_ key: RawSpan, _ value: RawSpan) throws(MalformedBytes) -> CommitPostings.BlockBits {
    let termSize = key.byteCount - blockSize
    guard termSize > 0 else { throw MalformedBytes(offset: 0, expected: "a term and a block") }
    var block = ByteReader(key.extracting(droppingFirst: termSize))
    var bits = ByteReader(value)
    let entry = CommitPostings.BlockBits(CommitBlock(try block.fixed(UInt64.self)), try bits.fixed(UInt64.self))
    guard bits.isAtEnd, entry.block.number <= UInt64.max / CommitBlock.size - 1 else {
      throw MalformedBytes(offset: 0, expected: "the bits of a block")
    }
    return entry
  }

  /// Returns the bytes of the term in a key.
  @_lifetime(copy key)
  static func term(of key: RawSpan) -> RawSpan { key.extracting(0..<max(0, key.byteCount - blockSize)) }
}
