import ArgumentParser
import Daybook

/// The argument for an object: a whole UUID, or any unique part of one.
///
/// A whole UUID is used unchanged, whether or not the object exists; a part must match exactly one object.
struct ObjectIDArgument: ExpressibleByArgument {
  let text: String

  init(argument: String) {
    text = argument
  }

  /// Resolves the identity in a snapshot of the store.
  func resolve(in reader: borrowing StoreReader) throws -> ObjectID {
    try reader.resolve(text)
  }

  /// Resolves the identity in a write transaction.
  func resolve(in transaction: borrowing Transaction) throws -> ObjectID {
    try transaction.resolve(text)
  }
}
