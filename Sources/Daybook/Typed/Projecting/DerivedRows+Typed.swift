import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The rows as structs.
extension DerivedRows {
  /// Returns the object with a key, or `nil` if it does not exist.
  ///
  /// Its links lead where they were set to, also if a target does not exist.
  ///
  /// - Throws: `StoreError`: `notFound` for an entity that the projection lacks, `badValue` for a key that does not fit it or
  ///   a value that does not fit its property, `damaged`.
  /// - Complexity: O(log *n*)
  public func get<Object: Derivable>(_ key: EntityKey<Object>) throws -> Object? {
    try get(Object.entityName, key: key.storedValues()).map { try value(of: $0) }
  }

  /// Returns the identity of the object with a key, for links to it; it has it whether it exists or not.
  ///
  /// - Throws: `StoreError`: `notFound` for an entity that the projection lacks, `badValue` for a key that does not fit it.
  public func id<Object: Derivable>(of key: EntityKey<Object>) throws -> EntityID<Object> {
    EntityID(try id(of: Object.entityName, key: key.storedValues()))
  }

  /// Changes the object with a key, which is made if it does not exist, with the defaults of its attributes.
  ///
  ///     try rows.update(AuthorMonth.key(author: author, month: commit.time.month)) { $0.commits += 1 }
  ///
  /// - Throws: What `change` throws; `StoreError`: `badValue` for a value that does not fit or a changed key, and the errors
  ///   of ``get(_:)``.
  /// - Complexity: O(log *n*)
  public func update<Object: Derivable>(
    _ key: EntityKey<Object>, _ change: (inout Object) throws -> Void
  ) throws {
    try update(Object.entityName, key: key.storedValues()) { row in
      var value: Object = try value(of: row)
      try change(&value)
      for (name, value) in try value.derivedValues() { row[name] = value }
    }
  }

  /// Puts an object with a value in the place of the one with its key.
  ///
  /// - Throws: `StoreError`: `notFound` for an entity that the projection lacks, `badValue` for a value that does not fit.
  /// - Complexity: O(log *n*)
  public func put(_ value: some Derivable) throws {
    try put(type(of: value).entityName, value.derivedValues())
  }

  /// Deletes the object with a key, if there is one. Links to it read as nil from then on.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: As ``get(_:)``.
  @discardableResult
  public func delete<Object: Derivable>(_ key: EntityKey<Object>) throws -> Bool {
    try delete(Object.entityName, key: key.storedValues())
  }

  /// Returns the result of a request for objects of the projection, with what the commit has written so far.
  ///
  /// What links lead to is read as it is after the commit.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the projection lacks, `badValue` if a value does not
  ///   fit, `damaged`.
  /// - Complexity: O(*n*) for *n* rows that the plan reads, and O(*k* log *n*) for *k* rows that were written since the last
  ///   request.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try read { try $0.fetch(request) }
  }

  private func value<Object: Derivable>(of row: DerivedRow) throws -> Object {
    var row = ObjectRow(try object(of: row), source: RowSource(nil))
    return try Object(row: &row)
  }
}

private extension Derivable {
  /// Returns the values and links by name.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a value that cannot be stored, and for links to many objects.
  func derivedValues() throws -> [String: Value] {
    var written = ObjectValues()
    try write(to: &written)
    if let many = written.lists.first(where: { !$0.targets.isEmpty }) {
      throw StoreError(
        .badValue, "\(Self.entityName).\(many.name) leads to many objects, which a row does not hold.",
        advice: "Set the link of each of them that leads back.")
    }
    var values = written.attributes
    for (name, target) in written.links { values[name] = target.map { .uuid($0) } ?? .null }
    return values
  }
}
