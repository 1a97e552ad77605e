import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the commits that set the present values and links of an object.
  ///
  /// The search reads only the commits that named the object, from the last one backward, and ends as soon as all
  /// values and links are found.
  ///
  /// - Throws: `StoreError`: `notFound` if there is no such object, `damaged` for a commit that cannot be read.
  /// - Complexity: O(*k* log *n*) for *k* commits that named the object.
  public func blame(of id: ObjectID) throws -> Blame {
    guard let key = try reader.find(id), let record = try reader.record(of: key), let object = try reader.object(key)
    else { throw StoreError(.notFound, "There is no object \(id).", advice: "It may have been deleted.") }
    let last = try RecordView(record).stamps.last
    let search = try BlameSearch(of: key, from: last, reader.model, journal)
    let entity = reader.model.entities[key.entity]
    var lines: [Blame.Line] = []
    for attribute in entity.attributes where !attribute.isRetired && attribute.derivation == nil {
      lines.append(
        try line(
          attribute.name, object[attribute.name], attribute.type,
          search.position(of: Part(tag: attribute.tag, isSubject: true)),
          isLink: false))
    }
    for (number, relationship) in entity.relationships.enumerated()
    where !relationship.isRetired && !relationship.isMany {
      let reference = RelationshipReference(entity: key.entity, relationship: number)
      let target = try reader.targets(of: reference, from: id).first
      let position = search.position(of: reader.model.part(of: reference))
      lines.append(try line(relationship.name, target.map { .uuid($0) } ?? .null, .uuid, position, isLink: true))
    }
    return Blame(object: id, entity: entity.name, position: position, lines: lines)
  }

  private func line(
    _ name: String, _ value: Value, _ type: AttributeType, _ position: Position, isLink: Bool
  ) throws -> Blame.Line {
    let header = try journal.header(at: position).header
    return Blame.Line(
      name: name, value: value, type: type, isLink: isLink, position: position, author: header.author,
      message: header.message,
      recordedAt: header.recordedAt, happenedAt: header.happenedAt)
  }
}

/// An attribute of an object, or its side of a relationship to one, as events refer to it.
private struct Part: Hashable {
  /// The tag of the attribute, or of the side of the relationship that owns the links.
  let tag: Tag
  /// Whether events that change it have the object as their subject.
  let isSubject: Bool
}

/// Finds the commits that set the attributes and links of an object.
private struct BlameSearch {
  private let key: ObjectKey
  /// The parts whose commits are not found yet.
  private var wanted: Set<Part>
  private var found: [Part: Position] = [:]
  /// The commit that inserted the object.
  private var inserted = Position.empty

  init(of key: ObjectKey, from last: Position, _ model: ResolvedModel, _ journal: LMDBJournal) throws {
    self.key = key
    wanted = model.parts(of: key.entity)
    var walk = HistoryWalk(of: key.id, from: last)
    while !wanted.isEmpty, inserted == .empty, let position = walk.next {
      try journal.withCommit(at: position) { commit in
        try take(commit)
        try walk.advance(over: commit)
      }
    }
    try findAdditions(to: model, in: journal)
  }

  /// Returns the commit that set a part.
  func position(of part: Part) -> Position { found[part] ?? inserted }

  private mutating func take(_ commit: CommitView) throws {
    let position = commit.header.position
    var isWhole = false
    var events = commit.events
    try events.forEachReversed { event in
      // Events before the insertion belong to an earlier object of the same id.
      if isWhole { return }
      if let link = event.link { return note(link, of: event.object, position) }
      guard event.object == key.id else { return }
      if event.kind == .inserted { isWhole = true }
      guard event.kind == .renamed || event.kind == .set else { return }
      var fields = FieldReader(event.fields)
      while !fields.isAtEnd {
        note(Part(tag: try fields.next().tag, isSubject: true), position)
        _ = try fields.next()
      }
    }
    if isWhole { inserted = position }
  }

  private mutating func note(_ link: LinkView, of owner: ObjectID, _ position: Position) {
    // A link that only changed its place in an order has the same target as before.
    guard link.from != link.to else { return }
    if owner == key.id { note(Part(tag: link.relationship, isSubject: true), position) }
    if link.from == key.id || link.to == key.id { note(Part(tag: link.relationship, isSubject: false), position) }
  }

  private mutating func note(_ part: Part, _ position: Position) {
    if wanted.remove(part) != nil { found[part] = position }
  }

  /// Finds the later models that added the parts which no event of the object names.
  private mutating func findAdditions(to model: ResolvedModel, in journal: LMDBJournal) throws {
    let tag = model.entities[key.entity].tag
    for position in try journal.modelPositions() where !wanted.isEmpty {
      let model = try journal.model(at: position)
      guard let entity = model.entity(tagged: tag) else { continue }
      for part in wanted.intersection(model.parts(of: entity)) {
        wanted.remove(part)
        if position > inserted { found[part] = position }
      }
    }
  }
}

private extension ResolvedModel {
  /// Returns the parts that an object of an entity stores: attributes and links to one.
  func parts(of number: Int) -> Set<Part> {
    let entity = entities[number]
    var parts = Set(
      entity.attributes.filter { !$0.isRetired && $0.derivation == nil }.map { Part(tag: $0.tag, isSubject: true) })
    for (index, relationship) in entity.relationships.enumerated()
    where !relationship.isRetired && !relationship.isMany {
      parts.insert(part(of: RelationshipReference(entity: number, relationship: index)))
    }
    return parts
  }

  func part(of reference: RelationshipReference) -> Part {
    let isOwner = self[reference].isOwner
    return Part(tag: isOwner ? self[reference].tag : self[inverse(of: reference)].tag, isSubject: isOwner)
  }
}
