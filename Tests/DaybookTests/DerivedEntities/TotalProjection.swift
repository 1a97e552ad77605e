import Daybook
import DaybookTestSupport

/// A projection that adds up the months of each author from the rows of ``MonthProjection``.
struct TotalProjection: Projection {
  static let entity = DerivedEntity(
    Entity(
      name: "AuthorTotal",
      attributes: [
        Attribute(name: "months", type: .integer, defaultValue: .integer(0)),
        Attribute(name: "count", type: .integer, defaultValue: .integer(0)),
      ],
      relationships: [
        Relationship(name: "author", target: "Author", isOptional: true),
        Relationship(name: "changed", target: "AuthorMonth", isOptional: true),
      ],
      indexes: [Index([SortTerm(path: ["changed", "month"])])]),
    key: ["author"])

  let name = "author-totals"
  let version = 1
  var mode = ProjectionMode.catchUp
  var reads = ["author-months"]

  var entities: [DerivedEntity] { [TotalProjection.entity] }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.deleted("AuthorMonth") + commit.changed("AuthorMonth") {
      try add(commit.before, id, -1, to: rows)
    }
    for id in commit.inserted("AuthorMonth") + commit.changed("AuthorMonth") {
      try add(commit.after, id, 1, to: rows)
    }
  }

  private func add(
    _ reader: borrowing StoreReader, _ id: ObjectID, _ sign: Int64, to rows: borrowing DerivedRows
  ) throws {
    guard let month = try reader.get(id), case .integer(let count) = month["count"] else {
      throw StoreError(.damaged, "\(id) is not there")
    }
    let key = [month.target("author").map { Value.uuid($0) } ?? .null]
    try rows.update("AuthorTotal", key: key) {
      $0["months"] = .integer(try $0.integer("months") + sign)
      $0["count"] = .integer(try $0.integer("count") + sign * count)
      if sign > 0 { $0["changed"] = .uuid(id) }
    }
    if try rows.get("AuthorTotal", key: key)?.integer("months") == 0 { try rows.delete("AuthorTotal", key: key) }
  }

  /// Compares the rows of a store with what its revisions add up to.
  static func check(_ store: Store) throws {
    let result = try store.fetch(Request<StoredObject>(entity: "AuthorTotal"))
    guard try result.position == store.position else { throw Mismatch("the totals are at \(result.position)") }
    let rows = result.rows
    var found: [ObjectID?: [Int64]] = [:]
    for row in rows {
      guard case .integer(let months) = row["months"], case .integer(let count) = row["count"] else {
        throw Mismatch("\(row) is no row")
      }
      found[row.target("author")] = [months, count]
    }
    let expected = Dictionary(grouping: try PlainMonth.all(in: store), by: \.author).mapValues { months in
      [Int64(months.count), months.reduce(0) { $0 + Int64($1.count) }]
    }
    guard found == expected, found.count == rows.count else { throw Mismatch("there is \(found), not \(expected)") }
  }
}
