import ArgumentParser
import Daybook

/// An object: a whole UUID, or any unique part of one.
struct ObjectIDArgument: ExpressibleByArgument {
  let text: String

  init(argument: String) {
    text = argument
  }

  /// The identity that is meant.
  ///
  /// A whole UUID is taken as it is, whether or not there is such an object; a part must be that of one object.
  func resolve(in store: Store) throws -> ObjectID {
    if let id = ObjectID(text) { return id }
    return try store.read { try $0.resolve(text) }
  }

  func resolve(in reader: borrowing StoreReader) throws -> ObjectID {
    try reader.resolve(text)
  }
}
