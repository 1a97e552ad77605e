import Daybook
import DaybookTestSupport

/// A model of authors and their revisions, and a projection that counts them by author and month.
struct MonthProjection: Projection {
  static let model = Model(entities: [
    Entity(
      name: "Author", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "revisions", target: "Revision", inverse: "author", isMany: true)]),
    Entity(
      name: "Revision",
      attributes: [
        Attribute(name: "month", type: .string), Attribute(name: "size", type: .integer, defaultValue: .integer(0)),
      ],
      relationships: [Relationship(name: "author", target: "Author", inverse: "revisions", isOptional: true)]),
  ])

  static let entity = DerivedEntity(
    Entity(
      name: "AuthorMonth",
      attributes: [
        Attribute(name: "month", type: .string),
        Attribute(name: "count", type: .integer, defaultValue: .integer(0)),
        Attribute(name: "size", type: .integer, defaultValue: .integer(0)),
      ],
      relationships: [
        Relationship(name: "author", target: "Author", isOptional: true),
        Relationship(name: "largest", target: "Revision", isOptional: true),
      ],
      indexes: [
        Index([SortTerm(path: ["author", "name"]), SortTerm(path: ["month"])]), Index([SortTerm(path: ["largest"])]),
      ]),
    key: ["author", "month"])

  let name = "author-months"
  var version = 1
  var mode = ProjectionMode.catchUp
  var onFailure = ProjectionFailurePolicy.stop
  var keepsHistory = true
  /// The month on which the projection throws.
  var refused: String?

  struct Refusal: Error {}

  var entities: [DerivedEntity] { [MonthProjection.entity] }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.deleted("Revision") + commit.changed("Revision") {
      try add(commit.before, id, -1, to: rows)
    }
    for id in commit.inserted("Revision") + commit.changed("Revision") {
      try add(commit.after, id, 1, to: rows)
    }
  }

  private func add(
    _ reader: borrowing StoreReader, _ id: ObjectID, _ sign: Int64, to rows: borrowing DerivedRows
  ) throws {
    guard let revision = try reader.get(id) else { throw StoreError(.damaged, "\(id) is not there") }
    if let refused, revision["month"] == .string(refused), sign > 0 { throw Refusal() }
    guard case .integer(let size) = revision["size"] else { throw StoreError(.damaged, "\(id) has no size") }
    let key: [Value] = [revision.target("author").map { .uuid($0) } ?? .null, revision["month"]]
    try rows.update("AuthorMonth", key: key) {
      $0["count"] = .integer(try $0.integer("count") + sign)
      $0["size"] = .integer(try $0.integer("size") + sign * size)
      if sign > 0 { $0["largest"] = .uuid(id) }
    }
    if try rows.get("AuthorMonth", key: key)?.integer("count") == 0 {
      try rows.delete("AuthorMonth", key: key)
    }
  }
}

/// A row of the projection, in plain values.
struct PlainMonth: Hashable, CustomStringConvertible {
  let author: ObjectID?
  let month: String
  var count = 0
  var size: Int64 = 0

  var description: String { "\(author?.description ?? "nobody") \(month): \(count), \(size)" }

  /// What the revisions of a store add up to, computed without Daybook's projections.
  static func all(in store: Store) throws -> Set<PlainMonth> {
    var rows: [[String]: PlainMonth] = [:]
    for object in try store.fetch(Request<StoredObject>(entity: "Revision")).rows {
      guard case .string(let month) = object["month"], case .integer(let size) = object["size"] else { continue }
      let author = object.target("author")
      let key = [author?.description ?? "", month]
      rows[key, default: PlainMonth(author: author, month: month)].count += 1
      rows[key, default: PlainMonth(author: author, month: month)].size += size
    }
    return Set(rows.values)
  }

  init(author: ObjectID?, month: String) { (self.author, self.month) = (author, month) }

  /// - Parameter object: A row of the projection.
  init(_ object: StoredObject) throws {
    guard case .string(let month) = object["month"], case .integer(let count) = object["count"],
      case .integer(let size) = object["size"]
    else { throw Mismatch("\(object) is no row") }
    (author, self.month, self.count, self.size) = (object.target("author"), month, Int(count), size)
  }
}
