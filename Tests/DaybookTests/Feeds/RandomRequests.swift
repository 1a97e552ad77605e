import Daybook
import DaybookTestSupport

/// Draws requests over a model.
///
/// They are filtered, sorted, sectioned, windowed, over related objects and derived values.
struct RandomRequests {
  var random: SeededRandom

  mutating func request(_ state: ReferenceState) -> PlainRequest {
    let model = state.model.whole
    let entity = random.pick(model.entities)
    let condition = random.isTrue(percent: 60) ? condition(entity, state, depth: 2) : nil
    var request = Request(entity: entity.name, filter: condition?.filter)
    for _ in 0..<random.number(0...3) { request.sort.append(sortTerm(entity, state)) }
    // The filter may test a sort path of the request.
    if let condition, random.isTrue(percent: 30) {
      let path = random.pick(condition.paths)
      if state.isOrdered(path, entity.name) {
        request.sort.insert(
          SortTerm(path: path, SortDirection(isDescending: random.isTrue(percent: 40))),
          at: random.number(0...request.sort.count))
      }
    }
    if random.isTrue(percent: 60) { section(&request, entity, state) }
    if random.isTrue(percent: 40) { request.offset = random.number(0...6) }
    if random.isTrue(percent: 40) { request.limit = random.number(0...12) }
    if random.isTrue(percent: 60) { request.shows = (0..<random.number(0...4)).map { _ in shown(entity, model) } }
    request.isExact = random.isTrue(percent: 10)
    return PlainRequest(request: request, condition: condition)
  }

  /// Draws any request, a request that an index covers, or a test for a value.
  mutating func liveRequest(_ state: ReferenceState) -> PlainRequest {
    switch random.number(0...9) {
    case 0...3: coveredRequest(state) ?? request(state)
    case 4...6: equalityRequest(state)
    default: request(state)
    }
  }

  /// Draws a request in the order of an index, over a stretch of it.
  ///
  /// Some of the index's first terms are fixed to a value, the next may be narrowed. The request may sort by the fixed
  /// ones too.
  private mutating func coveredRequest(_ state: ReferenceState) -> PlainRequest? {
    let model = state.model.whole
    let entities = model.entities.filter { !$0.indexes.isEmpty }
    guard !entities.isEmpty else { return nil }
    let entity = random.pick(entities)
    let terms = random.pick(entity.indexes).terms
    let fixedCount = random.isTrue(percent: 30) ? 0 : random.number(0...terms.count)
    var conditions = terms.prefix(fixedCount).map { fixing($0.path, entity, state) }
    if fixedCount < terms.count, random.isTrue(percent: 50) {
      conditions.append(narrowing(terms[fixedCount].path, entity, state))
    }
    if random.isTrue(percent: 10) { conditions.append(self.condition(entity, state, depth: 1)) }
    let condition = conditions.reduce(nil) { whole, part in whole.map { .both($0, part) } ?? part }
    var request = Request(entity: entity.name, filter: condition?.filter)
    let isTurned = random.isTrue(percent: 15)
    request.sort = terms.dropFirst(random.number(0...fixedCount)).map {
      SortTerm(path: $0.path, SortDirection(isDescending: $0.isDescending != isTurned))
    }
    // The order of the index with nil at the other end.
    if !request.sort.isEmpty, random.isTrue(percent: 15) { request.sort[0].nils = random.pick(EndPlacement.allCases) }
    if random.isTrue(percent: 10) { request.sort.append(sortTerm(entity, state)) }
    if random.isTrue(percent: 10) {
      request.sort += [
        SortTerm(path: ["id"], SortDirection(isDescending: random.isTrue(percent: 30))), sortTerm(entity, state),
      ]
    }
    if random.isTrue(percent: 15) { section(&request, entity, state) }
    if random.isTrue(percent: 30) { request.offset = random.number(0...6) }
    if random.isTrue(percent: 30) { request.limit = random.number(0...12) }
    if random.isTrue(percent: 40) { request.shows = (0..<random.number(0...2)).map { _ in shown(entity, model) } }
    request.isExact = random.isTrue(percent: 5)
    return PlainRequest(request: request, condition: condition)
  }

  private mutating func sortTerm(_ entity: Entity, _ state: ReferenceState) -> SortTerm {
    let path = ModelZoo.path(from: entity, in: state.model.whole, &random)
    let isText = state.type(of: path, entity.name) == .string
    return SortTerm(
      path: path, SortDirection(isDescending: random.isTrue(percent: 40)),
      order: isText && random.isTrue(percent: 30) ? random.pick(BackwardCollation.allOrders) : nil,
      nils: random.isTrue(percent: 25) ? random.pick(EndPlacement.allCases) : nil)
  }

