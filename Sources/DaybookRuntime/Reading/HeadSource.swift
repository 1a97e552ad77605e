import DaybookEngine
import DaybookModel

/// What reads the objects of projections for an editing context: the reader of the store below it.
final class HeadSource: DerivedSource {
  private let reader: Reader
  private let position: Position
  private let source: (any DerivedSource)?

  init(_ head: borrowing StoreReader) { (reader, position, source) = (head.reader, head.position, head.source) }

  /// The time of the store's clock.
  func presentTime(for reader: borrowing StoreReader) -> Timestamp? { (source as? StoreSource)?.now }

  // The reader itself cannot be kept, but it has no other parts.
  private var head: StoreReader { StoreReader(reader, at: position, source: source) }

  func readDerived<Result>(
    of entity: String, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    try source?.readDerived(of: entity, for: head, body)
  }

  func readDerived<Result>(
    _ id: ObjectID, for reader: borrowing StoreReader, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    try source?.readDerived(id, for: head, body)
  }
}
