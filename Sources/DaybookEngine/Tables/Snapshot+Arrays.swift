import LMDB

/// Access with keys and values in arrays.
extension Snapshot {
  @_lifetime(borrow self)
  package func value(for key: [UInt8], in table: Table) throws(LMDBError) -> RawSpan? {
    try value(for: key.span.bytes, in: table)
  }
}
