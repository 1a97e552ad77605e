import DaybookModel

/// The objects that `$names` stand for: those of the commits that were made, and those of the commit being made.
struct OperationNames {
  private var made: [String: ObjectID] = [:]
  /// The names that the present commit gives, in the order of its inserts.
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

  /// Forgets what the present commit gave: it was not made.
  mutating func drop() {
    given.removeAll()
  }

  /// Keeps what the present commit gave for the rest of the input, and answers with it.
  mutating func keep() -> [(name: String, id: ObjectID)] {
    for (name, id) in given { made[name] = id }
    defer { given.removeAll() }
    return given
  }
}
