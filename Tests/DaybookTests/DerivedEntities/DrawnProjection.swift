import Daybook
import DaybookModel
import DaybookTestSupport

/// One of some projections over authors and their revisions, none of which adds up.
struct DrawnProjection: Projection {
  enum Kind: String, CaseIterable {
    /// Copies of the revisions of a least size.
    case copies
    /// A row for each author with a revision: the author's name, and the month of the newest revision.
    case latest
    /// The reviews of each revision, which are named events; one with the score 0 takes the others back.
    case reviews
    /// The revisions that were deleted, and did not come back.
    case graves
  }

  static let model: Model = {
    var model = MonthProjection.model
    model.events = [
      EventType(name: "Reviewed", about: "Revision", attributes: [Attribute(name: "score", type: .integer)])
    ]
    return model
  }()

  let kind: Kind
  let mode: ProjectionMode
  /// A higher version copies larger revisions, and counts scores more often.
  var version = 1

  var name: String { kind.rawValue }
  var entities: [DerivedEntity] { [kind.entity] }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    switch kind {
    case .copies: try copy(commit, rows)
    case .latest: try follow(commit, rows)
    case .reviews: try review(commit, rows)
    case .graves: try bury(commit, rows)
    }
  }

  private func copy(_ commit: borrowing AppliedCommit, _ rows: borrowing DerivedRows) throws {
    for id in commit.deleted("Revision") { try rows.delete(name, key: [.uuid(id)]) }
    for id in commit.inserted("Revision") + commit.changed("Revision") {
      let revision = try commit.after.require(id)
      if case .integer(let size) = revision["size"], size >= Int64(version) {
        let author = revision.target("author").map { Value.uuid($0) } ?? .null
        try rows.put(
          name, key: [.uuid(id)], ["month": revision["month"], "size": .integer(size), "author": author])
      } else {
        try rows.delete(name, key: [.uuid(id)])
      }
    }
  }

  private func follow(_ commit: borrowing AppliedCommit, _ rows: borrowing DerivedRows) throws {
    for author in commit.deleted("Author") { try rows.delete(name, key: [.uuid(author)]) }
    for author in commit.changed("Author") {
      if try rows.get(name, key: [.uuid(author)]) == nil { continue }
      let present = try commit.after.require(author)["name"]
      try rows.update(name, key: [.uuid(author)]) { $0["name"] = present }
    }
    for id in commit.inserted("Revision") {
      let revision = try commit.after.require(id)
      guard let author = revision.target("author") else { continue }
      let present = try commit.after.require(author)["name"]
      try rows.update(name, key: [.uuid(author)]) {
        ($0["name"], $0["month"], $0["revision"]) = (present, revision["month"], .uuid(id))
      }
    }
  }

  private func review(_ commit: borrowing AppliedCommit, _ rows: borrowing DerivedRows) throws {
    for event in try commit.recorded("Reviewed") {
      guard case .recorded(_, let fields) = event.content, case .integer(let score)? = fields.first?.value else {
        throw StoreError(.damaged, "\(event) has no score")
      }
      if score == 0 {
        try rows.delete(name, key: [.uuid(event.object)])
        continue
      }
      let month = try commit.after.get(event.object)?["month"] ?? .null
      try rows.update(name, key: [.uuid(event.object)]) {
        $0["count"] = .integer(try $0.integer("count") + 1)
        $0["score"] = .integer(try $0.integer("score") + score * Int64(version))
        $0["month"] = month
      }
    }
  }

  private func bury(_ commit: borrowing AppliedCommit, _ rows: borrowing DerivedRows) throws {
    for id in commit.inserted("Revision") { try rows.delete(name, key: [.uuid(id)]) }
    for id in commit.deleted("Revision") {
      let revision = try commit.before.require(id)
      guard case .integer(let size) = revision["size"] else { throw StoreError(.damaged, "\(id) has no size") }
      try rows.put(
        name, key: [.uuid(id)], ["month": revision["month"], "size": .integer(size * Int64(version))])
    }
  }
}

extension DrawnProjection.Kind {
  /// The entity has the projection's name.
  var entity: DerivedEntity {
    func integer(_ name: String) -> Attribute { Attribute(name: name, type: .integer, defaultValue: .integer(0)) }
    func text(_ name: String) -> Attribute { Attribute(name: name, type: .string, isOptional: true) }
    func link(_ name: String, to target: String, isOptional: Bool = false) -> Relationship {
      Relationship(name: name, target: target, isOptional: isOptional)
    }
    switch self {
    case .copies:
      return DerivedEntity(
        Entity(
          name: rawValue, attributes: [integer("size"), text("month")],
          relationships: [link("revision", to: "Revision"), link("author", to: "Author", isOptional: true)],
          indexes: [Index([SortTerm(path: ["month"]), SortTerm(path: ["size"])])]),
        key: ["revision"])
    case .latest:
      return DerivedEntity(
        Entity(
          name: rawValue, attributes: [text("name"), text("month")],
          relationships: [link("author", to: "Author"), link("revision", to: "Revision", isOptional: true)],
          indexes: [Index([SortTerm(path: ["author", "name"]), SortTerm(path: ["month"])])]),
        key: ["author"])
    case .reviews:
      return DerivedEntity(
        Entity(
          name: rawValue, attributes: [integer("count"), integer("score"), text("month")],
          relationships: [link("revision", to: "Revision")]),
        key: ["revision"])
    case .graves:
      return DerivedEntity(
        Entity(name: rawValue, attributes: [Attribute(name: "revision", type: .uuid), integer("size"), text("month")]),
        key: ["revision"])
    }
  }

  var request: Request<StoredObject> {
    func request(_ sort: String, _ section: [String]?) -> Request<StoredObject> {
      Request(entity: rawValue, sort: [SortTerm(path: [sort])], section: section.map { SectionKey(path: $0) })
    }
    return switch self {
    case .copies, .graves: request("size", ["month"])
    case .latest: request("month", ["author", "name"])
    case .reviews: request("score", nil)
    }
  }

  /// Returns the id of the row with a key of one field.
  func id(of key: ObjectID) throws -> ObjectID {
    try DerivedKey([.uuid(key)], types: [.uuid]).objectID(of: rawValue, in: rawValue)
  }
}
