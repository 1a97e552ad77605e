import Daybook
import DaybookModel

/// The objects that `$names` refer to, from earlier commits and the one in progress.
struct OperationNames {
  private var made: [String: ObjectID] = [:]
  /// The names that the commit in progress defines, in the order of its inserts.
  private(set) var given: [(name: String, id: ObjectID)] = []

  func id(of name: String) throws -> ObjectID {
    if let own = given.last(where: { $0.name == name }) { return own.id }
    if let id = made[name] { return id }
    throw StoreError(
      .notFound, "No insert before this gave an object the name \(name).",
      advice: "Name it there with “as”, or give an id.")
  }

  mutating func give(_ name: String, _ id: ObjectID) {
    given.append((name, id))
  }

  /// Discards the names of the commit in progress, which failed.
  mutating func drop() {
    given.removeAll()
  }

  /// Keeps the names of the commit in progress for the rest of the input, and returns them.
  mutating func keep() -> [(name: String, id: ObjectID)] {
    for (name, id) in given { made[name] = id }
    defer { given.removeAll() }
    return given
  }
}
