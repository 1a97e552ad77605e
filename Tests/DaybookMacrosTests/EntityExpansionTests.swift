#if Macros

import Testing

@Suite(.hangLimit) struct EntityExpansionTests {
  @Test func aStructGetsItsFieldsItsDescriptionAndItsConversions() throws {
    try expectExpansion(
      """
      @Unique("recipe", "name")
      @Entity struct Ingredient {
        @Name @Index var name: String
        @Attribute(renamedFrom: "weight", order: .natural) var amount = 0.5
        var note: String?
        @Relationship(inverse: \\Recipe.ingredients, onDelete: .deny) var recipe: Recipe.ID
        @Relationship(ordered: true) var tags: Related<Tag>
        @Derived(count: \\Ingredient.tags) var tagCount: Int
        static let shared = 1
        var double: Double { amount * 2 }
      }
      """,
      members: """
        typealias ID = Daybook.EntityID<Ingredient>

        struct Fields: Daybook.EntityFields {
          typealias Object = Ingredient
          let fieldPath: Daybook.FieldPath
          init(at path: Daybook.FieldPath) {
              fieldPath = path
          }
          var name: Daybook.Field<String> {
              .init(fieldPath, "name")
          }
          var amount: Daybook.Field<Double> {
              .init(fieldPath, "amount")
          }
          var note: Daybook.Field<String?> {
              .init(fieldPath, "note")
          }
          var recipe: Daybook.ToOneField<Recipe> {
              .init(fieldPath, "recipe")
          }
          var tags: Daybook.ToManyField<Tag> {
              .init(fieldPath, "tags")
          }
          var tagCount: Daybook.Field<Int> {
              .init(fieldPath, "tagCount")
          }
        }

        static var entityName: String {
            "Ingredient"
        }

        static var entity: Daybook.Entity {
          get throws {
            Daybook.Entity(
              name: entityName,
              nameAttribute: "name",
              attributes: [
                try Daybook.Attribute("name", as: String.self),
                try Daybook.Attribute("amount", as: Double.self, default: 0.5, renamedFrom: "weight", order: .natural),
                try Daybook.Attribute("note", as: String?.self),
                Daybook.Attribute("tagCount", derived: .count(relationship: "tags")),
              ],
              relationships: [
                Daybook.Relationship("recipe", toOne: Recipe.self, inverse: "ingredients", isOptional: false, onDelete: .deny),
                Daybook.Relationship("tags", toMany: Tag.self, ordered: true),
              ],
              unique: [
                ["recipe", "name"],
              ],
              indexes: [
                try Daybook.Index(terms: "name"),
              ])
          }
        }

        init(name: String, amount: Double = 0.5, note: String? = nil, recipe: Recipe.ID, tags: Related<Tag> = []) {
          self.name = name
          self.amount = amount
          self.note = note
          self.recipe = recipe
          self.tags = tags
          self.tagCount = 0
        }

        init(row: inout Daybook.ObjectRow) throws {
          self.name = try row.value("name")
          self.amount = try row.value("amount")
          self.note = try row.value("note")
          self.recipe = try row.target("recipe")
          self.tags = row.targets("tags")
          self.tagCount = try row.value("tagCount")
        }

        func write(to values: inout Daybook.ObjectValues) throws {
          try values.set("name", self.name)
          try values.set("amount", self.amount)
          try values.set("note", self.note)
          values.relate("recipe", to: self.recipe)
          values.relate("tags", to: self.tags)
        }
        """,
      conformance: """
        extension Ingredient: Daybook.Fetchable, Daybook.Storable {
        }
        """)
  }