  /// Draws a test that only one value passes, or nearly so.
  private mutating func fixing(_ path: [String], _ entity: Entity, _ state: ReferenceState) -> ReferenceCondition {
    let value = value(path, entity, state)
    switch random.number(0...9) {
    case 0...3: return .compare(path, .equal, value)
    case 4, 5: return .among(path, [value])
    case 6: return .among(path, [value, self.value(path, entity, state), value])
    case 7, 8: return state.hasOrder(path, entity.name) ? .between(path, value, value) : .among(path, [value])
    default: return narrowing(path, entity, state)
    }
  }

  /// Draws a test that a stretch of the values passes.
  private mutating func narrowing(_ path: [String], _ entity: Entity, _ state: ReferenceState) -> ReferenceCondition {
    let value = value(path, entity, state)
    guard state.hasOrder(path, entity.name) else { return .among(path, [value, self.value(path, entity, state)]) }
    if state.type(of: path, entity.name) == .string, random.isTrue(percent: 40) {
      guard case .string(let text) = value else { return .beginsWith(path, "") }
      let scalars = text.unicodeScalars
      let count = random.isTrue(percent: 70) ? random.number(0...min(3, scalars.count)) : scalars.count
      return .beginsWith(path, String(String.UnicodeScalarView(scalars.prefix(count))))
    }
    if random.isTrue(percent: 50) { return .between(path, value, self.value(path, entity, state)) }
    return .compare(path, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), value)
  }

  /// Draws a request with a test for a value of an existing object, and perhaps further tests.
  private mutating func equalityRequest(_ state: ReferenceState) -> PlainRequest {
    var plain = request(state)
    let entity = state.model.entity(plain.request.entity)!
    let path = ModelZoo.path(from: entity, in: state.model.whole, &random)
    let equality = equality(path, entity, state)
    let condition = plain.condition.map { random.isTrue(percent: 50) ? .both(equality, $0) : equality } ?? equality
    plain.condition = condition
    plain.request.filter = condition.filter
    return plain
  }

  private mutating func equality(_ path: [String], _ entity: Entity, _ state: ReferenceState) -> ReferenceCondition {
    .compare(path, .equal, value(path, entity, state))
  }

  /// Draws the value of an existing object at the end of a path, or any other value.
  private mutating func value(_ path: [String], _ entity: Entity, _ state: ReferenceState) -> Value {
    let ids = state.objects(of: entity.name)
    return ids.isEmpty || random.isTrue(percent: 20)
      ? random.value(state.type(of: path, entity.name)) : state.look(path, from: random.pick(ids), entity.name).0
  }

  private mutating func section(_ request: inout Request<StoredObject>, _ entity: Entity, _ state: ReferenceState) {
    let path =
      random.isTrue(percent: 15) ? ["entity"] : ModelZoo.path(from: entity, in: state.model.whole, &random)
    var key = SectionKey(path: path, direction: SortDirection(isDescending: random.isTrue(percent: 40)))
    switch state.type(of: path, entity.name) {
    case .date: key.transform = random.pick([.day, .day, .week, .month, .year, .none])
    case .string: key.transform = random.pick([.none, .none, .initial])
    default: break
    }
    if random.isTrue(percent: 25) { key.nils = random.pick(EndPlacement.allCases) }
    if key.transform == .initial, random.isTrue(percent: 50) { key.others = random.pick(EndPlacement.allCases) }
    if random.isTrue(percent: 20) { key.order = (0..<random.number(1...4)).map { _ in sectionName(key.transform) } }
    request.section = key
    request.timeZone = random.pick(["UTC", "Europe/Rome", "America/New_York", "Asia/Kathmandu"])
  }

  private mutating func sectionName(_ transform: SectionKey.Transform) -> String {
    switch transform {
    case .day: random.pick(["1970-01-01", "1970-01-05", "1969-12-31", ""])
    case .initial: random.pick(["A", "B", "#", "", "L", "\u{c9}", "E\u{301}"])
    default: random.pick(["a", "b", "0", "3", "7", "true", "", "1970", "1970-01", "\u{e9}", "e\u{301}"])
    }
  }

  /// Draws a path over relationships of any kind.
  private mutating func shown(_ entity: Entity, _ model: Model) -> [String] {
    var (path, entity): ([String], Entity) = ([], entity)
    while path.count < 3, !entity.relationships.isEmpty, random.isTrue(percent: 50) {
      let step = random.pick(entity.relationships)
      path.append(step.name)
      entity = model.entities.first { $0.name == step.target }!
      if random.isTrue(percent: 25) { return path }
    }
    return path + [random.pick(entity.attributes.map(\.name) + ["createdAt", "changedAt", "id"])]
  }

  private mutating func condition(_ entity: Entity, _ state: ReferenceState, depth: Int) -> ReferenceCondition {
    if depth > 0 {
      switch random.number(0...9) {
      case 0: return .not(condition(entity, state, depth: depth - 1))
      case 1, 2: return .both(condition(entity, state, depth: depth - 1), condition(entity, state, depth: depth - 1))
      case 3, 4: return .either(condition(entity, state, depth: depth - 1), condition(entity, state, depth: depth - 1))
      default: break
      }
    }
    if random.isTrue(percent: 5) {
      return .compare(
        ["entity"], random.pick([.equal, .notEqual]), .string(random.pick(state.model.whole.entities).name))
    }
    if random.isTrue(percent: 40), let condition = manyCondition(entity, state, depth: depth) { return condition }
    return comparison(entity, state)
  }

  private mutating func manyCondition(
    _ entity: Entity, _ state: ReferenceState, depth: Int
  ) -> ReferenceCondition? {
    let many = entity.relationships.filter(\.isMany)
    guard !many.isEmpty else { return nil }
    let relationship = random.pick(many)
    if depth > 0, random.isTrue(percent: 50) {
      let part = condition(state.model.entity(relationship.target)!, state, depth: depth - 1)
      return random.isTrue(percent: 50)
        ? .related(random.pick(Filter.Quantifier.allCases), relationship.name, part)
        : .countWhere(
          relationship.name, part, random.pick([.equal, .notEqual, .less, .greaterOrEqual]), Int64(random.number(0...3))
        )
    }
    if random.isTrue(percent: 50) {
      return .count(relationship.name, random.pick([.equal, .less, .greater]), Int64(random.number(0...3)))
    }
    let target = state.model.entity(relationship.target)!
    let attributes = target.attributes.filter {
      [.string, .integer, .boolean].contains(state.type(of: [$0.name], target.name))
    }
    guard !attributes.isEmpty else { return nil }
    let attribute = random.pick(attributes).name
    return .any(relationship.name, attribute, random.value(state.type(of: [attribute], target.name)))
  }

  private mutating func comparison(_ entity: Entity, _ state: ReferenceState) -> ReferenceCondition {
    let path = ModelZoo.path(from: entity, in: state.model.whole, &random)
    let type = state.type(of: path, entity.name)
    if random.isTrue(percent: 15) { return .compare(path, random.pick([.equal, .notEqual]), .null) }
    switch random.number(0...9) {
    case 0, 1: return fixing(path, entity, state)
    case 2, 3: return narrowing(path, entity, state)
    default: break
    }
    let equality: [Filter.Operator] = [.equal, .notEqual]
    let operation = random.pick(
      equality + (state.hasOrder(path, entity.name) ? [.less, .lessOrEqual, .greater, .greaterOrEqual] : []))
    return .compare(path, operation, random.value(type))
  }
}

