import Daybook
import DaybookModel
import DaybookQuery

/// A ready-made projection that counts commits and events by day, author and entity.
///
///     var options = StoreOptions()
///     options.projections = [ActivityProjection()]
///     let store = try Store(at: path, options: options)
///     let activity = try store.activity()
///     print(activity.days.count, activity.commits)
///
/// A commit of a model touches no object and is not counted. Days are in UTC, by the time when a commit happened if it
/// is known, else by the time when it was recorded. The rows grow only with the days, authors and entities, not with
/// the number of events.
///
/// Its entities are `@ActivityDay`, which is read as any entity is, and `@ActivityAuthor`. An object of `@ActivityDay` has
/// the numbers of an author on a day, in all and for each entity: `entity` is nil in the former, which counts whole
/// commits.
package struct ActivityProjection: DaybookProjection {
  package let name = "activity"
  package let version = 2
  package let mode: ProjectionMode
  package let entities = [day, author]

  /// - Parameter mode: `.catchUp`, which costs writers nothing, or `.inline`.
  package init(mode: ProjectionMode = .catchUp) {
    self.mode = mode
  }

  package func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    if commit.isModel { return try renameEntities(after: commit, in: rows) }
    let day = CivilDate(commit.time).dayText
    let author = try commit.author.map { (name: $0, number: try number(of: $0, commit.position, in: rows)) }
    func add(_ eventCount: Int, to entity: (tag: Tag, name: String)?) throws {
      let (number, tag) = (author?.number, entity.map { Int64($0.tag.number) })
      let key = [.string(day), number.map { .integer($0) } ?? .null, tag.map { .integer($0) } ?? Value.null]
      try rows.update("@ActivityDay", key: key) { row in
        if let author { row["author"] = .string(author.name) }
        if let entity { row["entity"] = .string(entity.name) }
        // The numbers are read from the file, and no value may cause a trap.
        row["commits"] = .integer(try row.integer("commits") &+ 1)
        row["events"] = .integer(try row.integer("events") &+ Int64(eventCount))
      }
    }
    try add(commit.eventCount, to: nil)
    let names = try commit.names()
    for (tag, count) in try commit.eventCounts() { try add(count, to: (tag, names.entity(tag).name)) }
  }

  /// Returns the number of an author: the position of the author's first commit.
  private func number(of author: String, _ position: Position, in rows: borrowing DerivedRows) throws -> Int64 {
    // A name may be longer than a key.
    let key: [Value] = [.string(Digest(hashing: Array(author.utf8).rawSpan).description)]
    if let known = try rows.get("@ActivityAuthor", key: key) { return try known.integer("number") }
    let number = Int64(clamping: position.number)
    try rows.put("@ActivityAuthor", key: key, ["name": .string(author), "number": .integer(number)])
    return number
  }

  /// Gives the objects of entities that a model has renamed or removed their present names.
  private func renameEntities(after commit: borrowing AppliedCommit, in rows: borrowing DerivedRows) throws {
    guard commit.position > 1 else { return }
    let (former, names) = (try commit.formerNames(), try commit.names())
    for entity in former.model.entities {
      let name = try names.entity(entity.tag).name
      if try former.entity(entity.tag).name == name { continue }
      let tag = Value.integer(Int64(entity.tag.number))
      let filter = Filter(.path("entityTag"), .equal, .value(tag))
      for day in try rows.fetch(Request(entity: "@ActivityDay", filter: filter)).rows {
        try rows.update("@ActivityDay", key: [day["day"], day["authorNumber"], tag]) { $0["entity"] = .string(name) }
      }
    }
  }
}

extension ActivityProjection {
  /// The key has numbers in place of the author's name, which may be longer than a key, and of the entity's, which a model
  /// may change. In the order of its index the rows of a day have the order of the authors' first commits.
  private static let day = DerivedEntity(
    Entity(
      name: "@ActivityDay",
      attributes: [
        Attribute(name: "day", type: .string),
        Attribute(name: "author", type: .string, isOptional: true),
        Attribute(name: "entity", type: .string, isOptional: true),
        Attribute(name: "commits", type: .integer, defaultValue: 0),
        Attribute(name: "events", type: .integer, defaultValue: 0),
        Attribute(name: "authorNumber", type: .integer, isOptional: true),
        Attribute(name: "entityTag", type: .integer, isOptional: true),
      ],
      indexes: [Index([SortTerm(path: ["day"]), SortTerm(path: ["authorNumber"]), SortTerm(path: ["entityTag"])])]),
    key: ["day", "authorNumber", "entityTag"])

  private static let author = DerivedEntity(
    Entity(
      name: "@ActivityAuthor", nameAttribute: "name",
      attributes: [
        Attribute(name: "digest", type: .string),
        Attribute(name: "name", type: .string, defaultValue: ""),
        Attribute(name: "number", type: .integer, defaultValue: 0),
      ]),
    key: ["digest"])
}
