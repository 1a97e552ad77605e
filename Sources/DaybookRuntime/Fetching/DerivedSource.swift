import DaybookModel

/// What reads the objects of projections for a reader that has none of them itself.
package protocol DerivedSource: AnyObject {
  /// Returns what a closure reads of an entity, or `nil` if it is not a derived one.
  ///
  /// - Parameters:
  ///   - entity: The name of an entity that the reader's own model lacks.
  ///   - reader: The reader.
  ///   - body: Receives a reader that has the entity.
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` if the projection has no rows yet.
  func readDerived<Result>(
    of entity: String, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result?

  /// Returns the present time of requests that the reader reads; `nil` where a result must not depend on the time.
  func presentTime(for reader: borrowing StoreReader) throws -> Timestamp?

  /// Returns what a closure reads of an object, or `nil` if it is not a derived one.
  func readDerived<Result>(
    _ id: ObjectID, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result?
}