extension ReferenceState {
  /// Returns whether filters can compare the values at the end of a path by size.
  fileprivate func hasOrder(_ path: [String], _ entity: String) -> Bool {
    ![.boolean, .uuid].contains(type(of: path, entity))
  }

  /// Returns whether a request can sort by a path, which must be to-one with ordered values.
  fileprivate func isOrdered(_ path: [String], _ entity: String) -> Bool {
    if let relationship = model.relationship(Side(entity, path[0])) {
      if relationship.isMany { return false }
      return path.count == 1 || isOrdered(Array(path.dropFirst()), relationship.target)
    }
    return ![.data, .codable].contains(type(of: path, entity))
  }

  /// Returns the type of the values at the end of a path.
  func type(of path: [String], _ entity: String) -> AttributeType {
    if let relationship = model.relationship(Side(entity, path[0])) {
      return path.count == 1 ? .uuid : type(of: Array(path.dropFirst()), relationship.target)
    }
    guard let attribute = model.attribute(path[0], of: entity) else {
      return path[0] == "id" ? .uuid : path[0] == "entity" ? .string : .date
    }
    switch attribute.derivation {
    case nil: return attribute.type!
    case .count: return .integer
    case .sum(let relationship, let source), .minimum(let relationship, let source),
      .maximum(let relationship, let source):
      return model.attribute(source, of: model.relationship(Side(entity, relationship))!.target)!.type!
    }
  }
}
