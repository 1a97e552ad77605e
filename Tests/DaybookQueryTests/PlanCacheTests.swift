import DaybookTestSupport
import Testing

@testable import DaybookModel
@testable import DaybookQuery

/// Plans that are made from the plans of earlier requests.
@Suite(.hangLimit) struct PlanCacheTests {
  private func request(_ filter: String?, sort: [String] = ["createdAt"], limit: Int? = 20) throws -> FetchRequest {
    FetchRequest(
      entity: "Recipe", filter: try filter.map { text throws(QueryError) in try Filter(parsing: text) },
      sort: try sort.map { text throws(QueryError) in try SortTerm(parsing: text) }, limit: limit)
  }

  /// Returns the plan that is made from another request's plan, or `nil` if the cache would plan the request.
  private func plan(_ other: FetchRequest, after first: FetchRequest, in model: ResolvedModel = Kitchen.resolved) throws
    -> PlannedRequest?
  {
    let planned = try PlannedRequest(resolving: first, in: Kitchen.resolved)
    guard let shape = PlanShape(planned, in: Kitchen.resolved), shape.isShape(of: other, in: model) else { return nil }
    return shape.planned(other)
  }

  private func isShared(_ first: FetchRequest, _ other: FetchRequest) throws -> Bool {
    try plan(other, after: first) != nil
  }

  @Test func `requests that differ in constants, limit and offset have one plan`() throws {
    #expect(try isShared(request("createdAt >= 2026-01-02"), request("createdAt >= 2026-03-04")))
    #expect(try isShared(request("name == 'a'", sort: ["name"]), request("name == 'b'", sort: ["name"])))
    #expect(try isShared(request(nil), request(nil, limit: 30)))
    #expect(try isShared(request("servings > 1 AND vegan == true"), request("servings > 7 AND vegan == false")))
    var later = try request("createdAt >= 2026-03-04")
    later.offset = 40
    #expect(try isShared(request("createdAt >= 2026-01-02"), later))
    let id = "00000000-0000-0000-0000-000000000001"
    // A link to a given object is a plan of its own for each object.
    #expect(try !isShared(request("type == '\(id)'"), request("type == '\(id)'")))
  }

  @Test func `requests that may need different plans have none in common`() throws {
    let first = try request("servings > 1")
    for other in ["servings >= 1", "servings < 1", "servings > 2.5", "servings > nil", "price > 1", "1 < servings"] {
      #expect(try !isShared(first, request(other)), "\(other)")
    }
    #expect(try !isShared(first, request("servings > 1 AND vegan == true")))
    #expect(try !isShared(first, request("servings > 1 OR vegan == true")))
    #expect(try !isShared(first, request("servings > 1", sort: ["name"])))
    #expect(try !isShared(first, request("servings > 1", limit: nil)))
    #expect(try !isShared(first, request(nil)))
    #expect(try !isShared(request("servings IN {1}"), request("servings IN {1, 2}")))
    // A long key is cut, and then the condition is tested again.
    let long = String(repeating: "x", count: 600)
    #expect(try !isShared(request("name > 'a'", sort: ["name"]), request("name > '\(long)'", sort: ["name"])))
    // The collation key of a short string may be long.
    #expect(try !isShared(request("title > 'a'", sort: ["title"]), request("title > 'b'", sort: ["title"])))
    var zone = try request("servings > 1")
    zone.timeZone = "Europe/Rome"
    #expect(try !isShared(first, zone))
    var shown = try request("servings > 1")
    shown.shows = [["name"]]
    #expect(try !isShared(first, shown))
    let other = try ResolvedModel(creating: Kitchen.model)
    #expect(try plan(request("servings > 2"), after: first, in: other) == nil)
  }

  @Test func `grouped requests for all objects have one grouping and one plan, whatever their window is`() throws {
    func grouped(
      _ having: String?, filter: String? = nil, key: String = "vegan", limit: Int? = 20
    ) throws -> FetchRequest {
      var request = try request(filter, sort: [key], limit: limit)
      request.grouping = try Grouping(by: [key], showing: ["count", "max:servings"], having: having)
      return request
    }
    let first = try grouped("count > 1")
    var later = try grouped("count > 1", limit: 3)
    later.offset = 40
    later.now = Timestamp(microseconds: 1)
    let shared = try #require(try plan(later, after: first))
    let anew = try PlannedRequest(resolving: later, in: Kitchen.resolved)
    #expect(shared.request.request == later && shared.request.limit == 3 && shared.request.offset == 40)
    #expect(shared.plan.explanation == anew.plan.explanation)
    #expect(shared.request.filter != nil && shared.request.request.filter == nil)
    #expect(shared.request.grouping?.identity == anew.request.grouping?.identity)
    for other in try [
      grouped("count > 2"), grouped(nil), grouped("count > 1", key: "name"), grouped("count > 1", limit: nil),
      grouped("count > 1", filter: "servings > 1"),
    ] {
      #expect(try !isShared(first, other) && !isShared(other, first))
    }
    // The objects of the groups are chosen by constants, of which the grouping is made.
    let filtered = try grouped("count > 1", filter: "servings > 1")
    #expect(try !isShared(filtered, filtered))
    #expect(try !isShared(first, request(nil, sort: ["vegan"])))
  }

