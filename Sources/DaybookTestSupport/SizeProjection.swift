import Daybook

/// A projection that counts the notes of a store by size, in derived rows with a link to the last note.
package struct SizeProjection: Projection {
  package let version = 1
  package let mode: ProjectionMode

  package init(_ mode: ProjectionMode) { self.mode = mode }

  /// Creates the projection with a name; `nil` if no mode has it.
  package init?(named name: String) {
    guard let mode = [ProjectionMode.inline, .catchUp].first(where: { SizeProjection($0).name == name }) else {
      return nil
    }
    self.mode = mode
  }

  package var name: String { "sizes-\(mode.rawValue)" }

  private var entityName: String { "\(mode.rawValue)Size" }

  package var entities: [DerivedEntity] {
    [
      DerivedEntity(
        Entity(
          name: entityName,
          attributes: [
            Attribute(name: "size", type: .integer),
            Attribute(name: "count", type: .integer, defaultValue: .integer(0)),
          ],
          relationships: [Relationship(name: "last", target: "Note", isOptional: true)],
          indexes: [Index([SortTerm(path: ["last", "title"])])]),
        key: ["size"])
    ]
  }

  package func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.deleted("Note") {
      let key = [try commit.before.require(id)["size"]]
      try rows.update(entityName, key: key) { $0["count"] = .integer(try $0.integer("count") - 1) }
      if try rows.get(entityName, key: key)?.integer("count") == 0 { try rows.delete(entityName, key: key) }
    }
    for id in commit.inserted("Note") {
      try rows.update(entityName, key: [commit.after.require(id)["size"]]) {
        $0["count"] = .integer(try $0.integer("count") + 1)
        $0["last"] = .uuid(id)
      }
    }
  }

  /// Compares the rows with the notes at their position, and at an earlier one.
  ///
  /// - Returns: The position of the rows.
  /// - Throws: ``Mismatch``.
  @discardableResult
  package func check(in store: Store, earlier: Position? = nil) throws -> Position {
    let rows = try store.fetch(Request<StoredObject>(entity: entityName, sort: [SortTerm(path: ["last", "title"])]))
    try check(rows, in: store)
    if let earlier, earlier < rows.position {
      try check(store.at(earlier).fetch(Request<StoredObject>(entity: entityName)), in: store)
    }
    return rows.position
  }

  private func check(_ rows: Results<StoredObject>, in store: Store) throws {
    var expected: [Value: Int64] = [:]
    var sizes: [ObjectID: Value] = [:]
    for note in try store.at(rows.position).fetch(Request<StoredObject>(entity: "Note")).rows {
      expected[note["size"], default: 0] += 1
      sizes[note.id] = note["size"]
    }
    var found: [Value: Int64] = [:]
    for row in rows.rows {
      guard case .integer(let count) = row["count"] else { throw Mismatch("\(row) has no count") }
      found[row["size"]] = count
      if let last = row.target("last"), sizes[last] != row["size"] {
        throw Mismatch("\(name) at \(rows.position) leads from \(row) to \(last)")
      }
    }
    guard found == expected, found.count == rows.rows.count else {
      throw Mismatch("\(name) at \(rows.position) has \(found), and the notes are \(expected)")
    }
  }
}
