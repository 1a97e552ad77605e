import LMDB

/// Access with keys and values in arrays.
extension Snapshot {
  @_lifetime(borrow self)
  func value(for key: [UInt8], in table: Table) throws(LMDBError) -> RawSpan? {
    try value(for: key.span.bytes, in: table)
  }
}

extension WriteTransaction {
  mutating func put(
    _ key: [UInt8], _ value: [UInt8], in table: Table, mode: PutMode = .replace
  ) throws(LMDBError) {
    try put(key.span.bytes, value.span.bytes, in: table, mode: mode)
  }

  /// Deletes a row and returns whether it existed.
  mutating func delete(_ key: [UInt8], in table: Table) throws(LMDBError) -> Bool {
    try delete(key.span.bytes, in: table)
  }
}

extension Environment {
  /// Calls `body` with the snapshot of a read transaction, which ends with the call.
  func withSnapshot<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    let transaction = try beginRead()
    let result: Result
    do {
      result = try body(transaction.snapshot)
    } catch {
      transaction.end()
      throw error
    }
    transaction.end()
    return result
  }
}

// Never inlined: a span of the caller's array would retain the array, but an argument is borrowed.
extension MemoryTable {
  /// Puts a row without a value.
  @inline(never)
  func put(_ key: [UInt8]) {
    put(key.span.bytes, key.span.bytes.extracting(first: 0))
  }

  @inline(never)
  func put(_ key: [UInt8], _ value: RawSpan) {
    put(key.span.bytes, value)
  }

  /// Puts a row, or deletes it if the value is none.
  @inline(never)
  func change(_ key: [UInt8], to value: StoredBytes) {
    if value.isNone { delete(key.span.bytes) } else { put(key.span.bytes, value.bytes) }
  }

  @inline(never)
  func delete(_ key: [UInt8]) {
    delete(key.span.bytes)
  }
}
