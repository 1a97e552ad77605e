#if Macros

import DaybookModel
import Testing

@Suite(.hangLimit) struct EntityDiagnosticsTests {
  /// A property that cannot be stored, with the expected message, place and fix-it.
  struct Case: CustomTestStringConvertible, Sendable {
    let property: String
    let at: String
    let message: String
    let fixed: String?
    var testDescription: String { property }

    init(_ property: String, at: String, _ message: String, fixed: String? = nil) {
      self.property = property
      self.at = at
      self.message = message
      self.fixed = fixed
    }
  }

  static let types = [
    Case(
      "var a: (Int, Int)", at: "(Int, Int)", "a tuple cannot be stored; make it a struct that is a CodableValue"),
    Case("var a: () -> Void", at: "() -> Void", "a function cannot be stored"),
    Case("var a: @Sendable () -> Void", at: "@Sendable () -> Void", "a function cannot be stored"),
    Case("var a: any Codable", at: "any Codable", "the store must know the type of a value"),
    Case("var a: Any", at: "Any", "the store must know the type of a value"),
    Case("var a: String!", at: "String!", "a value that may be missing is an optional", fixed: "var a: String?"),
    Case("var a: UInt64", at: "UInt64", "integers have 64 bits and a sign", fixed: "var a: Int"),
    Case("var a: UInt?", at: "UInt?", "integers have 64 bits and a sign", fixed: "var a: Int?"),
    Case("var a: Character", at: "Character", "text is stored as strings", fixed: "var a: String"),
    Case(
      "var a: [Tag.ID]", at: "[Tag.ID]", "objects that are related to many are a Related",
      fixed: "var a: Related<Tag>"),
    Case(
      "var a: Set<Tag.ID>", at: "Set<Tag.ID>", "objects that are related to many are a Related",
      fixed: "var a: Related<Tag>"),
    Case(
      "var a: Related<Tag>?", at: "Related<Tag>?", "a to-many relationship may always be empty",
      fixed: "var a: Related<Tag>"),
    Case(
      "var a = Date()", at: "a", "the type of “a” must be written", fixed: "var a: <#Type#> = Date()"),
  ]

  static let declarations = [
    Case(
      "var id: Int", at: "id", "every object has “id” already; it comes with Record<Note>, so leave the property out"),
    Case(
      "var createdAt: Date", at: "createdAt",
      "every object has “createdAt” already; it comes with Record<Note>, so leave the property out"),
    Case(
      "var contains: Int", at: "contains", "“contains” is a word of filters and cannot name a property",
      fixed: "var containsValue: Int"),
    Case("lazy var a: Int = 1", at: "lazy", "a lazy property cannot be stored", fixed: "var a: Int = 1"),
    Case("weak var a: Thing?", at: "weak", "a weak property cannot be stored", fixed: "var a: Thing?"),
    Case("let a = 1", at: "let", "a constant with a value cannot take what was stored", fixed: "var a = 1"),
    Case("var (a, b) = (1, 2)", at: "(a, b)", "declare each property by itself"),
  ]

  static let relationships = [
    Case(
      "@Relationship var a: Tag", at: "Tag", "related objects are held as ids: Other.ID, Other.ID? or Related<Other>",
      fixed: "@Relationship var a: Tag.ID"),
    Case(
      "@Relationship var a: Tag?", at: "Tag?",
      "related objects are held as ids: Other.ID, Other.ID? or Related<Other>", fixed: "@Relationship var a: Tag.ID?"),
    Case(
      "@Relationship var a: [Tag]", at: "[Tag]",
      "related objects are held as ids: Other.ID, Other.ID? or Related<Other>",
      fixed: "@Relationship var a: Related<Tag>"),
    Case(
      "@Relationship(ordered: true) var a: Tag.ID?", at: "ordered: true", "a relationship to one object has no order",
      fixed: "@Relationship(ordered: false) var a: Tag.ID?"),
    Case(
      "@Relationship(acyclic: true) var a: Related<Tag>", at: "acyclic: true",
      "only a relationship to one object can be acyclic; say it at the inverse",
      fixed: "@Relationship(acyclic: false) var a: Related<Tag>"),
    Case(
      "@Relationship(least: 1) var a: Tag.ID", at: "least: 1",
      "“least” is for a relationship to many objects; one object is required or optional"),
    Case(
      "@Relationship(inverse: \"notes\") var a: Tag.ID?", at: "inverse: \"notes\"",
      "the inverse is a key path to a property, as \\Recipe.type, or .itself"),
    Case(
      "@Name var a: Tag.ID?", at: "@Name", "@Name is for attributes, and this is a relationship",
      fixed: "var a: Tag.ID?"),
  ]

