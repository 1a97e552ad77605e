import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct FilterResolutionTests {
  /// A filter on recipes, the faulty column, and a part of the message.
  static let faults: [(String, Int, String)] = [
    ("nam == 'x'", 1, "did you mean “name”?"),
    ("servings == 1 AND nmae == 'x'", 19, "Recipe has no attribute or relationship “nmae”; did you mean “name”?"),
    ("type.nam == 'x'", 6, "RecipeType has no attribute or relationship “nam”"),
    ("xyzzy == 1", 1, "has no attribute"),
    ("type.xyzzy == 1", 6, "there are “name”, “recipes”, “id”, “createdAt” and “changedAt”"),
    ("name.length == 1", 6, "nothing can follow"),
    ("id.x == 1", 4, "nothing can follow"),
    ("name > 4", 8, "is a string, and 4 is not; put text in quotes"),
    ("4 < name", 1, "put text in quotes"),
    ("servings == '4'", 13, "without quotes"),
    ("servings IN {1, 'x'}", 17, "without quotes"),
    ("servings BETWEEN {1, true}", 22, "write a number"),
    ("price == 'x'", 10, "write a number"),
    ("cost == 'x'", 9, "write a number"),
    ("cost == 2026-01-01", 9, "write a number"),
    ("vegan == 1", 10, "write true or false"),
    ("cookedAt > 'yesterday'", 12, "2026-01-02"),
    ("cookedAt > 2026", 12, "2026-01-02"),
    ("createdAt == 'x'", 14, "2026-01-02"),
    ("code == 'x'", 9, "UUID"), ("id == 4", 7, "UUID"), ("type == 'Dessert'", 9, "UUID"),
    ("picture == 'not base64!'", 12, "base64"),
    ("picture < 'AQID'", 1, "no order"), ("picture BETWEEN {'AQID', 'AQID'}", 1, "no order"),
    ("extra == 'x'", 10, "nil only"), ("extra < nil", 1, "no order"),
    ("name == servings", 9, "“servings” is an integer, and “name” is a string"),
    ("vegan == cookedAt", 10, "is a date"),
    ("servings CONTAINS 'x'", 1, "CONTAINS is for strings"), ("name CONTAINS 4", 15, "takes text in quotes"),
    ("name CONTAINS nil", 15, "takes text in quotes"), ("name CONTAINS servings", 15, "for strings"),
    ("name LIKE title", 11, "takes text"), ("name MATCHES title", 14, "takes text"),
    ("servings ==[c] 1", 1, "[c] is for strings"),
    ("name MATCHES '('", 14, "this regular expression is not right"), ("name MATCHES '(?<=a)b'", 14, "regular"),
    ("tags.name == 'x'", 1, "put ANY, ALL or NONE"), ("tags == nil", 1, "put ANY"),
    ("ANY name == 'x'", 5, "ANY asks for a path over a to-many"), ("ALL tags.@count == 1", 5, "to-many"),
    ("ANY 1 == 1", 5, "to-many"),
    ("ANY tags.name == ingredients.name", 18, "one side only"),
    ("ANY name CONTAINS tags.name", 19, "put the to-many path on the left"),
    ("type.@count == 1", 6, "follows a to-many"), ("tags.name.@count == 1", 11, "right behind"),
    ("tags.@count.name == 1", 6, "ends a path"), ("ingredients.@sum.name == 1", 13, "is a number"),
    ("ingredients.@sum == 1", 13, "is a number"), ("tags.@min.recipes == 1", 6, "follows a to-many"),
    ("ingredients.@max.x == 1", 18, "Ingredient has no"),
    ("COUNT(ingredients WHERE amont > 2) > 1", 25, "Ingredient has no attribute or relationship “amont”"),
    ("COUNT(ingredients WHERE servings > 2) > 1", 25, "Ingredient has no"),
    ("ANY tags WHERE (name == 'x' AND nmae == 'y')", 33, "did you mean “name”?"),
    ("COUNT(ingredient WHERE amount > 2) > 1", 7, "did you mean “ingredients”?"),
    ("COUNT(type WHERE name == 'x') > 1", 7, "WHERE follows a to-many relationship, and “type” is not one"),
    ("ANY type WHERE (name == 'x')", 5, "“type” is not one"), ("ALL name WHERE (name == 'x')", 5, "“name” is not one"),
    ("NONE type.name WHERE (name == 'x')", 11, "“name” is not one"),
    ("ANY tags.id WHERE (name == 'x')", 10, "“id” is not one"),
    ("ANY ingredients.recipe WHERE (name == 'x')", 17, "“recipe” is not one"),
    ("ANY tags.@count WHERE (name == 'x')", 10, "“@” computes a value"),
    ("COUNT(tags WHERE ANY type WHERE (name == 'x')) > 1", 22, "Tag has no"),
    ("COUNT(tags WHERE recipes.name == 'x') > 1", 18, "put ANY, ALL or NONE"),
    ("COUNT(tags WHERE name == 'x') == 'x'", 34, "without quotes"),
    ("COUNT(tags WHERE name == 4) == 1", 26, "put text in quotes"),
    ("COUNT(tags WHERE name == 'x') == name", 34, "is a string, and “COUNT(tags"),
    ("COUNT(tags WHERE name == 'x') CONTAINS 'x'", 1, "CONTAINS is for strings"),
    ("ANY COUNT(tags WHERE name == 'x') > 1", 5, "ANY asks for a path over a to-many"),
    ("COUNT(tags WHERE name == 'x') > ingredients.amount", 33, "put ANY, ALL or NONE"),
    ("1 == 'x'", 6, "is an integer"), ("'x' < 1", 7, "put text"),
    ("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q == 1", 33, "16 are allowed"),
  ]

  @Test(arguments: faults) func `a fault is told with its column`(text: String, column: Int, part: String) throws {
    let filter = try Filter(parsing: text)
    let error = try #require(
      #expect(throws: QueryError.self) { try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved) })
    #expect(error.column == column, "\(error)")
    #expect(error.message.contains(part), "\(error)")
    #expect(error.text == text)
  }

  @Test func `conditions on related objects nest to a limit`() throws {
    func start(_ depth: Int, _ paths: [String]) -> String {
      (0..<depth).map { "ANY \(paths[$0 % paths.count]) WHERE (" }.joined()
    }
    func resolve(_ depth: Int, _ paths: String...) throws(QueryError) {
      let text = start(depth, paths) + "name == nil" + String(repeating: ")", count: depth)
      _ = try ResolvedFilter(Filter(parsing: text), entity: 0, in: Kitchen.resolved)
    }
    try resolve(8, "tags", "recipes")
    let tooDeep = #expect(throws: QueryError.self) { try resolve(9, "tags", "recipes") }
    #expect(tooDeep?.message == "WHERE nests deeper than 8")
    #expect(tooDeep?.column == start(8, ["tags", "recipes"]).count + "ANY ".count + 1)
    // The names of all paths around a path count.
    try resolve(7, "tags.recipes")
    let tooLong = #expect(throws: QueryError.self) { try resolve(8, "tags.recipes") }
    #expect(tooLong?.message == "a key path has 1 names, and the WHERE around it 16; 16 are allowed")
    #expect(tooLong?.column == start(8, ["tags.recipes"]).count + 1)
    let inCode = (0..<9).reduce(Filter(.path("id"), .equal, .value(nil))) { filter, number in
      Filter(.any, of: number % 2 == 0 ? "tags" : "recipes", where: filter)
    }
    let error = #expect(throws: QueryError.self) { try ResolvedFilter(inCode, entity: 0, in: Kitchen.resolved) }
    #expect(error?.text == inCode.description && (error?.column ?? 0) > 100)
  }

  @Test func `a path that begins at an outer object is refused, and one of another closure is not`() throws {
    let (outer, inner) = (PathScope(), PathScope())
    func error(_ right: PathScope?, names: String = "name") -> String? {
      let condition = Filter(.path("name", in: inner), .equal, .path(names, in: right))
      let filter = Filter(.any, of: "tags", in: outer, where: condition)
      do {
        _ = try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved)
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(error(outer)?.contains("cannot name a field of the outer object, such as “name”, at column 1") == true)
    #expect(error(outer, names: "servings")?.contains("such as “servings”") == true)
    #expect(error(inner) == nil && error(nil) == nil && error(PathScope()) == nil)
    // Two closures inside: the outermost object is no closer.
    let counted = Filter.Operand.count(
      "recipes", in: inner, where: Filter(.path("name", in: outer), .equal, .value("x")))
    let nested = Filter(.any, of: "tags", in: outer, where: Filter(counted, .greater, .value(1)))
    #expect(throws: QueryError.self) { try ResolvedFilter(nested, entity: 0, in: Kitchen.resolved) }
  }

  @Test func `a filter in which related objects are tested reads the paths to all that it tests`() throws {
    func paths(_ text: String) throws -> Set<ResolvedPath> {
      Set(try ResolvedFilter(Filter(parsing: text), entity: 0, in: Kitchen.resolved).paths)
    }
    #expect(
      try paths("COUNT(ingredients WHERE amount > 2) > servings")
        == paths("ANY ingredients.amount > 2 AND ANY ingredients != nil AND servings == 1"))
    #expect(
      try paths("NONE tags WHERE (ANY recipes WHERE (type == nil) OR COUNT(recipes WHERE cover.year == 1) == 2)")
        == paths(
          "ANY tags != nil AND ANY tags.recipes != nil AND ANY tags.recipes.type == nil AND ANY tags.recipes.cover.year == 1"
        ))
    #expect(try paths("COUNT(tags WHERE TRUEPREDICATE) == 1") == paths("ANY tags != nil"))
  }

  @Test func `a fault in a filter made in code is shown in its canonical text`() throws {
    let filter =
      Filter(.path("servings"), .equal, .value(4))
      && Filter(.path("nmae"), .equal, .value(.uuid(ObjectID(high: 0, low: 1))))
    let error = #expect(throws: QueryError.self) { try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved) }
    #expect(error?.column == 19)
    #expect(error?.text == filter.description)
    let notANumber = Filter(.path("price"), .less, .value(.double(.nan)))
    #expect(throws: QueryError.self) { try ResolvedFilter(notANumber, entity: 0, in: Kitchen.resolved) }
    let wrongList = Filter(.path("price"), .between, .values([1]))
    #expect(throws: QueryError.self) { try ResolvedFilter(wrongList, entity: 0, in: Kitchen.resolved) }
    let wrongName = Filter(.path("a b"), .equal, .value(1))
    #expect(throws: QueryError.self) { try ResolvedFilter(wrongName, entity: 0, in: Kitchen.resolved) }
  }

  @Test func `a list where one value belongs, and one value where a list belongs, are refused`() throws {
    for filter in [
      Filter(.path("servings"), .equal, .values([1])), Filter(.path("servings"), .among, .value(1)),
      Filter(.values([1]), .equal, .path("servings")), Filter(.path("name"), .contains, .values(["x"])),
      Filter(.path("servings"), .less, .value(1), options: .caseInsensitive),
    ] {
      #expect(throws: QueryError.self) { try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved) }
    }
  }

  @Test func `constants are taken out`() throws {
    func node(_ text: String) throws -> String {
      try ResolvedFilter(Filter(parsing: text), entity: 0, in: Kitchen.resolved).description
    }
    #expect(try node("servings == 1 AND TRUEPREDICATE") == "servings == 1")
    #expect(try node("servings == 1 AND NOT TRUEPREDICATE") == "FALSEPREDICATE")
    #expect(try node("servings == 1 OR TRUEPREDICATE") == "TRUEPREDICATE")
    #expect(try node("NOT NOT (servings == 1 OR FALSEPREDICATE)") == "servings == 1")
  }
}

