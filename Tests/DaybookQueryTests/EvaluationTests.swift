import DaybookTestSupport
import Foundation
import Testing
import WorkLimits

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct EvaluationTests {
  /// A cake with a type, two ingredients, one of them without amount, and one tag.
  ///
  /// And an empty recipe.
  private let world: World
  private let cake: ObjectID
  private let empty: ObjectID
  private let dessert: ObjectID

  init() {
    var world = World()
    dessert = world.add("RecipeType", ["name": "Dessert"])
    cake = world.add(
      "Recipe",
      [
        "name": "Crème Brûlée", "title": "apple", "file": "file10", "servings": 4, "price": 0.1,
        "cost": .decimal(Decimal(string: "12.50")!), "vegan": true, "ingredientCount": 2,
        "cookedAt": .date(Timestamp("2026-01-15T12:00:00Z")!), "code": .uuid(ObjectID(high: 7, low: 8)),
        "picture": .data([1, 2, 3]),
      ])
    empty = world.add("Recipe", ["ingredientCount": 0])
    let sugar = world.add("Ingredient", ["name": "sugar", "amount": 3, "weight": 0.5])
    let cream = world.add("Ingredient", ["name": "cream", "weight": 1.5, "cost": .decimal(2)])
    let tag = world.add("Tag", ["name": "quick"])
    world.relate(cake, "type", to: dessert)
    world.relate(cake, "ingredients", to: sugar)
    world.relate(cake, "ingredients", to: cream)
    world.relate(cake, "tags", to: tag)
    self.world = world
  }

  static let met = [
    "name == 'Crème Brûlée'", "name != 'x'", "name BEGINSWITH 'Crème'", "name ENDSWITH 'lée'", "name CONTAINS 'e B'",
    "name BEGINSWITH[c] 'CRÈME'", "name BEGINSWITH[d] 'Creme B'", "name ==[cd] 'creme brulee'",
    "name IN[cd] {'x', 'CREME BRULEE'}", "name CONTAINS[cd] 'BRULE'", "name LIKE 'Cr?me*'",
    "name LIKE[cd] 'creme ?ru*e'",
    "name LIKE '*'", "name MATCHES 'Cr.me .*'", "name MATCHES[c] 'CRÈME BRÛLÉE'", "name MATCHES[d] 'Creme Brulee'",
    "name !=[c] 'creme brulee'", "name CONTAINS ''", "'Crème Brûlée!' BEGINSWITH name",
    "servings == 4", "servings == 4.0", "servings < 4.5", "3.5 < servings", "servings BETWEEN {4, 4}",
    "servings IN {1, 4}",
    "servings IN {4.0, 2.5}", "NOT servings IN {1, 2}", "servings > price", "servings < cost", "price == 0.1",
    "price < 1",
    "cost == 12.5", "cost == '12.5'", "cost BETWEEN {12, 13}", "vegan == true", "vegan != false", "vegan > false",
    "cookedAt > 2026-01-15", "cookedAt == '2026-01-15T12:00:00Z'", "cookedAt BETWEEN {2026-01-01, 2026-02-01}",
    "code == '00000000-0000-0007-0000-000000000008'", "code == '00000000-0000-0007-0000-000000000008' AND code != nil",
    "picture == 'AQID'", "picture != 'AQIE'", "extra == nil", "type != nil", "type.name == 'Dessert'",
    "type.id == type",
    "type == '00000000-0000-0000-0000-000000000001'", "type.recipes.@count == 1", "cover == nil",
    "cover.year == nil", "id == '00000000-0000-0000-0000-000000000002'", "createdAt == changedAt",
    "title, name CONTAINS[cd] 'BRUL'", "title, ANY ingredients.name == 'sugar'",
    "NOT title, name == 'x'", "ANY ingredients.name == 'sugar'", "ANY ingredients.name CONTAINS 'gar'",
    "NOT ALL ingredients.name == 'sugar'",
    "COUNT(ingredients WHERE amount > 2) == 1", "COUNT(ingredients WHERE TRUEPREDICATE) == ingredients.@count",
    "COUNT(ingredients WHERE name == 'sugar' AND weight > 1) == 0", "COUNT(ingredients WHERE amount == nil) == 1",
    "servings > COUNT(ingredients WHERE recipe.servings == 4)", "2 >= COUNT(tags WHERE name == 'quick')",
    "COUNT(ingredients WHERE amount > 2) == COUNT(tags WHERE name == 'quick')",
    "COUNT(ingredients WHERE amount > 2) IN {1, 5}", "COUNT(ingredients WHERE amount > 2) BETWEEN {1, 1}",
    "ANY ingredients WHERE (name == 'sugar' AND amount == 3)", "ALL ingredients WHERE (weight > 0 AND name != nil)",
    "NONE ingredients WHERE (name == 'cream' AND amount != nil)",
    // Two ingredients pass one test each, and no ingredient passes both.
    "ANY ingredients.name == 'sugar' AND ANY ingredients.weight > 1",
    "NOT ANY ingredients WHERE (name == 'sugar' AND weight > 1)",
    "ANY ingredients WHERE (recipe.type.name == 'Dessert')", "ANY type.recipes WHERE (servings == 4)",
    "ANY ingredients WHERE (COUNT(recipe.ingredients WHERE amount > 2) == 1)",
    "ANY tags WHERE (ALL recipes WHERE (ANY tags WHERE (name == 'quick')))",
    "COUNT(ingredients.recipe.tags WHERE name == 'quick') == 2",
    "NONE ingredients.name == 'salt'", "ANY ingredients.amount == nil", "ANY ingredients.amount != nil",
    "ALL ingredients.weight > 0", "'sugar' == 'sugar'", "ANY tags == '00000000-0000-0000-0000-000000000006'",
    "ANY ingredients.amount < servings", "ANY type.recipes.tags.name == 'quick'", "ANY ingredients.name IN {'sugar'}",
    "ingredients.@count == 2", "ingredientCount == ingredients.@count", "ingredients.@sum.amount == 3",
    "ingredients.@sum.weight == 2", "ingredients.@avg.weight == 1", "ingredients.@avg.amount == 3",
    "ingredients.@min.name == 'cream'", "ingredients.@max.name == 'sugar'", "ingredients.@max.weight BETWEEN {1, 2}",
    "ingredients.@sum.cost == 2", "ingredients.@avg.cost == 2", "tags.@count < 2", "nil == nil", "file < 'file11'",
    "file > 'file9'", "title < 'BANANA'", "TRUEPREDICATE", "name == 'x' OR servings == 4",
    "NOT (name == 'x' AND servings == 4)",
    "price < Infinity", "servings < 9223372036854775808", "servings > -1e300",
  ]

  @Test(arguments: met) func `the cake meets`(text: String) throws {
    #expect(try world.matches(text, cake))
    #expect(try !world.matches("NOT (\(text))", cake))
    #expect(try world.matches(Filter(parsing: text).description, cake))
  }

  static let unmet = [
    "name == 'Creme Brulee'", "name == 'Cre\u{300}me Bru\u{302}le\u{301}e'", "name BEGINSWITH 'crème'",
    "name LIKE 'Cr?me'",
    "name LIKE 'Cr\\\\?me*'", "name MATCHES 'Crème'", "name < nil", "name == nil", "servings != 4",
    "servings BETWEEN {5, 9}",
    "servings BETWEEN {nil, 9}", "servings IN {}", "servings < nil", "servings == 4.5", "price == 0.2", "extra != nil",
    "ANY ingredients.name == 'salt'", "ALL ingredients.amount > 0", "NONE ingredients.name == 'sugar'",
    "FALSEPREDICATE",
    "cover.year < 4", "cover.year != nil", "1 == 2", "nil != nil", "1 < nil",
  ]

  @Test(arguments: unmet) func `the cake does not meet`(text: String) throws {
    #expect(try !world.matches(text, cake))
  }

  static let metByEmpty = [
    "name == nil", "name != 'x'", "NOT name < 'x'", "NOT name BEGINSWITH 'x'", "NOT name LIKE '*'", "name IN {nil}",
    "name == title", "NOT servings <= servings", "type == nil", "type.name == nil", "NOT ANY tags.name == nil",
    "ALL tags.name == 'x'", "NONE tags.name == 'x'", "tags.@count == 0", "ingredients.@sum.amount == 0",
    "ingredients.@sum.weight == 0", "ingredients.@min.amount == nil", "ingredients.@avg.amount == nil",
    "NOT ANY type.recipes.name == nil", "type.recipes.@count == 0", "name ==[c] nil", "name !=[cd] 'x'",
  ]

  @Test(arguments: metByEmpty) func `an empty recipe meets`(text: String) throws {
    #expect(try world.matches(text, empty))
  }

  @Test func `a to-one step without target behind a to-many one is a null`() throws {
    var world = world
    let tag = world.add("Tag", ["name": "lonely"])
    let recipe = world.add("Recipe")
    world.relate(recipe, "tags", to: tag)
    #expect(try world.matches("ANY recipes.type.name == nil", tag))
    #expect(try world.matches("ANY recipes.type == nil", tag))
    #expect(try world.matches("NOT ANY recipes.type.recipes.name == nil", tag))
    #expect(try world.matches("ANY recipes.ingredientCount == nil", tag))
  }

  @Test func `sums of integers do not overflow`() throws {
    var world = world
    let recipe = world.add("Recipe")
    for _ in 0..<3 { world.relate(recipe, "ingredients", to: world.add("Ingredient", ["amount": .integer(.max)])) }
    #expect(try world.matches("ingredients.@sum.amount == 27670116110564327421", recipe))
    #expect(try world.matches("ingredients.@sum.amount > 9223372036854775807", recipe))
    #expect(try world.matches("ingredients.@avg.amount > 9e18", recipe))
  }

  @Test(arguments: [[1e100, 1, -1e100], [1, 1e100, -1e100], [-1e100, 1e100, 1]])
  func `sums and averages of doubles are exact, whatever the order`(numbers: [Double]) throws {
    var world = World()
    let recipe = world.add("Recipe")
    for number in numbers {
      world.relate(recipe, "ingredients", to: world.add("Ingredient", ["weight": .double(number)]))
    }
    #expect(try world.matches("ingredients.@sum.weight == 1", recipe))
    #expect(try world.matches("ingredients.@avg.weight == \(1 / 3.0)", recipe))
  }

  @Test func `a sum or an average that its type does not have is an error that names the object`() throws {
    func fault(_ field: String, _ values: [Value], _ filter: String) throws -> String? {
      var world = World()
      let recipe = world.add("Recipe")
      for value in values { world.relate(recipe, "ingredients", to: world.add("Ingredient", [field: value])) }
      do {
        _ = try world.matches(filter, recipe)
        return nil
      } catch let fault as AggregateFault {
        #expect(fault.object == recipe)
        return "\(fault)"
      }
    }
    let greatest = Value.double(.greatestFiniteMagnitude)
    let beyond = try fault("weight", [greatest, greatest], "ingredients.@sum.weight > 0")
    #expect(beyond?.hasSuffix("has no value: it is beyond the range of doubles") == true)
    #expect(try fault("weight", [greatest, greatest], "ingredients.@avg.weight > 1e308") == nil)
    let infinities: [Value] = [.double(.infinity), .double(-.infinity)]
    #expect(try fault("weight", infinities, "ingredients.@sum.weight > 0")?.contains("infinities") == true)
    #expect(try fault("weight", infinities, "ingredients.@avg.weight > 0")?.contains("infinities") == true)
    #expect(try fault("weight", [.double(.infinity), 1], "ingredients.@sum.weight > 0") == nil)
    let digits = Value.decimal(try #require(Decimal(string: String(repeating: "9", count: 38))))
    #expect(try fault("cost", [digits, .decimal(0.5)], "ingredients.@sum.cost > 0")?.contains("38 digits") == true)
  }

  @Test func `evaluation stops as soon as the outcome is clear`() throws {
    let filter = try ResolvedFilter(
      Filter(parsing: "servings == 5 AND name == 'x' AND ANY ingredients.name == 'y'"), entity: 0, in: world.model)
    var source = world
    #expect(try !filter.matches(ObjectKey(entity: 0, id: cake), in: &source))
    #expect(source.readCount == 1)
  }
}

@Suite(.hangLimit) struct TextMatchingTests {
  @Test func `equality without case and accents`() throws {
    let all = TextFold([.caseInsensitive, .diacriticInsensitive])
    #expect(all.apply("ÅNGSTRÖM") == "angstrom")
    #expect(all.apply("İstanbul") == "istanbul")
    #expect(all.apply("Straße") == "straße")
    #expect(all.apply("ΟΔΟΣ") == "οδοσ")
    #expect(TextFold(.caseInsensitive).apply("É").utf8.elementsEqual("é".utf8))
    #expect(TextFold(.diacriticInsensitive).apply("e\u{301}É") == "eE")
    #expect(TextFold([]).apply("É") == "É")
  }

  @Test(arguments: [
    ("", "", true), ("", "x", false), ("*", "", true), ("?", "", false), ("a*b*c", "aXbYc", true),
    ("a*b*c", "aXbY", false), ("*a", "aaa", true), ("a?c", "abc", true), ("a?c", "ac", false), ("\\*", "*", true),
    ("\\*", "x", false), ("\\", "\\", true), ("\\\\*", "\\x", true), ("?", "🍰", true), ("?", "é", true),
    ("?", "e\u{301}", false), ("??", "e\u{301}", true), ("**a**", "bab", true), ("*ab", "aab", true),
  ])
  func `patterns`(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try LikePattern(pattern, fold: TextFold([])).matches(text) == isMatch)
  }

  @Test func `patterns agree with a plain recursion`() throws {
    func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "*" {
        return (0...text.count).contains { matches(pattern.dropFirst(), text.dropFirst($0)) }
      }
      guard let next = text.first, first == "?" || first == next else { return false }
      return matches(pattern.dropFirst(), text.dropFirst())
    }
    try SeededRandom.run(Rounds.of(3_000)) { generator in
      let seed = generator.seed
      let pattern = String(
        (0..<generator.number(0..<7)).map { _ in generator.pick(["a", "b", "*", "?"] as [Character]) })
      let text = String((0..<generator.number(0..<9)).map { _ in generator.pick(["a", "b"] as [Character]) })
      let isMatch = matches(ArraySlice(pattern), ArraySlice(text))
      let found = try LikePattern(pattern, fold: TextFold([])).matches(text)
      #expect(found == isMatch, "\(pattern) \(text) seed \(seed)")
      #expect(BytePattern(pattern).isFound(in: text + pattern + text))
      #expect(BytePattern(pattern).isFound(in: text) == text.contains(pattern) || pattern.isEmpty, "seed \(seed)")
    }
  }

  @Test func `a long part of a pattern is found across its words of bits`() throws {
    for length in [63, 64, 65, 128, 129, 200] {
      let part = String(repeating: "ab", count: length / 2) + (length % 2 == 1 ? "?" : "")
      let text = "b" + String(repeating: "ab", count: 3) + part + "z"
      #expect(try LikePattern("*\(part)z", fold: TextFold([])).matches(text))
      #expect(try LikePattern("*\(part)*", fold: TextFold([])).matches(text))
      #expect(try !LikePattern("*\(part)c*", fold: TextFold([])).matches(text))
    }
  }

  @Test func `a limit ends a search and a fold`() throws {
    let text = String(repeating: "É", count: 200_000)
    let like = LikePattern("*x?y*", fold: TextFold([]))
    for work in [{ _ = try like.matches(text) }, { _ = try TextFold(.caseInsensitive).limited(text) }] {
      let limit = WorkLimit(.seconds(1), now: ExpressionTests.clock(step: .milliseconds(100)))
      #expect(throws: WorkLimitExceeded.time(.seconds(1))) { try WorkLimit.$current.withValue(limit) { try work() } }
    }
  }

  @Test func `a pattern of many runs takes no exponential time`() throws {
    let pattern = String(repeating: "a*", count: 200) + "b"
    #expect(try !LikePattern(pattern, fold: TextFold([])).matches(String(repeating: "a", count: 2_000)))
    #expect(!BytePattern(String(repeating: "a", count: 2_000) + "b").isFound(in: String(repeating: "a", count: 20_000)))
  }
}