  @Test func groupsArePartsOfTheDescription() throws {
    let members = try expandedMembers(
      """
      @Group("recipesByType", by: "type.name")
      @Group("months", by: "type.name", "createdAt.month", show: "count", "sum:servings")
      @Rule("servings > 0")
      @Entity struct Recipe {
        var servings = 4
      }
      """)
    #expect(
      members.contains(
        """
              indexes: [],
              groups: [
                Daybook.GroupDeclaration("recipesByType", by: ["type.name"]),
                Daybook.GroupDeclaration("months", by: ["type.name", "createdAt.month"], show: ["count", "sum:servings"]),
              ],
              rules: ["servings > 0"])
        """), "\(members)")
  }

  @Test func aHashableStructIsComparedWithoutItsToManyRelationships() throws {
    func end(_ conformances: String, _ more: String = "") throws -> String {
      let code = try MacroPlugin.expand(
        """
        @Entity struct Tag\(conformances) {
          var name: String
          var rank = 1
          var recipes: Related<Recipe>
          \(more)
        }
        """
      ).members.code
      let writing = try #require(code.range(of: "func write(to values"))
      return String(code[writing.lowerBound...])
    }
    let hashable = try end(": Hashable, Sendable")
    #expect(hashable.contains("static func == (a: Tag, b: Tag) -> Bool {\n    a.name == b.name && a.rank == b.rank\n}"))
    #expect(
      hashable.contains("func hash(into hasher: inout Hasher) {\n  hasher.combine(name)\n  hasher.combine(rank)\n}"))
    let equatable = try end(": Equatable")
    #expect(equatable.contains("static func ==") && !equatable.contains("func hash"))
    #expect(try !end("").contains("static func =="))
    let own = try end(": Hashable", "static func == (a: Tag, b: Tag) -> Bool { true }")
    #expect(!own.contains("static func ==") && own.contains("func hash"))
  }

  @Test func accessNamesAndInitialisersOfTheStructAreKept() throws {
    try expectExpansion(
      """
      @Entity("Note", renamedFrom: "Memo") public struct NoteEntity {
        public var `default`: Int
        public init() { `default` = 1 }
      }
      """,
      members: """
        public typealias ID = Daybook.EntityID<NoteEntity>

        public struct Fields: Daybook.EntityFields {
          public typealias Object = NoteEntity
          public let fieldPath: Daybook.FieldPath
          public init(at path: Daybook.FieldPath) {
              fieldPath = path
          }
          public var `default`: Daybook.Field<Int> {
              .init(fieldPath, "default")
          }
        }

        public static var entityName: String {
            "Note"
        }

        public static var entity: Daybook.Entity {
          get throws {
            Daybook.Entity(
              name: entityName,
              renamedFrom: "Memo",
              attributes: [
                try Daybook.Attribute("default", as: Int.self),
              ],
              relationships: [],
              unique: [],
              indexes: [])
          }
        }

        public init(row: inout Daybook.ObjectRow) throws {
          self.`default` = try row.value("default")
        }

        public func write(to values: inout Daybook.ObjectValues) throws {
          try values.set("default", self.`default`)
        }
        """,
      conformance: """
        extension NoteEntity: Daybook.Fetchable, Daybook.Storable {
        }
        """)
  }

  @Test func aStructWithAKeyIsDerived() throws {
    try expectExpansion(
      """
      @Entity public struct AuthorMonth {
        @Key public var author: Author.ID
        @Key public var month: String
        public var commits = 0
      }
      """,
      members: """
        public typealias ID = Daybook.EntityID<AuthorMonth>

        public struct Fields: Daybook.EntityFields {
          public typealias Object = AuthorMonth
          public let fieldPath: Daybook.FieldPath
          public init(at path: Daybook.FieldPath) {
              fieldPath = path
          }
          public var author: Daybook.ToOneField<Author> {
              .init(fieldPath, "author")
          }
          public var month: Daybook.Field<String> {
              .init(fieldPath, "month")
          }
          public var commits: Daybook.Field<Int> {
              .init(fieldPath, "commits")
          }
        }

        public static var entityName: String {
            "AuthorMonth"
        }

        public static var entity: Daybook.DerivedEntity {
          get throws {
            Daybook.DerivedEntity(
            Daybook.Entity(
              name: entityName,
              attributes: [
                try Daybook.Attribute("month", as: String.self),
                try Daybook.Attribute("commits", as: Int.self, default: 0),
              ],
              relationships: [
                Daybook.Relationship("author", toOne: Author.self, isOptional: false),
              ],
              unique: [],
              indexes: []),
            key: ["author", "month"])
          }
        }

        public static func key(author: Author.ID, month: String) -> Daybook.EntityKey<AuthorMonth> {
          .init(author, month)
        }

        public init(author: Author.ID, month: String, commits: Int = 0) {
          self.author = author
          self.month = month
          self.commits = commits
        }

        public init(row: inout Daybook.ObjectRow) throws {
          self.author = try row.target("author")
          self.month = try row.value("month")
          self.commits = try row.value("commits")
        }

        public func write(to values: inout Daybook.ObjectValues) throws {
          values.relate("author", to: self.author)
          try values.set("month", self.month)
          try values.set("commits", self.commits)
        }
        """,
      conformance: """
        extension AuthorMonth: Daybook.Fetchable, Daybook.Derivable {
        }
        """)
  }

  /// Initial values, and whether each is also a default in the model.
  @Test(arguments: [
    ("var a = 1", true), ("var a = -1", true), ("var a = \"x\"", true), ("var a: Course = .main", true),
    ("var a: [String] = [\"x\"]", true), ("var a: [String: Int] = [:]", true),
    ("var a: [String: Int] = [\"x\": f()]", false), ("var a: Date = .now", false), ("var a: Date = Date()", false),
    ("var a: String = \"\\(1)\"", false), ("var a: UUID = UUID()", false),
    ("var a: Int = Int.random(in: 0...1)", false),
    ("var a: Timestamp = .start", false), ("var a: [Date] = [Date()]", false),
  ])
  func onlyConstantsAreDefaultsInTheModel(declaration: String, isDefault: Bool) throws {
    let members = try expandedMembers("@Entity struct Note { \(declaration) }")
    let attribute = try #require(members.split(separator: "\n").first { $0.contains("Daybook.Attribute(") })
    #expect(attribute.contains("default:") == isDefault)
  }
}

#endif
