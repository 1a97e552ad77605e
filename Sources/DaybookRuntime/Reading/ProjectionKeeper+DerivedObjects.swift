import DaybookEngine
import DaybookModel

/// Derived entities as writes and contexts read them: at the checkpoint, without what is not committed.
extension ProjectionKeeper: DerivedObjects {
  package func projection(of entity: String) throws -> String? {
    try healing { try withProjections { try $0.derivedRows().owner(of: entity) } }
  }

  package func entity(of id: ObjectID) throws -> String? { try readDerived(id) { try $0.get(id)?.entity } ?? nil }

  /// Returns what a closure reads of an entity, or `nil` if it is not a derived one.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` as ``StoreReader/derived(in:)``.
  package func readDerived<Result>(
    of entity: String, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    try read { head in
      guard let derived = try head.derived(entity) else { return nil }
      return try body(derived)
    }
  }

  /// Returns what a closure reads of an object, or `nil` if it is not a derived one.
  package func readDerived<Result>(
    _ id: ObjectID, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    guard id.isDerived else { return nil }
    return try read { head in
      guard let derived = try head.derived(having: id) else { return nil }
      return try body(derived)
    }
  }
}

/// Derived entities for readers of writes and contexts.
extension ProjectionKeeper: DerivedSource {
  /// The time of the store's clock, for the requests of a write.
  package func presentTime(for reader: borrowing StoreReader) -> Timestamp? { files.options.clock() }

  package func readDerived<Result>(
    of entity: String, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    try readDerived(of: entity, body)
  }

  package func readDerived<Result>(
    _ id: ObjectID, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    try readDerived(id, body)
  }
}
