import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct PlannerTests {
  private func request(_ filter: String?, sort: [String] = [], section: String? = nil, limit: Int? = nil) throws
    -> FetchRequest
  {
    FetchRequest(
      entity: "Recipe", filter: try filter.map { text throws(QueryError) in try Filter(parsing: text) },
      sort: try sort.map { text throws(QueryError) in try SortTerm(parsing: text) },
      section: try section.map { text throws(QueryError) in try SectionKey(parsing: text) }, limit: limit)
  }

  private func explanation(
    _ filter: String?, sort: [String] = [], section: String? = nil, limit: Int? = nil, usesConstraints: Bool = true
  ) throws -> String {
    let request = try ResolvedRequest(request(filter, sort: sort, section: section, limit: limit), in: Kitchen.resolved)
    return Planner.plan(request, in: Kitchen.resolved, usesConstraints: usesConstraints).explanation
  }

  @Test func `equality, prefix and order from one index`() throws {
    #expect(
      try explanation("type.name == 'Dessert' AND name BEGINSWITH 'C' AND vegan == true", sort: ["name"])
        == #"view Recipe(type.name, name), equal type.name = "Dessert", prefix name; filter: vegan == true; in order"#)
    #expect(
      try explanation("type.name IN {'a', 'b'}", sort: ["type.name", "name"])
        == "view Recipe(type.name, name), equal type.name in 2 values; in order")
    #expect(
      try explanation("type.name IN {'a', 'b'}", sort: ["name"])
        == "view Recipe(type.name, name), equal type.name in 2 values; sort: name")
  }

  @Test func `conditions on related objects are tested, and other parts still find an index`() throws {
    #expect(
      try explanation("COUNT(ingredients WHERE amount > 2) >= 3 AND servings == 4")
        == "view Recipe(servings:desc, title), equal servings = 4; filter: COUNT(ingredients WHERE amount > 2) >= 3; "
        + "sort: id")
    #expect(
      try explanation("ANY tags WHERE (name == 'x' AND id != nil)", sort: ["file"])
        == #"view Recipe(file); filter: ANY tags WHERE (name == "x" AND id != nil); in order"#)
    // A number that is compared with an attribute is no constant of it.
    #expect(
      try explanation("servings == COUNT(tags WHERE name == 'x')")
        == #"scan Recipe (all objects); filter: servings == COUNT(tags WHERE name == "x"); in order"#)
  }

  @Test func `ranges`() throws {
    #expect(
      try explanation("servings >= 4 AND servings < 9") == "view Recipe(servings:desc, title), range servings; sort: id"
    )
    #expect(
      try explanation("createdAt BETWEEN {2026-01-01, 2026-02-01}", sort: ["createdAt:desc"])
        == "view Recipe(createdAt), range createdAt, backward; in order, sort ties: id")
    #expect(
      try explanation("file > 'file9'", sort: ["file"]) == "view Recipe(file), range file; in order")
    #expect(
      try explanation("file BEGINSWITH 'file9'", sort: ["file"])
        == "view Recipe(file); filter: file BEGINSWITH \"file9\"; in order")
  }

  @Test func `order`() throws {
    #expect(try explanation(nil) == "scan Recipe (all objects); in order")
    #expect(
      try explanation("note == 1 OR vegan == true".replacing("note", with: "servings"))
        == "scan Recipe (all objects); filter: servings == 1 OR vegan == true; in order")
    #expect(try explanation(nil, sort: ["price"]) == "scan Recipe (all objects); sort: price")
    #expect(try explanation(nil, sort: ["createdAt"]) == "view Recipe(createdAt); in order")
    #expect(try explanation(nil, sort: ["createdAt:desc", "id:desc"]) == "view Recipe(createdAt), backward; in order")
    #expect(
      try explanation(nil, sort: ["createdAt:desc"], limit: 5)
        == "view Recipe(createdAt), backward; in order, sort ties: id; ends early")
    #expect(
      try explanation(nil, sort: ["type.name", "price"])
        == "view Recipe(type.name, name); in order of type.name, sort ties: price")
    #expect(
      try explanation(nil, sort: ["servings", "title:desc"])
        == "view Recipe(servings:desc, title), backward; in order, sort ties: id")
    #expect(
      try explanation(nil, sort: ["servings", "title"])
        == "view Recipe(servings:desc, title), backward; in order of servings, sort ties: title")
    #expect(
      try explanation("title == 'x'", sort: ["servings"])
        == "view Recipe(servings:desc, title), backward; filter: title == \"x\"; in order, sort ties: id")
  }

  @Test func `sections`() throws {
    #expect(try explanation(nil, sort: ["name"], section: "type.name") == "view Recipe(type.name, name); in order")
    #expect(
      try explanation(nil, sort: ["createdAt:desc"], section: "createdAt.day:desc")
        == "view Recipe(createdAt), backward; in order, sort ties: id")
    #expect(
      try explanation(nil, sort: ["name"], section: "createdAt.month")
        == "view Recipe(createdAt); in order of createdAt.month, sort ties: name")
    #expect(try explanation(nil, section: "name.initial") == "scan Recipe (all objects); sort: name.initial")
    var romeRequest = try request(nil, sort: ["createdAt"], section: "createdAt.day")
    romeRequest.timeZone = "Europe/Rome"
    let rome = try ResolvedRequest(romeRequest, in: Kitchen.resolved)
    #expect(!Planner.plan(rome, in: Kitchen.resolved).isOrdered)
  }

  @Test func `an index has nil at the other end if the filter fixes the terms before it`() throws {
    #expect(try explanation(nil, sort: ["file:nils-first"]) == "view Recipe(file); in order")
    #expect(
      try explanation(nil, sort: ["file:nils-last"], limit: 5) == "view Recipe(file), nils last; in order; ends early")
    #expect(
      try explanation(nil, sort: ["file:desc:nils-first", "id:desc"])
        == "view Recipe(file), nils first, backward; in order")
    #expect(
      try explanation(nil, sort: ["servings:nils-last"], limit: 5)
        == "view Recipe(servings:desc, title), nils last, backward; in order, sort ties: id; ends early")
    #expect(
      try explanation("type.name == 'a'", sort: ["name:nils-last"])
        == #"view Recipe(type.name, name), equal type.name = "a", nils last; in order"#)
    // A filter that leaves no nil leaves nothing to move.
    #expect(
      try explanation("file > 'a'", sort: ["file:nils-last"]) == "view Recipe(file), range file; in order")
    // Each type has a run of nil of its own.
    #expect(
      try explanation(nil, sort: ["type.name", "name:nils-last"])
        == "view Recipe(type.name, name); in order of type.name, sort ties: name:nils-last")
    #expect(try explanation(nil, sort: ["price:desc:nils-first"]).hasSuffix("sort: price:desc:nils-first"))
    // Among strings the empty one is in the section of nil, wherever the index has it.
    #expect(try explanation(nil, section: "file:nils-last").hasSuffix("sort: file:nils-last"))
    #expect(try explanation(nil, section: "name.initial:other-last").hasSuffix("sort: name.initial:other-last"))
  }

  @Test func `prefixes that touch are not divided at the first one's nil`() throws {
    var model = Kitchen.model
    model.entities[0].indexes = [Index([.init(path: ["vegan"]), .init(path: ["servings"])])]
    let resolved = try ResolvedModel(creating: model)
    var world = World(resolved)
    for (vegan, servings) in [(true, 1), (false, nil), (true, nil), (false, 2)] as [(Value, Value)] {
      _ = world.add("Recipe", ["vegan": vegan, "servings": servings])
    }
    var shelf = try IndexShelf(world)
    let request = try ResolvedRequest(
      request("vegan IN {true, false}", sort: ["vegan", "servings:nils-last"]), in: resolved)
    let expected = try sortedRows(request, &shelf.world).map(\.id)
    #expect(try shelf.answer(request, Planner.plan(request, in: resolved)) == expected)
  }

  @Test func `objects that are named`() throws {
    let id = "00000000-0000-0000-0000-000000000001"
    #expect(
      try explanation("id == '\(id)' AND servings == 1") == "get Recipe by id (1); filter: servings == 1; in order")
    #expect(try explanation("id IN {'\(id)', nil, '\(id)'}") == "get Recipe by id (1); in order")
    #expect(try explanation("code == '\(id)'") == "unique Recipe(code); in order")
    #expect(
      try explanation("name == 'x' AND type == '\(id)' AND servings > 1")
        == "unique Recipe(name, type); filter: servings > 1; in order")
    #expect(try explanation("name == nil AND type == '\(id)'").hasPrefix("links RecipeType.recipes"))
    #expect(try explanation("code == '\(id)'", usesConstraints: false).hasPrefix("scan"))
    #expect(try explanation("FALSEPREDICATE") == "get Recipe by id (0); in order")
    #expect(try explanation("servings == 1 AND FALSEPREDICATE") == "get Recipe by id (0); in order")
    #expect(
      try explanation("servings IN {}") == "view Recipe(servings:desc, title), equal servings in 0 values; sort: id")
  }

  @Test func `links`() throws {
    let id = "00000000-0000-0000-0000-000000000001"
    #expect(try explanation("type == '\(id)'") == "links RecipeType.recipes of \(id); in order")
    #expect(try explanation("type.id == '\(id)'", sort: ["name"]) == "links RecipeType.recipes of \(id); sort: name")
    #expect(try explanation("ANY tags == '\(id)'") == "links Tag.recipes of \(id); in order")
    #expect(try explanation("cover == '\(id)'") == "links Photo.recipe of \(id); in order")
    #expect(try explanation("ALL tags == '\(id)'").hasPrefix("scan"))
    let ingredients = FetchRequest(entity: "Ingredient", filter: try Filter(parsing: "recipe == '\(id)'"))
    let plan = Planner.plan(try ResolvedRequest(ingredients, in: Kitchen.resolved), in: Kitchen.resolved)
    #expect(plan.explanation == "links Recipe.ingredients of \(id); sort: id")
  }

  @Test func `a limit prefers order to a range with one end`() throws {
    #expect(
      try explanation("servings > 2", sort: ["createdAt"])
        == "view Recipe(servings:desc, title), range servings; sort: createdAt")
    #expect(
      try explanation("servings > 2", sort: ["createdAt"], limit: 3)
        == "view Recipe(createdAt); filter: servings > 2; in order; ends early")
  }

  @Test func `a filter of more parts than a machine word has bits`() throws {
    let parts = (0..<70).map { number in
      number % 35 == 34 ? "name >= '\(number)'" : "vegan != \(number % 2 == 0)"
    }
    let text = "type.name == 'a' AND " + parts.joined(separator: " AND ")
    let explanation = try explanation(text, sort: ["name"])
    #expect(explanation.hasPrefix(#"view Recipe(type.name, name), equal type.name = "a", range name; filter: vegan"#))
    // The first of the two bounds is used, and the second one is tested.
    #expect(!explanation.contains(#"name >= "34""#))
    #expect(explanation.contains(#"name >= "69""#))
    #expect(explanation.components(separatedBy: "vegan != ").count == 69)
  }

  @Test func `a set of parts has the numbers that were inserted`() {
    var set: PartSet = [0, 63]
    #expect([0, 1, 62, 63, 64, 128].map(set.contains) == [true, false, false, true, false, false])
    set.insert(64)
    set.insert(128)
    set.insert(128)
    #expect(set.count == 4)
    #expect([0, 1, 62, 63, 64, 128].map(set.contains) == [true, false, false, true, true, true])
  }

  @Test func `successors of prefixes`() {
    #expect(KeyRange.successor(of: [1, 2]) == [1, 3])
    #expect(KeyRange.successor(of: [1, 255, 255]) == [2])
    #expect(KeyRange.successor(of: [255, 255]) == nil)
    #expect(KeyRange.successor(of: []) == nil)
    let ranges = [
      KeyRange(prefix: [3]), KeyRange(prefix: [1]), KeyRange(prefix: [1, 7]), KeyRange(lower: [2], upper: [2, 5]),
      KeyRange(lower: [9], upper: [9]),
    ]
    #expect(KeyRange.merged(ranges) == [KeyRange(lower: [1], upper: [2, 5]), KeyRange(prefix: [3])])
    #expect(KeyRange.merged([KeyRange(prefix: [3]), .all]) == [.all])
  }
}

