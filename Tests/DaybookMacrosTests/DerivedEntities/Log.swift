#if Macros

import DaybookMacros

/// Authors with their revisions, and what a projection derives of them.
enum Log {
  @Entity struct Author {
    @Name var name: String
    @Relationship(inverse: \Revision.author) var revisions: Related<Revision>
  }

  @Entity struct Revision {
    var timeStamp: Timestamp
    var size = 0
    var author: Author.ID?
  }

  @Event struct Reviewed {
    var about: Revision.ID
    var points: Int
  }

  @Index("author.name", "month")
  @Entity struct AuthorMonth: Hashable {
    @Key var author: Author.ID?
    @Key var month: String
    var commits = 0
    var size = 0
    var points = 0
    var last: Timestamp?
    var largest: Revision.ID?
    @Relationship(inverse: \AuthorTotal.months) var total: AuthorTotal.ID?
  }

  @Entity struct AuthorTotal {
    @Key var author: Author.ID?
    var note: String?
    var months: Related<AuthorMonth>
    @Derived(count: \AuthorTotal.months) var monthCount: Int
    @Derived(sum: \AuthorTotal.months, of: \AuthorMonth.commits) var commits: Int
  }

  static func model() throws -> Model { try Model(Author.self, Revision.self, events: Reviewed.self) }

  /// Counts the revisions by author and month.
  struct AuthorMonths: Projection {
    let name = "author-months"
    let version = 1
    var mode = ProjectionMode.catchUp
    let entities: [DerivedEntity] = [.init(AuthorMonth.self), .init(AuthorTotal.self)]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.deleted(Revision.self) + commit.changed(Revision.self) {
        try add(commit.before.require(id), -1, at: commit.time, to: rows)
      }
      for id in commit.inserted(Revision.self) + commit.changed(Revision.self) {
        try add(commit.after.require(id), 1, at: commit.time, to: rows)
      }
      for review in try commit.recorded(Reviewed.self) {
        guard let revision = try commit.after.get(review.about) else { continue }
        try rows.update(key(of: revision)) { $0.points += review.points }
      }
    }

    private func key(of revision: Record<Revision>) -> EntityKey<AuthorMonth> {
      AuthorMonth.key(author: revision.author, month: revision.timeStamp.month)
    }

    private func add(
      _ revision: Record<Revision>, _ sign: Int, at time: Timestamp, to rows: borrowing DerivedRows
    ) throws {
      let (key, total) = (key(of: revision), AuthorTotal.key(author: revision.author))
      try rows.update(total) { $0.note = "has \($0.monthCount)" }
      try rows.update(key) {
        $0.commits += sign
        $0.size += sign * revision.size
        if sign > 0 { ($0.last, $0.largest) = (time, revision.id) }
        $0.total = try rows.id(of: total)
      }
      if try rows.get(key)?.commits == 0 { try rows.delete(key) }
    }
  }

  /// The same with names in place of structs.
  struct NamedMonths: Projection {
    let name = "author-months"
    let version = 1
    var mode = ProjectionMode.catchUp
    let entities: [DerivedEntity] = [.init(AuthorMonth.self), .init(AuthorTotal.self)]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.deleted("Revision") + commit.changed("Revision") {
        try add(commit.before.require(id), -1, at: commit.time, to: rows)
      }
      for id in commit.inserted("Revision") + commit.changed("Revision") {
        try add(commit.after.require(id), 1, at: commit.time, to: rows)
      }
      for event in try commit.recorded("Reviewed") {
        guard case .recorded(_, let fields) = event.content, let revision = try commit.after.get(event.object),
          case .integer(let points)? = fields.first(where: { $0.name == "points" })?.value
        else { continue }
        try rows.update("AuthorMonth", key: key(of: revision)) {
          $0["points"] = .integer(try $0.integer("points") + points)
        }
      }
    }

    private func key(of revision: StoredObject) throws -> [Value] {
      guard case .date(let time) = revision["timeStamp"] else { throw StoreError(.badValue, "\(revision.id) is odd.") }
      return [revision.target("author").map { .uuid($0) } ?? .null, .string(time.month)]
    }

    private func add(
      _ revision: StoredObject, _ sign: Int64, at time: Timestamp, to rows: borrowing DerivedRows
    ) throws {
      let key = try key(of: revision)
      guard case .integer(let size) = revision["size"] else { return }
      let ofAuthor = try Filter(parsing: "author == $author", variables: ["author": key[0]])
      let totals = try rows.fetch(Request(entity: "AuthorTotal", filter: ofAuthor)).rows
      let count = totals.first?["monthCount"] ?? .integer(0)
      try rows.update("AuthorTotal", key: [key[0]]) { $0["note"] = .string("has \(count.text)") }
      let total = try rows.get("AuthorTotal", key: [key[0]])?.id
      try rows.update("AuthorMonth", key: key) {
        $0["commits"] = .integer(try $0.integer("commits") + sign)
        $0["size"] = .integer(try $0.integer("size") + sign * size)
        if sign > 0 { ($0["last"], $0["largest"]) = (.date(time), .uuid(revision.id)) }
        $0["total"] = total.map { .uuid($0) } ?? .null
      }
      if try rows.get("AuthorMonth", key: key)?.integer("commits") == 0 { try rows.delete("AuthorMonth", key: key) }
    }
  }
}

#endif