  @Test func `faults of a request are reported as without the cache`() throws {
    let cache = PlanCache()
    _ = try cache.plan(request("code == '00000000-0000-0000-0000-000000000001' OR vegan == true"), in: Kitchen.resolved)
    _ = try cache.plan(request("cookedAt > '2026-01-02'"), in: Kitchen.resolved)
    _ = try cache.plan(request("servings > 1"), in: Kitchen.resolved)
    for wrong in ["cookedAt > 'never'", "servings > 'two'", "serving > 1"] {
      let wanted = #expect(throws: QueryError.self) { try ResolvedRequest(request(wrong), in: Kitchen.resolved) }
      let error = #expect(throws: QueryError.self) { try cache.plan(request(wrong), in: Kitchen.resolved) }
      #expect(error.map { "\($0)" } == wanted.map { "\($0)" }, "\(wrong)")
    }
    #expect(throws: QueryError.self) { try cache.plan(request("servings > 1", limit: -1), in: Kitchen.resolved) }
  }

  @Test func `the cache holds a limited number of plans, all of one model`() throws {
    let cache = PlanCache()
    var request = try request("servings > 1")
    for count in 1...(2 * PlanCache.maximumCount) {
      request.shows = Array(repeating: ["name"], count: count)
      _ = try cache.plan(request, in: Kitchen.resolved)
      _ = try cache.plan(request, in: Kitchen.resolved)
      #expect(cache.count == min(count, PlanCache.maximumCount))
    }
    _ = try cache.plan(request, in: ResolvedModel(creating: Kitchen.model))
    #expect(cache.count == 1)
  }

  /// Returns the request with other constants, and often another window.
  private static func varied(_ request: FetchRequest, _ generator: inout SeededRandom) -> FetchRequest {
    var request = request
    request.filter = request.filter.map { Filter(varied($0.node, &generator), depth: $0.depth) }
    if request.limit != nil, generator.isOneIn(2) { request.limit = generator.number(0..<6) }
    if generator.isOneIn(3) { request.offset = generator.number(0..<6) }
    return request
  }

  private static func varied(_ node: Filter.Node, _ generator: inout SeededRandom) -> Filter.Node {
    switch node {
    case .constant: return node
    case .related(let quantifier, let objects):
      let condition = Filter(varied(objects.condition, &generator), depth: objects.depth - 1)
      return .related(quantifier, Filter.RelatedObjects(at: objects.path, where: condition))
    case .not(let inner): return .not(varied(inner, &generator))
    case .all(let parts): return .all(parts.map { varied($0, &generator) })
    case .any(let parts): return .any(parts.map { varied($0, &generator) })
    case .comparison(let test):
      guard case .value(let value) = test.right.form, let type = value.literalType, !generator.isOneIn(4) else {
        return node
      }
      // With a value of another type the request has a fault, or another plan.
      let other = Randomness.value(
        generator.isOneIn(12) ? generator.pick([.integer, .double, .string]) : type, &generator)
      return .comparison(
        Filter.Comparison(
          quantifier: test.quantifier, left: test.left, operation: test.operation, options: test.options,
          right: .value(other)))
    }
  }

  @Test func `a plan of the cache is the plan without the cache, and has the right rows`() throws {
    var sharedCount = 0
    try SeededRandom.run(Rounds.of(150)) { generator in
      let seed = generator.seed
      let models = [try RandomPlanTests.model(&generator), try RandomPlanTests.model(&generator)]
      var shelves = [
        try IndexShelf(Randomness.world(models[0], &generator)),
        try IndexShelf(Randomness.world(models[1], &generator)),
      ]
      var requests = (0..<4).map { _ in RandomPlanTests.request(models[0], &generator) }
      for index in 0..<4 {
        // Conjunctions of comparisons along an index, which most plans of a program are.
        requests[index].filter = .all(
          (0..<generator.number(0..<3)).map { _ in
            Randomness.narrowing(
              generator.pick([["name"], ["servings"], ["createdAt"], ["price"], ["cost"], ["code"], ["type"]]),
              models[0], &generator)
          })
      }
      requests += (0..<2).map { _ in RandomPlanTests.request(models[0], &generator) }
      let cache = PlanCache()
      var number = 0
      for _ in 0..<60 {
        if generator.isOneIn(10) { number = 1 - number }
        let model = models[number]
        let request = Self.varied(generator.pick(requests), &generator)
        let wanted: PlannedRequest
        do {
          wanted = PlannedRequest(try ResolvedRequest(request, in: model), in: model)
        } catch {
          #expect(throws: QueryError.self, "seed \(seed)") { try cache.plan(request, in: model) }
          continue
        }
        let count = cache.count
        let planned = try cache.plan(request, in: model)
        if cache.count == count { sharedCount += 1 }
        let words = "\(wanted.plan.explanation) for \(request.filter?.description ?? ""), seed \(seed)"
        #expect(planned.plan.explanation == wanted.plan.explanation, "\(words)")
        #expect("\(planned.plan.access)" == "\(wanted.plan.access)", "\(words)")
        #expect(planned.plan.canStopEarly == wanted.plan.canStopEarly, "\(words)")
        #expect(planned.request.statePaths == wanted.request.statePaths, "\(words)")
        let rows = try sortedRows(wanted.request, &shelves[number].world).map(\.id)
        let expected = Array(rows.dropFirst(request.offset).prefix(request.limit ?? .max))
        #expect(try shelves[number].answer(planned.request, planned.plan) == expected, "\(words)")
      }
    }
    #expect(sharedCount > 0)
  }
}