@Suite(.hangLimit) struct RequestResolutionTests {
  private func error(_ change: (inout FetchRequest) throws -> Void) throws -> String {
    var request = FetchRequest(entity: "Recipe")
    try change(&request)
    let error = #expect(throws: QueryError.self) { try ResolvedRequest(request, in: Kitchen.resolved) }
    return error?.description ?? ""
  }

  @Test func `faults name the part of the request`() throws {
    #expect(try error { $0.entity = "Recipes" } == "there is no entity “Recipes”; did you mean “Recipe”?")
    #expect(try error { $0.limit = -1 } == "limit: -1 is negative; give 0 or more")
    #expect(try error { $0.offset = -2 } == "offset: -2 is negative; give 0 or more")
    #expect(try error { $0.timeZone = "Mars/Base" }.hasPrefix("time zone: “Mars/Base” is not known"))
    #expect(try error { $0.timeZone = "../etc/passwd" }.hasPrefix("time zone:"))
    #expect(
      try error { $0.sort = [SortTerm(path: ["name"]), try SortTerm(parsing: "type.nmae:desc")] }
        == "sort “type.nmae:desc”: RecipeType has no attribute or relationship “nmae”; did you mean “name”?")
    #expect(try error { $0.sort = [SortTerm(path: ["tags", "name"])] }.contains("leads to many values"))
    #expect(try error { $0.sort = [SortTerm(path: ["picture"])] }.contains("is data, which has no order"))
    #expect(try error { $0.sort = [SortTerm(path: [])] }.contains("a key path is expected"))
    #expect(try error { $0.section = SectionKey(path: ["extra"]) }.contains("no order"))
    #expect(
      try error { $0.section = SectionKey(path: ["servings"], transform: .day) }.contains("“day” is made of a date"))
    #expect(try error { $0.section = SectionKey(path: ["cookedAt"], transform: .initial) }.contains("made of a string"))
    #expect(try error { $0.section = try SectionKey(parsing: "type.day") }.contains("RecipeType has no"))
    #expect(
      try error { $0.section = try SectionKey(parsing: "name:other-last") }.contains("add “.initial” to the path"))
    #expect(
      try error { $0.section = try SectionKey(parsing: "cookedAt.day:other-first") }
        .hasPrefix("section “cookedAt.day:other-first”: “other-first” is the place of the section “#”"))
    #expect(
      try error { $0.sort = [try SortTerm(parsing: "due:nils-last")] }.hasPrefix("sort “due:nils-last”: Recipe has no"))
    #expect(try error { $0.shows = [["xyz"]] }.hasPrefix("shown “xyz”: Recipe has no"))
    let inFilter = try error { $0.filter = try Filter(parsing: "nmae == 1") }
    #expect(inFilter.hasPrefix("filter: Recipe has no attribute") && inFilter.hasSuffix("nmae == 1\n^"))
  }

  @Test func `text forms of sort terms and section keys`() throws {
    #expect(try SortTerm(parsing: "name") == SortTerm(path: ["name"]))
    #expect(try SortTerm(parsing: "type.name:desc") == SortTerm(path: ["type", "name"], .descending))
    #expect(try SortTerm(parsing: "type.name:ASC") == SortTerm(path: ["type", "name"]))
    #expect(try SortTerm(parsing: "type.name:desc").description == "type.name:desc")
    let cake = ObjectID(high: 7, low: 8)
    #expect(try SortTerm(parsing: "recipe:in:\(cake)") == SortTerm(placeIn: "recipe", of: cake))
    #expect(
      try SortTerm(parsing: "recipe:in:\(cake):desc") == SortTerm(placeIn: "recipe", of: cake, .descending))
    #expect(SortTerm(placeIn: "recipe", of: cake, .descending).description == "recipe:in:\(cake):desc")
    #expect(
      try SectionKey(parsing: "createdAt.day:desc")
        == SectionKey(path: ["createdAt"], transform: .day, direction: .descending))
    #expect(try SectionKey(parsing: "name.initial") == SectionKey(path: ["name"], transform: .initial))
    #expect(try SectionKey(parsing: "day") == SectionKey(path: ["day"]))
    #expect(try SortTerm(parsing: "servings:nils-last") == SortTerm(path: ["servings"], nils: .last))
    #expect(
      try SortTerm(parsing: "servings:desc:nils-first")
        == SortTerm(path: ["servings"], .descending, nils: .first))
    #expect(
      try SortTerm(parsing: "servings:nils-first:desc")
        == SortTerm(path: ["servings"], .descending, nils: .first))
    #expect(try SortTerm(parsing: "name:natural:NILS-LAST") == SortTerm(path: ["name"], order: .natural, nils: .last))
    #expect(try SortTerm(parsing: "recipe:in:\(cake):nils-last") == SortTerm(placeIn: "recipe", of: cake, nils: .last))
    #expect(
      try SectionKey(parsing: "name.initial:desc:nils-first:other-last")
        == SectionKey(path: ["name"], transform: .initial, direction: .descending, nils: .first, others: .last))
    #expect(try SectionKey(parsing: "type.name").description == "type.name")
    #expect(try SectionKey(parsing: "a.week:desc").description == "a.week:desc")
  }

  @Test(arguments: [
    ("", 1), (".a", 1), ("a.", 3), ("a..b", 3), ("a b", 2), ("1a", 1), ("a:up", 2), ("a.b:", 4), ("größe.é!", 8),
    ("a:desc:desc", 2), ("a:in:7", 2), ("a:in:", 2), ("a:nils", 2), ("a:nils-last:nils-last", 2), ("a:other-last", 2),
    ("a:nils-last:natural", 2),
  ])
  func `a wrong text form is told with its column`(text: String, column: Int) {
    let error = #expect(throws: QueryError.self) { try SortTerm(parsing: text) }
    #expect(error?.description.contains("at column \(column)\n") == true, "\(error?.description ?? "")")
  }

  @Test func `each sort term and section key is read from its own text`() throws {
    let paths = [["a"], ["a", "b"]]
    let orders: [StringOrder?] = [nil, .natural, .locale("sv")]
    let placements: [EndPlacement?] = [nil, .first, .last]
    for (path, isDescending, nils) in paths.flatMap({ path in
      [false, true].flatMap { down in placements.map { (path, down, $0) } }
    }) {
      for order in orders {
        let term = SortTerm(path: path, SortDirection(isDescending: isDescending), order: order, nils: nils)
        #expect(try SortTerm(parsing: term.description) == term)
      }
      let place = SortTerm(
        placeIn: "a", of: ObjectID(high: 1, low: 2), SortDirection(isDescending: isDescending), nils: nils)
      #expect(try SortTerm(parsing: place.description) == place)
      for (others, transform) in placements.flatMap({ others in SectionKey.Transform.allCases.map { (others, $0) } }) {
        let key = SectionKey(
          path: path, transform: transform, direction: SortDirection(isDescending: isDescending), nils: nils,
          others: others)
        #expect(try SectionKey(parsing: key.description) == key)
      }
    }
  }

  @Test func `a transform that is a field is the field`() throws {
    var request = FetchRequest(entity: "Recipe")
    request.section = try SectionKey(parsing: "cover.year")
    let resolved = try ResolvedRequest(request, in: Kitchen.resolved)
    #expect(resolved.section?.transform == SectionKey.Transform.none)
    #expect(resolved.section?.type == .integer)
  }

  @Test func `terms that say nothing new are left out`() throws {
    func termCount(_ texts: [String], section: SectionKey? = nil) throws -> Int {
      var request = FetchRequest(entity: "Recipe", section: section)
      request.sort = try texts.map { text throws(QueryError) in try SortTerm(parsing: text) }
      return try ResolvedRequest(request, in: Kitchen.resolved).terms.count
    }
    #expect(try termCount(["name", "name:desc"]) == 1)
    #expect(try termCount(["type", "type.id:desc", "name"]) == 2)
    #expect(try termCount(["name", "id"]) == 1)
    #expect(try termCount(["name", "id:desc"]) == 2)
    // Terms after the id sort nothing, but are keys of the row.
    #expect(try termCount(["name", "id", "servings"]) == 3)
    #expect(try termCount(["id:desc", "name"]) == 2)
    #expect(try termCount(["id"]) == 0)
    #expect(try termCount([], section: SectionKey(path: ["id"])) == 1)
    #expect(try termCount(["id", "name"], section: SectionKey(path: ["id"])) == 2)
    #expect(try termCount(["servings"], section: SectionKey(path: ["servings"])) == 1)
    #expect(try termCount(["name"], section: SectionKey(path: ["name"])) == 2)
    #expect(try termCount(["createdAt"], section: SectionKey(path: ["createdAt"], transform: .day)) == 2)
  }

  @Test func `the state of a row is made of the filter's paths and the shown ones, once each`() throws {
    let model = Kitchen.resolved
    var request = FetchRequest(entity: "Recipe", shows: [])
    #expect(try ResolvedRequest(request, in: model).statePaths.isEmpty)
    request.filter = try Filter(parsing: "ANY tags.name == 'x' OR ingredients.@sum.amount > 3 OR name == 'y'")
    request.sort = [SortTerm(path: ["changedAt"])]
    request.section = SectionKey(path: ["type", "name"])
    request.shows = [["cover"], ["tags"], ["name"]]
    let paths = try ResolvedRequest(request, in: model).statePaths
    let ends = paths.map { model.entities[$0.end].name }
    #expect(ends == ["Tag", "Ingredient", "Recipe", "Recipe", "Tag"])
    #expect(paths.map(\.isMany) == [true, true, false, false, true])
  }

  @Test func `all attributes and owned to-one links are shown unless the request says otherwise`() throws {
    let recipe = try ResolvedRequest(FetchRequest(entity: "Recipe"), in: Kitchen.resolved)
    #expect(recipe.shown.count == 12 + 2)
    #expect(!recipe.shown.contains { $0.field == .createdAt })
    let photo = try ResolvedRequest(FetchRequest(entity: "Photo"), in: Kitchen.resolved)
    #expect(photo.shown.count == 1)
  }
}
