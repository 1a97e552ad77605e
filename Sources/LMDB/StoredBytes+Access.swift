/// Looking into tables where the compiler cannot follow how long the table lives.
extension MemoryTable {
  /// What the table says about a key.
  package func storedEntry(for key: RawSpan) -> StoredEntry {
    guard let record = key.withUnsafeBytes({ tree.record(for: $0) }) else { return .absent }
    return record.isDeletion ? .deleted : .value(StoredBytes(record.value))
  }
}

/// What a ``MemoryTable`` says about a key, as ``MemoryLookup`` does.
package enum StoredEntry {
  case absent
  case deleted
  case value(StoredBytes)
}

extension MemoryCursor {
  /// The key of the entry on which it stands.
  package var storedKey: StoredBytes { StoredBytes(entry.key) }

  /// The value of the entry on which it stands; empty for a deletion.
  package var storedValue: StoredBytes { StoredBytes(entry.value) }
}

extension StoredBytes {
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: bytes.baseAddress, count: bytes.count)
  }
}

extension Snapshot {
  /// The value of a key, as ``value(for:in:)`` gives it. It stays until the row is changed or the transaction ends.
  package func storedValue(for key: RawSpan, in table: Table) throws(LMDBError) -> StoredBytes? {
    guard let value = try value(for: key, in: table) else { return nil }
    return value.withUnsafeBytes { StoredBytes($0) }
  }
}
