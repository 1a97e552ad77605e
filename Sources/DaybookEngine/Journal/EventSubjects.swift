import DaybookModel

/// The subjects of one event, read one after the other without copying.
///
/// This is the only place that decides by its kind what an event touches. The rows that a feed examines, the facts that
/// a revert compares, the statements of a merge and the commits that blame names are all made from these subjects.
///
/// An event of a later version has no subject but its object. A recorded event has none at all: it changes nothing, so
/// no feed, revert or merge depends on it.
package struct EventSubjects: ~Escapable {
  package enum Subject: Hashable {
    /// The existence of the object: the event inserted or deleted it.
    case existence(isLive: Bool)
    /// The value of an attribute of the object.
    case attribute(Tag)
    /// The link of the object, which is its owner: one target was replaced by another one, removed or added.
    ///
    /// Both targets are equal if only the place in an order changed.
    case link(Tag, from: ObjectID?, to: ObjectID?)
  }

  /// The object that the event names first; for a link, its owner.
  package let object: ObjectID
  private let entity: Tag
  /// Whether the event counts as naming its object.
  private let mentionsObject: Bool
  /// The subject of an event that has only one.
  private var only: Subject?
  /// The attributes that are not read yet: for each its old field and then its new one.
  private var attributes: FieldReader
  /// Begins at the new field of the attribute that was read last.
  private var latest: FieldReader
  /// Begins at the old field of the attribute that was read last.
  private var former: FieldReader

  @_lifetime(copy event)
  package init(of event: EventView) {
    (object, entity) = (event.object, event.entity)
    attributes = FieldReader(event.fields.extracting(0..<0))
    switch event.kind {
    case .inserted: only = .existence(isLive: true)
    case .deleted: only = .existence(isLive: false)
    case .renamed, .set: attributes = FieldReader(event.fields)
    case .related, .unrelated:
      if let link = event.link { only = .link(link.relationship, from: link.from, to: link.to) }
    case .recorded, .unknown: break
    }
    mentionsObject = event.kind != .recorded
    (latest, former) = (attributes, attributes)
  }

  /// Returns the next subject, or `nil` at the end.
  ///
  /// - Throws: `MalformedBytes` if the fields of the event are damaged.
  package mutating func next() throws(MalformedBytes) -> Subject? {
    if let only {
      self.only = nil
      return only
    }
    if attributes.isAtEnd { return nil }
    former = attributes
    let tag = try attributes.next().tag
    latest = attributes
    _ = try attributes.next()
    return .attribute(tag)
  }

  /// Returns the new value of the attribute that was read last, or `nil` if it has no field.
  package func newValue() throws(MalformedBytes) -> Value? { try EventSubjects.value(at: latest) }

  /// Returns the replaced value of the attribute that was read last, or `nil` if it has no field.
  package func oldValue() throws(MalformedBytes) -> Value? { try EventSubjects.value(at: former) }

  private static func value(at place: FieldReader) throws(MalformedBytes) -> Value? {
    var reader = place
    let field = try reader.next()
    // Two statements, because `nil` in a conditional expression would be the null value.
    if field.form == .absent { return nil }
    return try field.value()
  }
}

extension EventSubjects {
  /// Returns the facts that the event changes, and the objects that it mentions; the same fact may be repeated.
  package func facts(in model: ResolvedModel) throws -> [Fact] {
    var facts: [Fact] = mentionsObject ? [.mention(object)] : []
    var subjects = self
    while let subject = try subjects.next() {
      switch subject {
      case .existence: facts = [.existence(object)]
      case .attribute(let tag): facts.append(.attribute(object, tag))
      case .link(let tag, let from, let to):
        guard model.relationship(tagged: tag) != nil else { continue }
        for target in [from, to] {
          guard let target else { continue }
          facts.append(.mention(target))
          facts += LinkIdentity(owner: object, relationship: tag, target: target).ownFacts(in: model)
        }
      }
    }
    return facts
  }
}
