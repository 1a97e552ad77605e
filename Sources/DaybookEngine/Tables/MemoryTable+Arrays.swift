import LMDB

// Never inlined: a span of the caller's array would retain the array, but an argument is borrowed.
extension MemoryTable {
  /// Puts a row without a value.
  @inline(never)
  package func put(_ key: [UInt8]) {
    put(key.span.bytes, key.span.bytes.extracting(first: 0))
  }

  @inline(never)
  package func put(_ key: [UInt8], _ value: RawSpan) {
    put(key.span.bytes, value)
  }

  /// Puts a row, or deletes it if the value is none.
  @inline(never)
  package func change(_ key: [UInt8], to value: UnsafeBytes) {
    if value.isNone { delete(key.span.bytes) } else { put(key.span.bytes, value.bytes) }
  }

  @inline(never)
  package func delete(_ key: [UInt8]) {
    delete(key.span.bytes)
  }
}
