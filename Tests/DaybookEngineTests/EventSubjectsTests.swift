import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// What events touch, by kind of event and of relationship.
@Suite(.hangLimit) struct EventSubjectsTests {
  private typealias Subject = EventSubjects.Subject

  /// A model with a relationship of each kind. The owners are `Book.author`, `Author.agent` and `Book.topics`.
  private static let model = Model(entities: [
    Entity(
      name: "Author", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "born", type: .integer, isOptional: true),
        Attribute(name: "died", type: .integer, isOptional: true),
      ],
      relationships: [
        Relationship(name: "books", target: "Book", inverse: "author", isMany: true, isOrdered: true),
        Relationship(name: "agent", target: "Agent", inverse: "author", isOptional: true),
      ]),
    Entity(
      name: "Agent", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "author", target: "Author", inverse: "agent", isOptional: true)]),
    Entity(
      name: "Book", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "author", target: "Author", inverse: "books", isOptional: true),
        Relationship(name: "topics", target: "Topic", inverse: "books", isMany: true),
      ]),
    Entity(
      name: "Topic", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "books", target: "Book", inverse: "topics", isMany: true)]),
  ])

  private let bench: EngineBench
  private var model: ResolvedModel { bench.model }

  init() throws {
    bench = try EngineBench(Self.model)
  }

  private func insert(_ entity: String) throws -> ObjectID {
    let id = bench.makeID()
    try bench.commit(.insert(entity: entity, values: [("name", "x")], id: id))
    return id
  }

  private func reference(_ entity: String, _ name: String) throws -> RelationshipReference {
    try model.requireRelationship(name, of: model.requireEntity(entity))
  }

  private func tag(_ entity: String, _ name: String) throws -> DaybookModel.Tag {
    model[try reference(entity, name)].tag
  }

  /// What one commit's events touch.
  private struct Answers {
    var kinds: [EventKind] = []
    var subjects: [[Subject]] = []
    /// Facts by event.
    var facts: [Set<Fact>] = []
    var changes: Set<ObjectChange> = []
  }

  /// Writes a commit, and asks what its events touch.
  private func answers(_ verbs: Verb...) throws -> Answers {
    try bench.commit { builder in for verb in verbs { try builder.carryOut(verb) } }
    return try bench.read { present, journal in
      try journal.withCommit(at: present.position) { try answers($0.events) }
    }
  }

  private func answers(_ reader: EventReader) throws -> Answers {
    var answers = Answers()
    var events = reader
    while !events.isAtEnd {
      let event = try events.next()
      var subjects = EventSubjects(of: event)
      #expect(subjects.object == event.object)
      answers.kinds.append(event.kind)
      answers.facts.append(Set(try subjects.facts(in: model)))
      var list: [Subject] = []
      while let subject = try subjects.next() { list.append(subject) }
      answers.subjects.append(list)
    }
    try reader.forEachChange(in: model) { answers.changes.insert($0) }
    return answers
  }

  @Test func eachKindOfEventHasItsSubjects() throws {
    let (author, book) = (bench.makeID(), bench.makeID())
    let answers = try answers(
      .insert(entity: "Author", values: [("name", "Bo")], id: author), .rename(author, to: "Jo"),
      .set(author, values: [("born", 1900), ("died", 1980)]),
      .insert(entity: "Book", values: [("name", "x")], id: book),
      .relate(book, relationship: "author", to: author, at: .unspecified),
      .unrelate(book, relationship: "author", from: author), .delete([book]))
    let entity = model.entities[try model.requireEntity("Author")]
    let attributes = try ["name", "born", "died"].map { name in
      entity.attributes[try #require(entity.attribute(named: name))].tag
    }
    let link = try tag("Book", "author")
    #expect(answers.kinds == [.inserted, .renamed, .set, .inserted, .related, .unrelated, .deleted])
    #expect(
      answers.subjects == [
        [.existence(isLive: true)], [.attribute(attributes[0])],
        [.attribute(attributes[1]), .attribute(attributes[2])],
        [.existence(isLive: true)], [.link(link, from: nil, to: author)], [.link(link, from: author, to: nil)],
        [.existence(isLive: false)],
      ])
    #expect(
      answers.facts == [
        [.existence(author)], [.mention(author), .attribute(author, attributes[0])],
        [.mention(author), .attribute(author, attributes[1]), .attribute(author, attributes[2])],
        [.existence(book)], [.mention(book), .mention(author), .target(book, link)],
        [.mention(book), .mention(author), .target(book, link)], [.existence(book)],
      ])
    let (authors, books) = (entity.index, try model.requireEntity("Book"))
    let numbers = try ["name", "born", "died"].map { try #require(entity.attribute(named: $0)) }
    #expect(
      answers.changes
        == Set(
          numbers.map { ObjectChange(trigger: .attribute(entity: authors, number: $0), object: author) } + [
            ObjectChange(trigger: .subject(entity: authors), object: author),
            ObjectChange(trigger: .existence(entity: authors), object: author),
            ObjectChange(trigger: .subject(entity: books), object: book),
            ObjectChange(trigger: .existence(entity: books), object: book),
            ObjectChange(trigger: .link(try reference("Book", "author")), object: book),
            ObjectChange(trigger: .link(try reference("Author", "books")), object: author),
          ]))
  }

  @Test func anEventOfALaterVersionHasNoSubjectButItsObject() throws {
    let book = bench.makeID()
    let number = try model.requireEntity("Book")
    var writer = EventWriter(position: 2, time: Timestamp(microseconds: 2))
    let content: [UInt8] = [9, 1]
    try writer.unknown(book, entity: model.entities[number].tag, previous: nil, content: content.rawSpan)
    let answers = try answers(
      EventReader(writer.bytes.rawSpan, position: 2, time: Timestamp(microseconds: 2)))
    #expect(answers.kinds == [.unknown])
    #expect(answers.subjects == [[]])
    #expect(answers.facts == [[.mention(book)]])
    #expect(answers.changes == [ObjectChange(trigger: .subject(entity: number), object: book)])
  }

  @Test func aLinkToOneHasTheSameSubjectFromEitherSide() throws {
    let (book, first, second) = (try insert("Book"), try insert("Author"), try insert("Author"))
    let link = try tag("Book", "author")
    let made = try answers(.relate(first, relationship: "books", to: book, at: .last))
    #expect(made.subjects == [[.link(link, from: nil, to: first)]])
    let replaced = try answers(.relate(book, relationship: "author", to: second, at: .unspecified))
    #expect(replaced.subjects == [[.link(link, from: first, to: second)]])
    #expect(replaced.facts == [[.mention(book), .mention(first), .mention(second), .target(book, link)]])
    let books = try reference("Author", "books")
    #expect(
      replaced.changes == [
        ObjectChange(trigger: .subject(entity: try model.requireEntity("Book")), object: book),
        ObjectChange(trigger: .link(try reference("Book", "author")), object: book),
        ObjectChange(trigger: .link(books), object: first), ObjectChange(trigger: .link(books), object: second),
      ])
  }

  @Test func aMoveInAListHasTheSameTargetTwice() throws {
    let (author, first, second) = (try insert("Author"), try insert("Book"), try insert("Book"))
    for book in [first, second] { try bench.commit(.relate(author, relationship: "books", to: book, at: .last)) }
    let moved = try answers(.relate(author, relationship: "books", to: second, at: .before(first)))
    let link = try tag("Book", "author")
    #expect(moved.subjects == [[.link(link, from: author, to: author)]])
    #expect(moved.facts == [[.mention(second), .mention(author), .target(second, link)]])
  }

  @Test func aLinkOfManyToManyIsAFactOfItsOwn() throws {
    let (book, topic) = (try insert("Book"), try insert("Topic"))
    let link = try tag("Book", "topics")
    let fact = Fact.link(LinkIdentity(owner: book, relationship: link, target: topic))
    #expect(fact.objects == [book, topic])
    let made = try answers(.relate(topic, relationship: "books", to: book, at: .unspecified))
    #expect(made.subjects == [[.link(link, from: nil, to: topic)]])
    #expect(made.facts == [[.mention(book), .mention(topic), fact]])
    #expect(
      made.changes == [
        ObjectChange(trigger: .subject(entity: try model.requireEntity("Book")), object: book),
        ObjectChange(trigger: .link(try reference("Book", "topics")), object: book),
        ObjectChange(trigger: .link(try reference("Topic", "books")), object: topic),
      ])
    let removed = try answers(.unrelate(book, relationship: "topics", from: topic))
    #expect(removed.subjects == [[.link(link, from: topic, to: nil)]])
    #expect(removed.facts == made.facts)
  }

  @Test func aOneToOneLinkIsAlsoAFactOfItsPartner() throws {
    let (first, second, agent) = (try insert("Author"), try insert("Author"), try insert("Agent"))
    try bench.commit(.relate(first, relationship: "agent", to: agent, at: .unspecified))
    let taken = try answers(.relate(agent, relationship: "author", to: second, at: .unspecified))
    let link = try tag("Author", "agent")
    #expect(taken.kinds == [.unrelated, .related])
    #expect(taken.subjects == [[.link(link, from: agent, to: nil)], [.link(link, from: nil, to: agent)]])
    #expect(
      taken.facts == [
        [.mention(first), .mention(agent), .target(first, link)],
        [.mention(second), .mention(agent), .target(second, link)],
      ])
    let partner = LinkIdentity(owner: second, relationship: link, target: agent).partnerFact(in: model)
    #expect(partner == .target(agent, try tag("Agent", "author")))
    let book = LinkIdentity(owner: agent, relationship: try tag("Book", "author"), target: first)
    #expect(book.partnerFact(in: model) == nil)
  }

  @Test func bothValuesOfAnAttributeAreReadWithIt() throws {
    let author = try insert("Author")
    try bench.commit(.set(author, values: [("died", 1980)]))
    try bench.commit(.set(author, values: [("born", 1900), ("died", .null)]))
    let values = try bench.read { present, journal in
      try journal.withCommit(at: present.position) { commit in
        var events = commit.events
        var subjects = EventSubjects(of: try events.next())
        var values: [[Value?]] = []
        while try subjects.next() != nil { values.append([try subjects.oldValue(), try subjects.newValue()]) }
        return values
      }
    }
    #expect(values == [[nil, 1900], [1980, nil]])
  }
}