@Suite(.hangLimit) struct RandomPlanTests {
  private static let terms = [
    ["name"], ["title"], ["file"], ["type", "name"], ["servings"], ["price"], ["cost"], ["vegan"], ["cookedAt"],
    ["createdAt"], ["changedAt"], ["code"], ["type"], ["type", "id"], ["id"], ["ingredientCount"], ["cover", "year"],
  ]

  /// The kitchen with other indexes.
  static func model(_ generator: inout SeededRandom) throws -> ResolvedModel {
    var model = Kitchen.model
    model.entities[0].indexes = []
    for _ in 0..<generator.number(0..<7) {
      let paths = terms.shuffled(using: &generator).prefix(generator.number(1..<4))
      let index = Index(paths.map { SortTerm(path: $0, SortDirection(isDescending: generator.isOneIn(3))) })
      if !model.entities[0].indexes.contains(index) { model.entities[0].indexes.append(index) }
    }
    return try ResolvedModel(creating: model)
  }

  static func request(_ model: ResolvedModel, _ generator: inout SeededRandom) -> FetchRequest {
    var request = FetchRequest(entity: "Recipe")
    if !generator.isOneIn(5) {
      let parts = (0..<generator.number(1..<4)).map { _ in
        generator.isOneIn(5) ? Randomness.filter(depth: 2, &generator) : Randomness.comparison(&generator)
      }
      request.filter = .all(parts)
    }
    // Often the terms of an index, so that plans use it.
    var paths = terms.shuffled(using: &generator).prefix(generator.number(0..<3)).map { ($0, generator.isOneIn(3)) }
    if let index = model.model.entities[0].indexes.randomElement(using: &generator), generator.isOneIn(2) {
      let isBackward = generator.isOneIn(2)
      paths = index.terms.prefix(generator.number(0..<4)).map { ($0.path, $0.isDescending != isBackward) }
      if generator.isOneIn(2) { paths += [(["id"], isBackward)] }
    }
    if generator.isOneIn(2), let first = paths.first {
      let isDate = ["cookedAt", "createdAt", "changedAt"].contains(first.0.last)
      let isString = ["name", "title", "file"].contains(first.0.last)
      let transforms: [SectionKey.Transform] = isDate ? [.none, .day, .month] : isString ? [.none, .initial] : [.none]
      request.section = SectionKey(
        path: first.0, transform: generator.pick(transforms), direction: SortDirection(isDescending: first.1),
        order: generator.isOneIn(6) ? ["b", "", "1970-01-02"] : nil,
        nils: generator.isOneIn(4) ? generator.pick(EndPlacement.allCases) : nil)
      if request.section?.transform == .initial, generator.isOneIn(2) {
        request.section?.others = generator.pick(EndPlacement.allCases)
      }
      if generator.isOneIn(2) { paths.removeFirst() }
    }
    // Tests of the request's sort paths, and of the terms before them in an index.
    if let index = model.model.entities[0].indexes.randomElement(using: &generator), generator.isOneIn(2) {
      let count = generator.number(0..<index.terms.count + 1)
      let tests = index.terms.prefix(count).map { Randomness.narrowing($0.path, model, &generator) }
      request.filter = .all(tests + (generator.isOneIn(3) ? [request.filter ?? .always] : []))
      if generator.isOneIn(2) {
        paths = index.terms.dropFirst(generator.number(0..<count + 1)).map { ($0.path, $0.isDescending) }
      }
    }
    // The id may be at any place, with terms after it.
    if generator.isOneIn(6) {
      paths += [(["id"], generator.isOneIn(2)), (generator.pick(terms), generator.isOneIn(2))]
    }
    request.sort = paths.map { path in
      SortTerm(
        path: path.0, SortDirection(isDescending: path.1),
        nils: generator.isOneIn(3) ? generator.pick(EndPlacement.allCases) : nil)
    }
    if generator.isOneIn(2) { request.limit = generator.number(0..<6) }
    if generator.isOneIn(3) { request.offset = generator.number(0..<6) }
    return request
  }

