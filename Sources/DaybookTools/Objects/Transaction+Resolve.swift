import Daybook
import DaybookModel

extension Transaction {
  /// Returns the object that a text names; see ``StoreReader/resolve(_:includesDeleted:)``.
  package func resolve(_ part: String) throws -> ObjectID {
    if let id = ObjectID(part) { return id }
    return try builder.perform {
      try builder.fold.settle()
      return try builder.reader.resolve(part, includesDeleted: false)
    }
  }
}