  static let marks = [
    Case("@Name var a: Int", at: "@Name", "a name is a string", fixed: "var a: Int"),
    Case(
      "@Name var a: String; @Name var b: String", at: "@Name", "“a” is the name already",
      fixed: "@Name var a: String; var b: String"),
    Case(
      "@Unique var a: Related<Tag>", at: "@Unique", "@Unique is for single values, and “a” leads to many",
      fixed: "var a: Related<Tag>"),
    Case(
      "@Unique @Derived(count: \\Note.tags) var a: Int", at: "@Unique", "what the store derives cannot be unique",
      fixed: "@Derived(count: \\Note.tags) var a: Int"),
    Case("@Index(\"b\") var a: Int", at: "@Index(\"b\")", "@Index with names belongs before the struct"),
    Case("@Group(\"b\", by: \"a\") var a: Int", at: "@Group(\"b\", by: \"a\")", "@Group belongs before the struct"),
    Case(
      "@Index var a: Tag.ID?", at: "@Index",
      "a relationship has no order of its own; name an attribute behind it before the struct: @Index(\"a.name\")",
      fixed: "var a: Tag.ID?"),
    Case(
      "@Derived(minimum: \\Note.tags, of: \\Tag.size) var a: Int", at: "Int",
      "the minimum of no values is nil, so the property is an optional",
      fixed: "@Derived(minimum: \\Note.tags, of: \\Tag.size) var a: Int?"),
    Case(
      "@Derived(sum: \\Note.tags) var a: Int", at: "@Derived(sum: \\Note.tags)",
      "@Derived(sum:) needs a key path to an attribute: of: \\Other.amount"),
    Case(
      "@Derived var a: Int", at: "@Derived",
      "@Derived needs a key path to a relationship: @Derived(count: \\Note.others)"),
  ]

  private static let unfitKey = "a key has neither data, floating-point nor codable values"
  private static let noLimits = "a link of what a projection writes has no delete rule, no limit, and is not acyclic"
  private static let noRules = "what a projection writes is not checked by rules"

  static let keys = [
    Case(
      "@Key var a = 1; @Key var b = 1; @Key var c = 1; @Key var d = 1; @Key var e = 1", at: "@Key",
      "a key has one to four properties, and this one has 5"),
    Case("@Key var a: Double", at: "Double", "\(unfitKey); “Double” is one of them"),
    Case("@Key var a = 0.5", at: "a", "\(unfitKey); “Double” is one of them"),
    Case("@Key var a: Data?", at: "Data?", "\(unfitKey); “Data?” is one of them"),
    Case("@Key var a: [String]", at: "[String]", "\(unfitKey); “[String]” is one of them"),
    Case("@Key var a: Related<Tag>", at: "@Key", "“a” leads to many objects, and a key is of single values"),
    Case(
      "@Key var b: Int; @Key @Derived(count: \\Note.tags) var a: Int", at: "@Key",
      "“a” is derived, and a key is what the projection sets"),
    Case(
      "@Key var a: Int; var b: String", at: "String",
      "“b” needs a constant as its default, or must be optional: a projection makes an object by its key alone"),
    Case(
      "@Key var a: Int; var b: Date = .now", at: "Date",
      "“b” needs a constant as its default, or must be optional: a projection makes an object by its key alone"),
    Case(
      "@Key var a: Int; var b: Tag.ID", at: "Tag.ID",
      "a link outside of the key must be optional: its target may be deleted", fixed: "@Key var a: Int; var b: Tag.ID?"),
    Case("@Key @Relationship(onDelete: .cascade) var a: Tag.ID", at: "onDelete: .cascade", noLimits),
    Case("@Key var a: Int; @Relationship(acyclic: true) var b: Note.ID?", at: "acyclic: true", noLimits),
    Case("@Key var a: Int; @Relationship(most: 3) var b: Related<Tag>", at: "most: 3", noLimits),
    Case("@Key @Attribute(.range(1...9)) var a: Int", at: "@Attribute(.range(1...9))", noRules),
  ]

