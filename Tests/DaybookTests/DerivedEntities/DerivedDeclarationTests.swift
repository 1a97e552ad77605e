import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Declarations that cannot be, and models that take a name.
@Suite(.hangLimit) struct DerivedDeclarationTests {
  /// A projection that does nothing.
  private struct Declared: Projection {
    var name = "declared"
    let version = 1
    var mode = ProjectionMode.inline
    var reads: [String] = []
    var entities: [DerivedEntity]
    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) {}
  }

  private static func entity(_ name: String, linkTo target: String? = nil) -> DerivedEntity {
    DerivedEntity(
      Entity(
        name: name, attributes: [Attribute(name: "key", type: .string)],
        relationships: target.map { [Relationship(name: "link", target: $0, isOptional: true)] } ?? []),
      key: ["key"])
  }

  private func refusal(_ projections: any Projection...) throws -> StoreError {
    var options = StoreOptions()
    options.projections = projections
    let directory = try TemporaryDirectory()
    return try #require(throws: StoreError.self) {
      try Store(at: directory.path("store"), model: MonthProjection.model, options: options)
    }
  }

  @Test func `groups of a derived entity are refused`() throws {
    let entity = Entity(
      name: "Row", attributes: [Attribute(name: "key", type: .string)],
      groups: [GroupDeclaration("byKey", by: ["key"])])
    let error = try refusal(Declared(entities: [DerivedEntity(entity, key: ["key"])]))
    #expect(error.code == .badModel && error.message.contains("has groups"))
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func linkToAnUnknownEntityIsRefused(_ mode: ProjectionMode) throws {
    let error = try refusal(Declared(mode: mode, entities: [Self.entity("Row", linkTo: "Nothing")]))
    #expect(error.code == .badModel && error.message.contains("Row.link") && error.message.contains("Nothing"))
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func nameOfAStoredEntityIsRefused(_ mode: ProjectionMode) throws {
    let error = try refusal(Declared(mode: mode, entities: [Self.entity("Author")]))
    #expect(error.code == .badModel && error.message.contains("Author"))
  }

  @Test func entityThatTwoProjectionsDeclareIsRefused() throws {
    let error = try refusal(
      Declared(name: "a", entities: [Self.entity("Row")]), Declared(name: "b", entities: [Self.entity("Row")]))
    #expect(error.code == .badModel && error.message.contains("both declare Row"))
  }

  @Test func circleOfReadsIsRefused() throws {
    let error = try refusal(
      Declared(name: "a", reads: ["b"], entities: [Self.entity("Row")]),
      Declared(name: "b", reads: ["a"], entities: [Self.entity("Other")]))
    #expect(error.code == .badModel && error.message.contains("a reads b"))
    let own = try refusal(Declared(name: "a", reads: ["a"], entities: [Self.entity("Row")]))
    #expect(own.code == .badModel)
  }

  @Test func inlineProjectionReadsInlineOnesOnly() throws {
    let error = try refusal(
      Declared(name: "a", mode: .catchUp, entities: [Self.entity("Row")]),
      Declared(name: "b", reads: ["a"], entities: [Self.entity("Other")]))
    #expect(error.code == .badModel && error.message.contains("inline"))
  }

  /// A link leads to an entity of a projection that is read, whichever name comes first.
  @Test(arguments: ["a", "z"])
  func linkLeadsToAnEntityOfAProjectionThatIsRead(_ reader: String) throws {
    var options = StoreOptions()
    options.projections = [
      Declared(name: "m", entities: [Self.entity("Row")]),
      Declared(name: reader, reads: ["m"], entities: [Self.entity("Other", linkTo: "Row")]),
    ]
    try withTemporaryStore(MonthProjection.model, options: options) { store in
      let linked = Request(entity: "Other", filter: try Filter(parsing: #"link.key == "x""#))
      #expect(try store.count(linked) == 0)
    }
  }

  private var named: Model {
    var model = MonthProjection.model
    model.entities.append(Entity(name: "AuthorMonth", attributes: [Attribute(name: "name", type: .string)]))
    return model
  }

  @Test func modelThatTakesAKnownNameIsRefused() throws {
    try withTemporaryStore(MonthProjection.model, options: .knowing(MonthProjection())) { store in
      let error = try #require(throws: StoreError.self) { try store.apply(named) }
      #expect(error.code == .badModel && error.message.contains("author-months"))
      #expect(try store.position == 1)
    }
  }

  /// A process that does not know the projection takes the name; the projection stops, and the store opens.
  @Test func modelThatTakesAnUnknownNameStopsTheProjection() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let options = StoreOptions.knowing(MonthProjection(mode: .inline), TotalProjection(mode: .inline))
    let first = try Store(at: path, model: MonthProjection.model, options: options)
    try first.write { _ = try $0.insert("Revision", ["month": "1"]) }
    #expect(try first.count(Request(entity: "AuthorMonth")) == 1)
    first.close()
    let other = try Store(at: path)
    try other.apply(named)
    other.close()
    let store = try Store(at: path, options: options)
    // What reads the projection stops too.
    for status in try store.projections() {
      #expect(status.stop?.position == 3, "\(status.name)")
      #expect(status.stop?.reason.contains("AuthorMonth") == true)
    }
    // The stored entity has the name.
    #expect(try store.count(Request(entity: "AuthorMonth")) == 0)
    _ = try store.write { try $0.insert("AuthorMonth", ["name": "x"]) }
    #expect(try store.count(Request(entity: "AuthorMonth")) == 1)
    store.close()
  }

  /// A projection sees the entities of the ones that it reads, and does not write them.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func entityOfAnotherProjectionIsNotWritten(_ mode: ProjectionMode) throws {
    struct Writing: Projection {
      let name = "writing"
      let version = 1
      var mode: ProjectionMode
      let reads = ["declared"]
      let onFailure = ProjectionFailurePolicy.quarantine
      var entities: [DerivedEntity] { [DerivedDeclarationTests.entity("Other")] }

      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
        try rows.put("Other", key: ["x"])
        if commit.position == 2 { try rows.put("Row", key: ["x"]) }
      }
    }
    let projections: [any Projection] = [
      Declared(mode: mode, entities: [Self.entity("Row")]), Writing(mode: mode),
    ]
    var options = StoreOptions.knowing()
    options.projections = projections
    try withTemporaryStore(MonthProjection.model, options: options) { store in
      try store.write { _ = try $0.insert("Revision", ["month": "1"]) }
      try store.projection("writing").catchUp()
      let failed = try store.projection("writing").quarantine()
      #expect(failed.map(\.position) == [2])
      #expect(failed.first?.reason.contains("The projection writing has no entity “Row”") == true)
      #expect(try store.count(Request(entity: "Row")) == 0)
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func changesOfAnUnknownEntityFailTheCommit(_ mode: ProjectionMode) throws {
    struct Asking: Projection {
      let name = "asking"
      let version = 1
      var mode: ProjectionMode
      let onFailure = ProjectionFailurePolicy.quarantine
      var entities: [DerivedEntity] { [DerivedDeclarationTests.entity("Row")] }

      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
        try rows.put("Row", key: [.string("\(commit.position)")])
        if commit.position == 2 { #expect(commit.inserted("Nothing").isEmpty) }
      }
    }
    try withTemporaryStore(MonthProjection.model, options: .knowing(Asking(mode: mode))) { store in
      for month in ["1", "2"] { try store.write { _ = try $0.insert("Revision", ["month": .string(month)]) } }
      try store.projection("asking").catchUp()
      #expect(try Set(store.fetch(Request(entity: "Row")).rows.map { $0["key"] }) == ["1", "3"])
      let failed = try store.projection("asking").quarantine()
      #expect(failed.map(\.position) == [2])
      #expect(failed.first?.reason.contains("Nothing") == true)
    }
  }

  /// An effect happens once, when its rows are committed, and not again when the rows are built again.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func effectHappensOnce(_ mode: ProjectionMode) throws {
    struct Effects: Projection {
      let name = "effects"
      let version = 1
      var mode: ProjectionMode
      let happened = Locked<[Position]>([])
      var entities: [DerivedEntity] { [DerivedDeclarationTests.entity("Row")] }

      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
        let (position, happened) = (commit.position, happened)
        try rows.put("Row", key: [.string("\(position)")])
        if !commit.isReplaying { commit.afterCommit { happened.withLock { $0.append(position) } } }
      }
    }
    let projection = Effects(mode: mode)
    try withTemporaryStore(MonthProjection.model, options: .knowing(projection)) { store in
      for month in ["1", "2"] {
        try store.write { _ = try $0.insert("Revision", ["month": .string(month)]) }
        try store.projection("effects").catchUp()
      }
      #expect(projection.happened.withLock { $0 } == [2, 3])
      try store.projection("effects").rebuild()
      #expect(projection.happened.withLock { $0 } == [2, 3])
      #expect(try store.count(Request(entity: "Row")) == 3)
    }
  }
}
