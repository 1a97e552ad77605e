import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct SectionTests {
  /// Returns the section names of recipes with these values, in the order of the request.
  private func sections(
    _ field: String, _ values: [Value], _ key: SectionKey, timeZone: String = "UTC", sort: [SortTerm] = []
  ) throws -> [String] {
    var world = World()
    for value in values { _ = world.add("Recipe", [field: value]) }
    let request = FetchRequest(entity: "Recipe", sort: sort, section: key, timeZone: timeZone)
    let resolved = try ResolvedRequest(request, in: Kitchen.resolved)
    return try sortedRows(resolved, &world).map { resolved.sectionName(of: $0.values) }
  }

  private func date(_ text: String) -> Value { .date(Timestamp(text)!) }

  @Test func `days, weeks, months and years in UTC`() throws {
    let values = ["2025-12-29", "2026-01-02T23:59:59.999999Z", "2026-01-03", "2024-02-29", "1969-12-31T23:00:00Z"].map(
      date)
    func names(_ transform: SectionKey.Transform) throws -> [String] {
      try sections("cookedAt", values, SectionKey(path: ["cookedAt"], transform: transform))
    }
    #expect(try names(.day) == ["1969-12-31", "2024-02-29", "2025-12-29", "2026-01-02", "2026-01-03"])
    #expect(try names(.week) == ["1970-W01", "2024-W09", "2026-W01", "2026-W01", "2026-W01"])
    #expect(try names(.month) == ["1969-12", "2024-02", "2025-12", "2026-01", "2026-01"])
    #expect(try names(.year) == ["1969", "2024", "2025", "2026", "2026"])
  }

  @Test func `days begin at midnight of the time zone`() throws {
    let values = [
      "2026-01-01T22:59:59.999999Z", "2026-01-01T23:00:00Z", "2026-06-30T21:59:59Z", "2026-06-30T22:00:00Z",
    ].map(date)
    let key = SectionKey(path: ["cookedAt"], transform: .day)
    #expect(
      try sections("cookedAt", values, key, timeZone: "Europe/Rome") == [
        "2026-01-01", "2026-01-02", "2026-06-30", "2026-07-01",
      ])
    #expect(
      try sections("cookedAt", values, key, timeZone: "America/New_York")
        == ["2026-01-01", "2026-01-01", "2026-06-30", "2026-06-30"])
  }

  @Test func `no time is too far away for a time zone`() throws {
    let values: [Value] = [.min, .max, 0].map { .date(Timestamp(microseconds: $0)) }
    for zone in ["Europe/Rome", "America/St_Johns", "GMT+14"] {
      let names = try sections("cookedAt", values, SectionKey(path: ["cookedAt"], transform: .day), timeZone: zone)
      #expect(names.count == 3)
    }
  }

  @Test func `the state of a row has the section as it is transformed`() throws {
    var world = World()
    let id = world.add("Recipe", ["cookedAt": date("2026-01-02T10:00:00Z"), "name": "x"])
    let key = SectionKey(path: ["cookedAt"], transform: .day)
    let filter = try Filter(parsing: "ANY tags.name == 'x' OR name == 'x'")
    let request = FetchRequest(entity: "Recipe", filter: filter, section: key, shows: [["type"]])
    let resolved = try ResolvedRequest(request, in: Kitchen.resolved)
    let object = ObjectKey(entity: 0, id: id)
    let before = try resolved.sortValues(of: object, in: &world)
    world.set(id, "cookedAt", date("2026-01-02T11:00:00Z"))
    #expect(try resolved.sortValues(of: object, in: &world) == before)
    #expect(try resolved.statePaths.map { try $0.values(of: object, in: &world) } == [[], ["x"], [nil]])
    #expect(resolved.sectionName(of: before) == "2026-01-02")
  }

  @Test func `years beyond four digits sort by time`() throws {
    let values = [
      date("+10000-01-08"), date("-0001-05-05"), date("9999-12-31"), .date(Timestamp(microseconds: .max)),
      .date(Timestamp(microseconds: .min)),
    ]
    for transform in [SectionKey.Transform.day, .week, .month, .year] {
      let names = try sections(
        "cookedAt", values, SectionKey(path: ["cookedAt"], transform: transform), timeZone: "UTC")
      #expect(names.map { $0.prefix(4) } == ["-290", "-000", "9999", "+100", "+294"])
    }
  }

  @Test func `null and the empty string are one section, first or last`() throws {
    let values: [Value] = ["b", "", nil, "a", "", nil]
    #expect(try sections("name", values, SectionKey(path: ["name"])) == ["", "", "", "", "a", "b"])
    #expect(
      try sections("name", values, SectionKey(path: ["name"], direction: .descending)) == ["b", "a", "", "", "", ""])
    #expect(
      try sections("name", values, SectionKey(path: ["name"], transform: .initial)) == ["", "", "", "", "A", "B"])
    var world = World()
    for (name, servings) in [("", 3), (nil, 2), ("", 1), (nil, 4)] as [(Value, Value)] {
      _ = world.add("Recipe", ["name": name, "servings": servings])
    }
    let request = FetchRequest(
      entity: "Recipe", sort: [SortTerm(path: ["servings"])], section: SectionKey(path: ["name"]))
    let rows = try sortedRows(ResolvedRequest(request, in: Kitchen.resolved), &world)
    #expect(rows.map { $0.values[1] } == [1, 2, 3, 4])
  }

  @Test func `initials`() throws {
    let values: [Value] = ["apple", "Äpfel", "é", "e\u{301}a", "9", "!", "ß", "🍰", "şeker", "абв"]
    let names = try sections("name", values, SectionKey(path: ["name"], transform: .initial))
    #expect(
      names.map { Array($0.utf8) } == ["#", "#", "#", "A", "SS", "Ä", "É", "É", "Ş", "А"].map { Array($0.utf8) })
  }

  @Test func `composed and decomposed initials are one section`() throws {
    // A letter, its decomposed forms, and a letter whose upper case composes with the next scalar.
    let forms = [
      ["é", "e\u{301}", "É", "E\u{301}"], ["\u{1e69}", "s\u{323}\u{307}", "s\u{307}\u{323}"], ["\u{1fb3}", "α\u{345}"],
    ]
    for values in forms {
      let names = try sections("name", values.map { .string($0) }, SectionKey(path: ["name"], transform: .initial))
      #expect(Set(names.map { Array($0.utf8) }).count == 1, "\(values)")
    }
  }

  @Test func `section orders are equal if their bytes are`() {
    func key(_ order: [String]?) -> SectionKey { SectionKey(path: ["name"], order: order) }
    #expect(key(["\u{e9}"]) != key(["e\u{301}"]))
    #expect(Set([key(["\u{e9}"]), key(["e\u{301}"]), key(["\u{e9}"]), key(nil), key([])]).count == 4)
    #expect(
      FetchRequest(entity: "Recipe", section: key(["\u{e9}"]))
        != FetchRequest(entity: "Recipe", section: key(["e\u{301}"])))
  }

  @Test func `values of other types are their text`() throws {
    #expect(try sections("servings", [10, 9, nil, -1], SectionKey(path: ["servings"])) == ["", "-1", "9", "10"])
    #expect(
      try sections("vegan", [true, false], SectionKey(path: ["vegan"], direction: .descending)) == ["true", "false"])
    #expect(try sections("cookedAt", [date("2026-01-02")], SectionKey(path: ["cookedAt"])) == ["2026-01-02T00:00:00Z"])
    #expect(try sections("price", [2.5], SectionKey(path: ["price"])) == ["2.5"])
    let id = ObjectID(high: 1, low: 1)
    #expect(try sections("code", [.uuid(id)], SectionKey(path: ["code"])) == [id.description])
  }

  @Test func `a to-one relationship gives sections by id`() throws {
    var world = World()
    let type = world.add("RecipeType")
    let recipes = (0..<2).map { _ in world.add("Recipe") }
    world.relate(recipes[0], "type", to: type)
    for path in [["type"], ["type", "id"]] {
      let request = FetchRequest(entity: "Recipe", section: SectionKey(path: path))
      let resolved = try ResolvedRequest(request, in: Kitchen.resolved)
      let rows = try sortedRows(resolved, &world)
      #expect(rows.map { resolved.sectionName(of: $0.values) } == ["", type.description])
    }
  }

  @Test func `sections of an explicit order come first, the others by value`() throws {
    let values: [Value] = ["a", "b", "c", "d", nil]
    func names(_ order: [String], isDescending: Bool = false) throws -> [String] {
      try sections(
        "name", values, SectionKey(path: ["name"], direction: SortDirection(isDescending: isDescending), order: order))
    }
    #expect(try names(["d", "b"]) == ["d", "b", "", "a", "c"])
    #expect(try names(["c", ""]) == ["c", "", "a", "b", "d"])
    #expect(try names(["d", "d", "d", "b"]) == ["d", "b", "", "a", "c"])
    #expect(try names(["d", "b"], isDescending: true) == ["c", "a", "", "b", "d"])
    #expect(try names([]) == ["", "a", "b", "c", "d"])
  }

  @Test func `the section of nil comes first or last as it is placed`() throws {
    let values: [Value] = ["b", "", nil, "a"]
    func names(_ text: String, order: [String]? = nil) throws -> [String] {
      var key = try SectionKey(parsing: text)
      key.order = order
      return try sections("name", values, key)
    }
    #expect(try names("name:nils-last") == ["a", "b", "", ""])
    #expect(try names("name:nils-first") == ["", "", "a", "b"])
    #expect(try names("name:desc:nils-first") == ["", "", "b", "a"])
    #expect(try names("name:desc:nils-last") == ["b", "a", "", ""])
    // It is placed among the sections that are not listed.
    #expect(try names("name:nils-last", order: ["b"]) == ["b", "a", "", ""])
    #expect(try names("name:nils-last", order: [""]) == ["", "", "a", "b"])
    #expect(try names("name:desc:nils-last", order: ["b"]) == ["a", "", "", "b"])
    let days = try sections(
      "cookedAt", [nil, date("2026-01-02")], SectionKey(path: ["cookedAt"], transform: .day, nils: .last))
    #expect(days == ["2026-01-02", ""])
  }

  @Test func `the section of other initials comes first or last as it is placed`() throws {
    let values: [Value] = ["b", "9", "", "a", "é"]
    func names(_ text: String, order: [String]? = nil) throws -> [String] {
      var key = try SectionKey(parsing: text)
      key.order = order
      return try sections("name", values, key)
    }
    #expect(try names("name.initial") == ["", "#", "A", "B", "É"])
    #expect(try names("name.initial:other-first") == ["", "#", "A", "B", "É"])
    #expect(try names("name.initial:other-last") == ["", "A", "B", "É", "#"])
    #expect(try names("name.initial:other-last:nils-last") == ["A", "B", "É", "#", ""])
    #expect(try names("name.initial:nils-last") == ["#", "A", "B", "É", ""])
    #expect(try names("name.initial:desc:other-last") == ["É", "B", "A", "#", ""])
    #expect(try names("name.initial:desc:other-first") == ["#", "É", "B", "A", ""])
    #expect(try names("name.initial:desc:other-first:nils-first") == ["", "#", "É", "B", "A"])
    #expect(try names("name.initial:other-last", order: ["B", "#"]) == ["B", "#", "", "A", "É"])
  }

  @Test func `section keys are equal if they place the same sections alike`() throws {
    let texts = ["name.initial", "name.initial:nils-last", "name.initial:other-last", "name.initial:desc:other-last"]
    let keys = try texts.map { text throws(QueryError) in try SectionKey(parsing: text) }
    #expect(Set(keys).count == texts.count)
    #expect(keys.map(\.description) == texts)
  }

  @Test func `a natural order sorts sections, and strings that differ are different sections`() throws {
    let values: [Value] = ["f10", "f9", "f09"]
    #expect(try sections("file", values, SectionKey(path: ["file"])) == ["f09", "f9", "f10"])
    #expect(try sections("title", ["B", "a", "b"], SectionKey(path: ["title"])) == ["a", "B", "b"])
  }
}
