import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreReader {
  /// Returns the commits that set the present values and links of an object; see `Store.blame(of:)`.
  package func blame(of id: ObjectID) throws -> Blame {
    guard let key = try reader.find(id), let record = try reader.unsafeRecord(of: key),
      let object = try reader.object(key)
    else {
      if let derived = try derived(having: id) { return try derived.blame(of: id) }
      throw StoreError(.notFound, "There is no object \(id).", advice: "It may have been deleted.")
    }
    let last = try RecordView(record).stamps.last
    let search = try BlameSearch(of: key, from: last, reader.model, journal)
    let entity = reader.model.entities[key.entity]
    var lines: [Blame.Line] = []
    for attribute in entity.attributes where !attribute.isRetired && attribute.derivation == nil {
      lines.append(
        try line(
          attribute.name, object[attribute.name], attribute.type,
          search.position(of: .attribute(id, attribute.tag)), isLink: false))
    }
    for relationship in entity.relationships where !relationship.isRetired && !relationship.isMany {
      let target = object.target(relationship.name)
      let position = search.position(of: .target(id, relationship.tag))
      lines.append(try line(relationship.name, target.map { .uuid($0) } ?? .null, .uuid, position, isLink: true))
    }
    return Blame(object: id, entity: entity.name, position: position, lines: lines)
  }

  private func line(
    _ name: String, _ value: Value, _ type: AttributeType, _ position: Position, isLink: Bool
  ) throws -> Blame.Line {
    return Blame.Line(
      name: name, value: value, type: type, isLink: isLink,
      summary: try CommitSummary(reading: journal.header(at: position).header))
  }
}

/// Finds the commits that set the attributes and links of an object.
private struct BlameSearch {
  private let key: ObjectKey
  private let model: ResolvedModel
  /// The facts whose commits are not found yet.
  private var wanted: Set<Fact>
  private var found: [Fact: Position] = [:]
  /// The commit that inserted the object.
  private var inserted = Position.empty

  init(of key: ObjectKey, from last: Position, _ model: ResolvedModel, _ journal: LMDBJournal) throws {
    self.key = key
    self.model = model
    wanted = model.facts(of: key)
    var walk = HistoryWalk(of: key.id, from: last)
    while !wanted.isEmpty, inserted == .empty, let position = walk.next {
      try journal.withCommit(at: position) { commit in
        try read(commit)
        try walk.advance(over: commit)
      }
    }
    try findAdditions(in: journal)
  }

  /// Returns the commit that set a fact.
  func position(of fact: Fact) -> Position { found[fact] ?? inserted }

  private mutating func read(_ commit: CommitView) throws {
    let position = commit.header.position
    var isWhole = false
    var events = commit.events
    try events.forEachReversed { event in
      // Events before the insertion belong to an earlier object of the same id.
      if isWhole { return }
      var subjects = EventSubjects(of: event)
      while let subject = try subjects.next() {
        switch subject {
        case .existence(let isLive): if isLive, event.object == key.id { isWhole = true }
        case .attribute(let tag): note(.attribute(event.object, tag), position)
        case .link(let tag, let from, let to):
          // A link that only changed its place in an order has the same target as before.
          guard from != to else { continue }
          for target in [from, to] {
            guard let target else { continue }
            note(LinkIdentity(owner: event.object, relationship: tag, target: target), position)
          }
        }
      }
    }
    if isWhole { inserted = position }
  }

  private mutating func note(_ link: LinkIdentity, _ position: Position) {
    note(link.ownerFact(in: model), position)
    if let fact = link.partnerFact(in: model) { note(fact, position) }
  }

  private mutating func note(_ fact: Fact, _ position: Position) {
    if wanted.remove(fact) != nil { found[fact] = position }
  }

  /// Finds the later models that added the facts which no event of the object names.
  private mutating func findAdditions(in journal: LMDBJournal) throws {
    let tag = model.entities[key.entity].tag
    for position in try journal.modelPositions() where !wanted.isEmpty {
      let earlier = try journal.model(at: position)
      guard let entity = earlier.entity(tagged: tag) else { continue }
      for fact in wanted.intersection(earlier.facts(of: ObjectKey(entity: entity, id: key.id))) {
        wanted.remove(fact)
        if position > inserted { found[fact] = position }
      }
    }
  }
}

private extension ResolvedModel {
  /// Returns the facts that an object stores: its attributes, and its links to one.
  func facts(of key: ObjectKey) -> Set<Fact> {
    let entity = entities[key.entity]
    var facts: Set<Fact> = []
    for attribute in entity.attributes where !attribute.isRetired && attribute.derivation == nil {
      facts.insert(.attribute(key.id, attribute.tag))
    }
    for relationship in entity.relationships where !relationship.isRetired && !relationship.isMany {
      facts.insert(.target(key.id, relationship.tag))
    }
    return facts
  }
}

/// The commits that set the present values and links of an object.
///
///     let blame = try store.blame(of: cake)
///     for line in blame.lines { print(line.name, line.value, line.position, line.author ?? "") }
///
/// There is a line for each stored attribute, and then for each relationship to one, in the order of the model. A value
/// that the object had from the start is attributed to the commit that inserted the object; the default of an attribute
/// that was added later, to the commit of the model that added it. Writing a value again creates no event, and so
/// changes no line.
public struct Blame: Sendable, Hashable {
  /// The object.
  public let object: ObjectID
  /// The name of its entity.
  public let entity: String
  /// The position of the state that the lines describe.
  public let position: Position
  /// A line for each value and each link.
  public let lines: [Line]

  /// An attribute or a link, and the commit that set it.
  @dynamicMemberLookup
  public struct Line: Sendable, Hashable {
    /// The name of the attribute or relationship in the model of the state.
    public let name: String
    /// The value; for a link, the target's id or null.
    public let value: Value
    /// The type of the attribute; for a link, the type of an id.
    public let type: AttributeType
    /// Whether the line describes a link to another object, and not a value.
    public let isLink: Bool
    /// The commit that set the value or link.
    public let summary: CommitSummary

    /// A property of the commit's ``summary``.
    @inlinable
    public subscript<Member>(dynamicMember member: KeyPath<CommitSummary, Member>) -> Member {
      summary[keyPath: member]
    }
  }
}
