import Daybook
import DaybookTestSupport

/// What the projections of ``DrawnProjection`` are to write, computed from the events of the journal with dictionaries.
struct PlainDrawn {
  typealias Kind = DrawnProjection.Kind
  /// The values of a row, without those that are null.
  typealias Row = [String: Value]

  private struct Revision: Equatable {
    var month: Value
    var size: Int64
    var author: ObjectID?
  }

  private let version: Int64
  private var authors: [ObjectID: Value] = [:]
  private var revisions: [ObjectID: Revision] = [:]
  /// The rows by the one field of their keys, with links that may lead nowhere.
  private var rows: [Kind: [ObjectID: Row]] = [:]

  private init(version: Int) { self.version = Int64(version) }

  /// Returns the states after all commits of a store, in their order.
  static func states(of store: Store, version: Int) throws -> [PlainDrawn] {
    var states: [PlainDrawn] = []
    var state = PlainDrawn(version: version)
    var log = try store.log()
    while let commit = try log.next() {
      try state.apply(commit)
      states.append(state)
    }
    return states
  }

  private mutating func apply(_ commit: Commit) throws {
    let before = self
    for event in commit.events { try apply(event) }
    copy(before)
    follow(before)
    try review(commit)
    bury(before)
  }

  private mutating func apply(_ event: Event) throws {
    func value(_ name: String, _ fields: [NamedValue]) -> Value { fields.first { $0.name == name }?.value ?? .null }
    switch event.content {
    case .inserted(let fields, _) where event.entity == "Author": authors[event.object] = value("name", fields)
    case .inserted(let fields, _):
      guard case .integer(let size) = value("size", fields) else { throw Mismatch("\(event) has no size") }
      revisions[event.object] = Revision(month: value("month", fields), size: size)
    case .renamed(let change): authors[event.object] = change.new
    case .set(let changes):
      for change in changes {
        switch (change.name, change.new) {
        case ("size", .integer(let size)): revisions[event.object]?.size = size
        case ("month", let month): revisions[event.object]?.month = month
        case ("name", let name): authors[event.object] = name
        default: throw Mismatch("\(event) is not expected")
        }
      }
    case .related(let link): revisions[event.object]?.author = link.to
    case .unrelated: revisions[event.object]?.author = nil
    case .deleted where event.entity == "Author": authors[event.object] = nil
    case .deleted: revisions[event.object] = nil
    case .recorded: break
    case .unknown: throw Mismatch("\(event) is unknown")
    }
  }

  private mutating func copy(_ before: PlainDrawn) {
    rows[.copies] = revisions.filter { $1.size >= version }.reduce(into: [:]) { copies, revision in
      copies[revision.key] = [
        "revision": .uuid(revision.key), "month": revision.value.month, "size": .integer(revision.value.size),
        "author": revision.value.author.map { .uuid($0) } ?? .null,
      ]
    }
  }

  private mutating func follow(_ before: PlainDrawn) {
    for author in rows[.latest, default: [:]].keys {
      if let name = authors[author] {
        rows[.latest]?[author]?["name"] = name
      } else {
        rows[.latest]?[author] = nil
      }
    }
    for id in revisions.keys.sorted() where before.revisions[id] == nil {
      guard let revision = revisions[id], let author = revision.author, let name = authors[author] else { continue }
      rows[.latest, default: [:]][author] = [
        "author": .uuid(author), "name": name, "month": revision.month, "revision": .uuid(id),
      ]
    }
  }

  private mutating func review(_ commit: Commit) throws {
    for event in commit.events {
      guard case .recorded("Reviewed", let fields) = event.content else { continue }
      guard case .integer(let score)? = fields.first?.value else { throw Mismatch("\(event) has no score") }
      if score == 0 {
        rows[.reviews]?[event.object] = nil
        continue
      }
      let row = rows[.reviews]?[event.object] ?? [:]
      var (count, sum): (Int64, Int64) = (0, 0)
      if case .integer(let number)? = row["count"] { count = number }
      if case .integer(let number)? = row["score"] { sum = number }
      rows[.reviews, default: [:]][event.object] = [
        "revision": .uuid(event.object), "count": .integer(count + 1), "score": .integer(sum + score * version),
        "month": revisions[event.object]?.month ?? .null,
      ]
    }
  }

  private mutating func bury(_ before: PlainDrawn) {
    for id in revisions.keys { rows[.graves]?[id] = nil }
    for (id, revision) in before.revisions where revisions[id] == nil {
      rows[.graves, default: [:]][id] = [
        "revision": .uuid(id), "month": revision.month, "size": .integer(revision.size * version),
      ]
    }
  }
}

extension PlainDrawn {
  private enum SortKey: Comparable {
    case number(Int64)
    case text(String)
    case id(ObjectID)

    init(_ value: Value?) throws {
      switch value {
      case .integer(let number)?: self = .number(number)
      case .string(let text)?: self = .text(text)
      default: throw Mismatch("\(String(describing: value)) has no place in an order")
      }
    }
  }

  /// Returns the rows of a projection as they are read, by their ids.
  func rows(of kind: Kind) throws -> [ObjectID: Row] {
    var found: [ObjectID: Row] = [:]
    for (key, row) in rows[kind, default: [:]] {
      found[try kind.id(of: key)] = row.filter { name, value in
        guard case .uuid(let target) = value else { return !value.isNull }
        // A link outside the key leads nowhere while its target is deleted.
        return !["author", "revision"].contains(name) || target == key || authors[target] != nil
          || revisions[target] != nil
      }
    }
    return found
  }

  /// Returns the result of a projection's request, sorted here.
  func ids(of kind: Kind) throws -> SectionedIDs<ObjectID> {
    let rows = try rows(of: kind)
    let (section, sort): (String?, String) =
      switch kind {
      case .copies, .graves: ("month", "size")
      case .latest: ("name", "month")
      case .reviews: (nil, "score")
      }
    let sorted = try rows.map { id, row in
      (id: id, keys: try (section.map { [try SortKey(row[$0])] } ?? []) + [try SortKey(row[sort]), .id(id)])
    }.sorted { $0.keys.lexicographicallyPrecedes($1.keys) }
    guard section != nil else { return SectionedIDs(unsectioned: sorted.map(\.id)) }
    var sections: [(name: String, ids: [ObjectID])] = []
    for (id, keys) in sorted {
      guard case .text(let name) = keys[0] else { continue }
      if sections.last?.name != name { sections.append((name, [])) }
      sections[sections.count - 1].ids.append(id)
    }
    return SectionedIDs(sections: sections.map { .init(name: $0.name, rows: $0.ids) })
  }
}
