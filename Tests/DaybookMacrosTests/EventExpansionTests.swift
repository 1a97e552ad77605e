#if Macros

import Testing

/// The code that `@Event` generates, and its diagnostics.
@Suite(.hangLimit) struct EventExpansionTests {
  @Test func aStructGetsItsDescriptionAndItsConversions() throws {
    try expectExpansion(
      """
      @Event("Cooked", renamedFrom: "Baked") public struct RecipeCooked {
        public var about: Recipe.ID
        public var servings: Int
        @Attribute(renamedFrom: "remark") public var verdict: String?
        public var `repeat` = 1
        public var total: Int { servings * 2 }
        static let shared = 1
      }
      """,
      members: """
        public static var eventName: String {
            "Cooked"
        }

        public static var eventType: Daybook.EventType {
          get throws {
            Daybook.EventType(
              name: eventName,
              renamedFrom: "Baked",
              about: Recipe.entityName,
              attributes: [
                try Daybook.Attribute("servings", as: Int.self),
                try Daybook.Attribute("verdict", as: String?.self, renamedFrom: "remark"),
                try Daybook.Attribute("repeat", as: Int.self, default: 1),
              ])
          }
        }

        public init(about: Recipe.ID, servings: Int, verdict: String? = nil, `repeat`: Int = 1) {
          self.about = about
          self.servings = servings
          self.verdict = verdict
          self.`repeat` = `repeat`
        }

        public init(event: Daybook.Event) throws {
          self.about = Daybook.EntityID(event.object)
          self.servings = try event.value("servings", of: Self.self)
          self.verdict = try event.value("verdict", of: Self.self)
          self.`repeat` = try event.value("repeat", of: Self.self)
        }

        public func write(to values: inout Daybook.ObjectValues) throws {
          try values.set("servings", self.servings)
          try values.set("verdict", self.verdict)
          try values.set("repeat", self.`repeat`)
        }
        """,
      conformance: """
        extension RecipeCooked: Daybook.Recordable {
        }
        """)
  }

  @Test func anOwnInitialiserIsKept() throws {
    let members = try expandedMembers(
      """
      @Event struct Met {
        var about: EntityID<Person>
        init(about: EntityID<Person>) { self.about = about }
      }
      """)
    #expect(!members.contains("init(about"))
    #expect(members.contains("about: Person.entityName"))
    #expect(members.contains("attributes: []"))
  }

  @Test(arguments: [
    (
      "struct A { var servings: Int }", "A",
      "an event is about an object: add a property such as “var about: Recipe.ID”"
    ),
    (
      "struct A { var about: Recipe.ID? }", "Recipe.ID?",
      "“about” is the id of the object, without a default: Recipe.ID"
    ),
    ("struct A { var about: String }", "String", "“about” is the id of the object, without a default: Recipe.ID"),
    (
      "struct A { var about: Recipe.ID; var cook: Cook.ID? }", "Cook.ID?",
      "an event has no links; record an id as an ObjectID"
    ),
    (
      "struct A { var about: Recipe.ID; var cooks: Related<Cook> }", "Related<Cook>",
      "an event has no links; record an id as an ObjectID"
    ),
    (
      "struct A { var about: Recipe.ID; @Attribute(order: .natural) var name: String }", "String",
      "events are not sorted by their attributes, so they have no order"
    ),
    (
      "struct A { var about: Recipe.ID; @Derived(count: \\Recipe.tags) var number: Int }", "Int",
      "an event holds what was recorded, and derives nothing"
    ),
    ("struct A<B> { var about: Recipe.ID }", "<B>", "an event has one shape, so it cannot be generic"),
    ("class A { var about: Recipe.ID }", "@Event", "an event is a struct: its values are what was recorded"),
    (
      "struct A { var about: Recipe.ID; var lines: (Int, Int) }", "(Int, Int)",
      "a tuple cannot be stored; make it a struct that is a CodableValue"
    ),
  ])
  func aWrongPropertyIsReportedAtItsPlace(source: String, at: String, message: String) throws {
    let complaints = try complaints(about: "@Event " + source)
    #expect(complaints.map(\.message) == [message])
    #expect(complaints.map(\.at) == [at])
  }

  /// An event has neither an id nor times of its own, so their names are free.
  @Test func builtInNamesOfObjectsAreFree() throws {
    #expect(try complaints(about: "@Event struct A { var about: Recipe.ID; var createdAt: Date }").isEmpty)
  }
}

#endif