@Suite(.hangLimit) struct ValueComparisonTests {
  @Test func `integers and doubles compare without rounding`() {
    let big = Value.integer(9_007_199_254_740_993)
    #expect(!ValueComparison.areEqual(big, .double(9_007_199_254_740_992)))
    #expect(ValueComparison.compare(big, .double(9_007_199_254_740_992), order: .codepoint) > 0)
    #expect(ValueComparison.compare(.integer(.max), .double(0x1p63), order: .codepoint) < 0)
    #expect(ValueComparison.areEqual(.integer(.min), .double(-0x1p63)))
    #expect(ValueComparison.compare(.integer(.min), .double(-.infinity), order: .codepoint) > 0)
    #expect(ValueComparison.compare(.integer(3), .double(3.5), order: .codepoint) < 0)
  }

  @Test func `doubles and decimals compare without rounding`() {
    let tenth = Value.decimal(Decimal(string: "0.1")!)
    #expect(ValueComparison.compare(.double(0.1), tenth, order: .codepoint) > 0)
    #expect(ValueComparison.compare(tenth, .double(0.1), order: .codepoint) < 0)
    #expect(ValueComparison.areEqual(.double(0.5), .decimal(Decimal(string: "0.5")!)))
    #expect(ValueComparison.areEqual(.double(-0.5), .decimal(Decimal(string: "-0.5")!)))
    #expect(ValueComparison.compare(.double(-0.1), .decimal(Decimal(string: "-0.1")!), order: .codepoint) < 0)
    #expect(ValueComparison.areEqual(.double(0), .decimal(0)))
    #expect(ValueComparison.areEqual(.double(0x1p100), .decimal(Decimal(string: "1267650600228229401496703205376")!)))
    #expect(ValueComparison.compare(.double(1e120), .decimal(Decimal(string: "1e120")!), order: .codepoint) != 0)
    #expect(ValueComparison.compare(.double(.infinity), tenth, order: .codepoint) > 0)
    #expect(ValueComparison.compare(.double(.leastNonzeroMagnitude), .decimal(0), order: .codepoint) > 0)
    #expect(ValueComparison.compare(.double(.leastNonzeroMagnitude), tenth, order: .codepoint) < 0)
  }

  @Test func `integers and decimals compare as numbers`() {
    #expect(ValueComparison.areEqual(.integer(4), .decimal(4)))
    #expect(
      ValueComparison.compare(.integer(.max), .decimal(Decimal(string: "9223372036854775807.5")!), order: .codepoint)
        < 0)
  }
}