  @Test func aDerivedEntityHasNeitherParentNorRulesNorGroups() throws {
    #expect(
      try complaints(about: "@Entity(parent: Base.self) struct Note { @Key var a: Int }") == [
        Complaint(
          message: "what a projection writes has no parent; it is an entity of its own", at: "parent: Base.self",
          fixed: nil)
      ])
    #expect(
      try complaints(about: "@Rule(\"a > 1\") @Entity struct Note { @Key var a: Int }") == [
        Complaint(message: Self.noRules, at: "@Rule(\"a > 1\")", fixed: "@Entity struct Note { @Key var a: Int }")
      ])
    let groups = "@Group(\"notes\", by: \"a\", show: \"count\", \"max:a\")"
    #expect(
      try complaints(about: "\(groups) @Entity struct Note { @Key var a: Int }") == [
        Complaint(
          message: "the store keeps no groups of what a projection writes", at: groups,
          fixed: "@Entity struct Note { @Key var a: Int }")
      ])
  }

  @Test(arguments: types + declarations + relationships + marks + keys)
  func whatCannotBeStoredIsSaidWithWhatWouldMendIt(example: Case) throws {
    let (head, tail) = ("@Entity struct Note { ", " }")
    let found = try complaints(about: head + example.property + tail)
    let fixed = example.fixed.map { head + $0 + tail }
    #expect(found == [Complaint(message: example.message, at: example.at, fixed: fixed)])
  }

  @Test func anEntityIsAStruct() throws {
    let message = "an entity is a struct: its values are what objects hold"
    #expect(
      try complaints(about: "@Entity class Note {}") == [
        Complaint(message: message, at: "class", fixed: "@Entity struct Note {}")
      ])
    #expect(
      try complaints(about: "@Entity class Note: Base {}") == [Complaint(message: message, at: "@Entity", fixed: nil)])
    #expect(
      try complaints(about: "@Entity enum Note {}") == [Complaint(message: message, at: "@Entity", fixed: nil)])
  }

  @Test func marksWithoutAnEntityAreRefused() throws {
    let message = "@Name says something of an entity; put @Entity before the struct"
    let property = "@Name var a: String"
    #expect(
      try MacroPlugin.expandMark("Name", of: property, in: "struct Note {}").complaints == [
        Complaint(message: message, at: "@Name", fixed: nil)
      ])
    #expect(
      try MacroPlugin.expandMark("Unique", of: "@Unique(\"a\") struct Note {}").complaints == [
        Complaint(message: message.replacing("@Name", with: "@Unique"), at: "@Unique(\"a\")", fixed: nil)
      ])
    #expect(
      try MacroPlugin.expandMark("Group", of: "@Group(\"a\", by: \"b\") struct Note {}").complaints == [
        Complaint(message: message.replacing("@Name", with: "@Group"), at: "@Group(\"a\", by: \"b\")", fixed: nil)
      ])
    #expect(try MacroPlugin.expandMark("Name", of: property, in: "@Other @Entity struct Note {}").complaints == [])
    #expect(try MacroPlugin.expandMark("Name", of: property, in: "@Entity struct Note {}").code == "")
  }

  /// The lists are a file of the plugin, which this target has by a link.
  @Test func theNamesThatAreRefusedAreThoseThatTheModelRefuses() {
    #expect(Names.builtIn == Set(ModelNames.builtIn))
    #expect(Names.reserved == ModelNames.keywords)
  }

  /// Each word of the model's lists, in other letters too, with a letter more and with one less.
  @Test func eachListedNameIsRefused() throws {
    let listed = Set(ModelNames.builtIn).union(ModelNames.keywords)
    let others = listed.flatMap { [$0.uppercased(), $0.lowercased(), $0 + "s", String($0.dropLast())] }
    let names = listed.union(others).filter { !$0.isEmpty }.sorted()
    let properties = names.map { "var `\($0)`: Int" }.joined(separator: "; ")
    let refused = try complaints(about: "@Entity struct Note { \(properties) }").map(\.at)
    let isRefused = { (name: String) in
      ModelNames.builtIn.contains(name) || ModelNames.keywords.contains(name.lowercased())
    }
    #expect(refused.map { $0.replacing("`", with: "") } == names.filter(isRefused))
  }

  @Test func anEntityIsNotGeneric() throws {
    #expect(
      try complaints(about: "@Entity struct Note<T> { var a: T }") == [
        Complaint(message: "an entity has one shape, so it cannot be generic", at: "<T>", fixed: nil)
      ])
  }

  @Test func allFaultsAreSaidAtOnce() throws {
    #expect(try complaints(about: "@Entity struct Note { var a: UInt; var b: Any; var c = f() }").count == 3)
  }

  /// The compiler reports an unsuitable type at the property, not in the generated code.
  @Test func whatTheCompilerSaysOfATypeItSaysOfTheProperty() throws {
    let source = "@Entity struct Note {\n  var a: String?\n\n  var course: Course\n  var type: RecipeType?\n}"
    let members = try expandedMembers(source)
    for (line, field) in [(4, "course: Daybook.Field<Course>"), (5, "type: Daybook.Field<RecipeType?>")] {
      #expect(
        members.contains("#sourceLocation(file: \"test.swift\", line: \(line))\n  var \(field)"), "\(members)")
    }
    #expect(!members.contains("line: 2)"))
  }

  @Test func aStructWithoutFaultsGetsNoComplaint() throws {
    let source = "@Entity struct Note { var a: String; private(set) var b = 1 { didSet {} } }"
    #expect(try complaints(about: source).isEmpty)
  }
}

#endif
