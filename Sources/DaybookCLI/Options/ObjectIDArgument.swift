import ArgumentParser
import Daybook

/// An object: a whole UUID, or any unique part of one.
///
/// A whole UUID is taken as it is, whether or not there is such an object; a part must be that of one object.
struct ObjectIDArgument: ExpressibleByArgument {
  let text: String

  init(argument: String) {
    text = argument
  }

  /// The identity that is meant, in what is being looked at.
  func resolve(in reader: borrowing StoreReader) throws -> ObjectID {
    try reader.resolve(text)
  }

  /// The identity that is meant, in what is being written.
  func resolve(in transaction: borrowing Transaction) throws -> ObjectID {
    try transaction.resolve(text)
  }
}
