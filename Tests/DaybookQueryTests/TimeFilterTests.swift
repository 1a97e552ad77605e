import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct TimeFilterTests {
  private static let noon = Timestamp("2026-06-01T12:00:00Z")!

  /// A text and its canonical text.
  static let texts: [(String, String)] = [
    ("cookedAt < now", "cookedAt < now"), ("cookedAt<now+2d", "cookedAt < now + 2d"),
    ("cookedAt >= now  -  90m AND name == 'x'", "cookedAt >= now - 90m AND name == \"x\""),
    ("@now > cookedAt", "@now > cookedAt"), ("cookedAt < @now+0s", "cookedAt < @now"),
    ("cookedAt < now + 0w", "cookedAt < now"), ("cookedAt < now + 48h", "cookedAt < now + 2d"),
    ("cookedAt < now - 14d", "cookedAt < now - 2w"), ("cookedAt < now + 61s", "cookedAt < now + 61s"),
    ("COUNT(a WHERE b < now + 1h) > 1", "COUNT(a WHERE b < now + 1h) > 1"),
    ("ANY a WHERE (b < @now - 1h)", "ANY a WHERE (b < @now - 1h)"), ("now == 1", "now == 1"),
    ("now.a == 1", "now.a == 1"),
  ]

  @Test(arguments: texts) func `a time parses, and its text parses to an equal filter`(
    text: String, canonical: String
  ) throws {
    let filter = try Filter(parsing: text)
    #expect(filter.description == canonical)
    #expect(try Filter(parsing: canonical) == filter)
  }

  /// A text, the faulty column, and a part of the message.
  static let faults: [(String, Int, String)] = [
    ("cookedAt < now + 2", 18, "a unit"), ("cookedAt < now +", 17, "a unit"), ("cookedAt < now - d", 18, "a unit"),
    ("cookedAt < now + 1.5h", 18, "a unit"), ("cookedAt < now + 2days", 18, "a unit"),
    ("cookedAt < now + 2d + 1h", 21, "not a number"), ("cookedAt < now + 2D", 18, "a unit"),
    ("cookedAt < now + 99999999999999w", 18, "longer than"),
    ("cookedAt < now + 99999999999999999999s", 18, "longer than"), ("cookedAt < @then", 12, "“@then” is not known"),
    ("cookedAt < @", 12, "“@” is not known"), ("cookedAt IN {now}", 14, "in no list"),
    ("cookedAt BETWEEN {@now, 2026-01-01}", 19, "in no list"), ("@now, name == 'x'", 1, "only key paths"),
    ("cookedAt < now.x", 12, "no attribute"),
    ("now < @now", 1, "compared with a path"), ("4 < now", 1, "“4” is none"), ("name == now", 1, "“name” is none"),
    ("now - 1d > servings", 12, "“servings” is none"), ("tags.@count < now", 1, "“tags.@count” is none"),
    ("name BEGINSWITH now", 17, "does not compare"), ("cookedAt ==[c] now", 1, "strings"),
    ("ANY tags WHERE (name == 'x' AND now < name)", 39, "“name” is none"),
  ]

  @Test(arguments: faults) func `a fault of a time is reported with its column`(
    text: String, column: Int, part: String
  ) throws {
    let error = #expect(throws: QueryError.self) {
      _ = try ResolvedFilter(Filter(parsing: text), entity: 0, in: Kitchen.resolved, at: Self.noon)
    }
    #expect(error?.column == column, "\(error?.description ?? "")")
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `without a time the word is refused at its column`() throws {
    for text in ["name == 'x' AND cookedAt < now + 2d", "name == 'x' AND cookedAt < @now"] {
      let error = #expect(throws: QueryError.self) {
        _ = try ResolvedFilter(Filter(parsing: text), entity: 0, in: Kitchen.resolved)
      }
      #expect(error?.column == 28)
      #expect(error?.message.contains("must not depend on the time") == true)
    }
  }

  @Test func `a field called now wins the plain word`() throws {
    let model = try ResolvedModel(
      creating: Model(entities: [
        Entity(
          name: "Watch", nameAttribute: "name",
          attributes: [
            Attribute(name: "name", type: .string), Attribute(name: "now", type: .date),
            Attribute(name: "due", type: .date),
          ])
      ]))
    func resolve(_ text: String) throws -> ResolvedFilter {
      try ResolvedFilter(Filter(parsing: text), entity: 0, in: model, at: Self.noon)
    }
    #expect(try resolve("due < now").node.turningPoints.isEmpty)
    #expect(try resolve("due < @now").node.turningPoints.count == 1)
    let error = #expect(throws: QueryError.self) { try resolve("due < now + 1d") }
    #expect(error?.column == 7 && error?.message.contains("@now") == true)
  }

  @Test func `distances beyond all times are the greatest one, and keep their text`() throws {
    for time in [
      RelativeTime.present + .weeks(.max), .present - .weeks(.max), .present + .days(.min),
      .present + .weeks(.max) + .weeks(.max),
    ] {
      let filter = Filter(.path("cookedAt"), .less, time)
      #expect(try Filter(parsing: filter.description) == filter)
      _ = try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved, at: Timestamp(microseconds: .max))
    }
  }

  /// Tests, with the distances from a date to the moments at which they turn, in microseconds.
  static let turns: [(String, Set<Int64>)] = [
    ("cookedAt < now", [1]), ("cookedAt <= now", [0]), ("cookedAt > now", [0]), ("cookedAt >= now", [1]),
    ("cookedAt == now", [0, 1]), ("cookedAt != now", [0, 1]), ("now > cookedAt", [1]),
    ("now + 1s >= cookedAt", [-1_000_000]),
    ("NOT (cookedAt < now - 1s OR name == 'x')", [1_000_001]), ("name == 'x'", []),
  ]

  @Test(arguments: turns) func `a test turns at its moments and at no other`(text: String, shifts: Set<Int64>) throws {
    let date = Int64(1_000_000_000)
    var world = World(Kitchen.resolved)
    let thing = world.add("Recipe", ["cookedAt": .date(Timestamp(microseconds: date))])
    let filter = try Filter(parsing: text)
    func isMet(at time: Int64) throws -> Bool {
      try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved, at: Timestamp(microseconds: time))
        .matches(ObjectKey(entity: 0, id: thing), in: &world)
    }
    let resolved = try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved, at: Self.noon)
    var moments: Set<Int64> = []
    for point in resolved.node.turningPoints {
      moments.formUnion(try point.moments(of: ObjectKey(entity: 0, id: thing), in: &world).map(\.microseconds))
    }
    #expect(moments == Set(shifts.map { $0 + date }))
    for center in [date, date - 1_000_000, date + 1_000_000] {
      for time in (center - 3)...(center + 3) {
        #expect(try (isMet(at: time) != isMet(at: time - 1)) == moments.contains(time))
      }
    }
  }

  @Test func `an index on the date path is read in the range up to the time`() throws {
    var request = FetchRequest(entity: "Recipe", filter: try Filter(parsing: "createdAt < now - 1d"))
    request.now = Self.noon
    let planned = try PlanCache().plan(request, in: Kitchen.resolved)
    #expect(planned.plan.explanation.contains("range createdAt"), "\(planned.plan.explanation)")
    for turning in planned.request.turning(after: Self.noon, through: Timestamp(microseconds: .max)) {
      #expect(Planner.plan(turning, in: Kitchen.resolved).explanation.contains("range createdAt"))
    }
  }
}