  @Test func `plans lose no row and keep their word on order`() throws {
    try SeededRandom.run(Rounds.of(400)) { generator in
      let seed = generator.seed
      let model = try Self.model(&generator)
      var shelf = try IndexShelf(Randomness.world(model, &generator))
      for _ in 0..<40 {
        let request = Self.request(model, &generator)
        let resolved = try ResolvedRequest(request, in: model)
        let plan = Planner.plan(resolved, in: model, usesConstraints: generator.isOneIn(2))
        let rows = try sortedRows(resolved, &shelf.world).map(\.id)
        let expected = Array(rows.dropFirst(request.offset).prefix(request.limit ?? .max))
        let answer = try shelf.answer(resolved, plan)
        #expect(
          answer == expected,
          "\(plan.explanation) for \(request.sort) \(request.section?.description ?? "") \(request.filter?.description ?? ""), seed \(seed)"
        )
      }
    }
  }

  @Test func `an index that covers a request has its rows and their sort keys`() throws {
    var coverCount = 0
    try SeededRandom.run(Rounds.of(300)) { generator in
      let seed = generator.seed
      let model = try Self.model(&generator)
      var shelf = try IndexShelf(Randomness.world(model, &generator))
      for _ in 0..<40 {
        let request = Self.request(model, &generator)
        let resolved = try ResolvedRequest(request, in: model)
        guard let keys = try shelf.keys(coveredBy: resolved) else { continue }
        coverCount += 1
        let wanted = try sortedRows(resolved, &shelf.world).map { $0.key(in: resolved) }
        #expect(keys == wanted, "\(request.sort) \(request.filter?.description ?? ""), seed \(seed)")
      }
    }
    #expect(coverCount > 0)
  }

  @Test func `every index answers every request, whether or not it is the best`() throws {
    try SeededRandom.run(Rounds.of(150)) { generator in
      let seed = generator.seed
      let model = try Self.model(&generator)
      var shelf = try IndexShelf(Randomness.world(model, &generator))
      for _ in 0..<20 {
        try expectRightAnswers(to: Self.request(model, &generator), model, &shelf, seed)
      }
    }
  }

  /// Long strings that agree up to the length at which a key is cut, or a little less or more.
  private static let longStrings: [String] = [480, 485, 489, 490, 491, 492, 493, 494, 600].flatMap { length in
    let start = String(repeating: "x", count: length)
    return [start, start + "a", start + "b", start + "\0", start + "X"]
  }

  @Test func `cut keys lose no row and no order`() throws {
    try SeededRandom.run(Rounds.of(150)) { generator in
      let seed = generator.seed
      let model = try Self.model(&generator)
      var world = World(model)
      for _ in 0..<12 {
        var values: [String: Value] = ["servings": Randomness.value(.integer, &generator)]
        for name in ["name", "title", "file"] where !generator.isOneIn(5) {
          values[name] = .string(generator.pick(Self.longStrings))
        }
        _ = world.add("Recipe", values)
      }
      var shelf = try IndexShelf(world)
      for _ in 0..<30 {
        var request = Self.request(model, &generator)
        let parts = (0..<generator.number(1..<3)).map { _ in
          let path = Filter.Operand.path(generator.pick(["name", "name", "title", "file"]))
          let operation = generator.pick(
            [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith] as [Filter.Operator])
          return Filter(path, operation, .value(.string(generator.pick(Self.longStrings))))
        }
        request.filter = .all(parts)
        try expectRightAnswers(to: request, model, &shelf, seed)
      }
    }
  }

  /// Answers a request with every candidate plan, and compares the results.
  private func expectRightAnswers(
    to request: FetchRequest, _ model: ResolvedModel, _ shelf: inout IndexShelf, _ seed: UInt64
  ) throws {
    let resolved = try ResolvedRequest(request, in: model)
    let parts = resolved.filter?.node.conjuncts ?? []
    let finder = CandidateFinder(request: resolved, model: model, parts: parts, facts: Facts(parts))
    let rows = try sortedRows(resolved, &shelf.world).map(\.id)
    let expected = Array(rows.dropFirst(request.offset).prefix(request.limit ?? .max))
    for candidate in [finder.objects] + finder.identities + finder.links + finder.indexes + finder.constraints {
      let plan = finder.plan(candidate)
      let answer = try shelf.answer(resolved, plan)
      let section = request.section?.description ?? ""
      #expect(
        answer == expected,
        "\(plan.explanation) for \(request.sort) \(section) \(request.filter?.description ?? ""), seed \(seed)")
    }
  }
}
