/// Accessors for tables whose lifetime the compiler cannot follow.
extension MemoryTable {
  /// Returns the table's entry for a key.
  package func storedEntry(for key: RawSpan) -> StoredEntry {
    guard let record = key.withUnsafeBytes({ tree.record(for: $0) }) else { return .absent }
    return record.isDeletion ? .deleted : .value(StoredBytes(record.value))
  }
}

/// The entry of a ``MemoryTable`` for a key, like ``MemoryLookup``.
package enum StoredEntry {
  case absent
  case deleted
  case value(StoredBytes)
}

extension MemoryCursor {
  /// The key of the current entry.
  package var storedKey: StoredBytes { StoredBytes(entry.key) }

  /// The value of the current entry; empty for a deletion.
  package var storedValue: StoredBytes { StoredBytes(entry.value) }
}

extension StoredBytes {
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: bytes.baseAddress, count: bytes.count)
  }
}

extension Snapshot {
  /// Returns the value of a key like ``value(for:in:)``.
  ///
  /// The bytes stay valid until the row is changed or the transaction ends.
  package func storedValue(for key: RawSpan, in table: Table) throws(LMDBError) -> StoredBytes? {
    guard let value = try value(for: key, in: table) else { return nil }
    return value.withUnsafeBytes { StoredBytes($0) }
  }
}
