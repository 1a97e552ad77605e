import Daybook
import DaybookTestSupport

/// Draws requests over a model: filtered, sorted, sectioned, windowed, over related objects and derived values.
struct RandomRequests {
  var random: SeededRandom

  mutating func request(_ state: ReferenceState) -> PlainRequest {
    let model = state.model.model
    let entity = random.pick(model.entities)
    let condition = random.isTrue(percent: 60) ? condition(entity, state, depth: 2) : nil
    var request = FetchRequest(entity: entity.name, filter: condition?.filter)
    for _ in 0..<random.number(0...3) {
      request.sort.append(
        SortTerm(ModelZoo.path(from: entity, in: model, &random), isDescending: random.isTrue(percent: 40)))
    }
    if random.isTrue(percent: 60) { section(&request, entity, state) }
    if random.isTrue(percent: 40) { request.offset = random.number(0...6) }
    if random.isTrue(percent: 40) { request.limit = random.number(0...12) }
    if random.isTrue(percent: 60) { request.shows = (0..<random.number(0...4)).map { _ in shown(entity, model) } }
    return PlainRequest(request: request, condition: condition)
  }

  /// A request as ``request(_:)`` draws them, or one that an index of the model covers, or one that asks for a value.
  mutating func liveRequest(_ state: ReferenceState) -> PlainRequest {
    switch random.number(0...9) {
    case 0...3: coveredRequest(state) ?? request(state)
    case 4...6: equalityRequest(state)
    default: request(state)
    }
  }

  /// The order of an index, over a stretch of it: some of its first terms equal a value, the next may have a bound.
  private mutating func coveredRequest(_ state: ReferenceState) -> PlainRequest? {
    let entities = state.model.model.entities.filter { !$0.indexes.isEmpty }
    guard !entities.isEmpty else { return nil }
    let entity = random.pick(entities)
    let terms = random.pick(entity.indexes).terms
    let fixedCount = random.isTrue(percent: 50) ? 0 : random.number(0...(terms.count - 1))
    var conditions = terms.prefix(fixedCount).map { equality($0.path, entity, state) }
    if random.isTrue(percent: 30) {
      let path = terms[fixedCount].path
      if ![.boolean, .uuid].contains(state.type(of: path, entity.name)) {
        let value = random.value(state.type(of: path, entity.name))
        conditions.append(.compare(path, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), value))
      }
    }
    let condition = conditions.reduce(nil) { whole, part in whole.map { .both($0, part) } ?? part }
    var request = FetchRequest(entity: entity.name, filter: condition?.filter)
    request.sort = terms.dropFirst(fixedCount).map { SortTerm($0.path, isDescending: $0.isDescending) }
    if random.isTrue(percent: 30) { request.offset = random.number(0...6) }
    if random.isTrue(percent: 30) { request.limit = random.number(0...12) }
    if random.isTrue(percent: 40) {
      request.shows = (0..<random.number(0...2)).map { _ in shown(entity, state.model.model) }
    }
    return PlainRequest(request: request, condition: condition)
  }

  /// A request that asks for a value which some object has, and perhaps more.
  private mutating func equalityRequest(_ state: ReferenceState) -> PlainRequest {
    var plain = request(state)
    let entity = state.model.entity(plain.request.entity)!
    let path = ModelZoo.path(from: entity, in: state.model.model, &random)
    let equality = equality(path, entity, state)
    let condition = plain.condition.map { random.isTrue(percent: 50) ? .both(equality, $0) : equality } ?? equality
    plain.condition = condition
    plain.request.filter = condition.filter
    return plain
  }

  private mutating func equality(_ path: [String], _ entity: Entity, _ state: ReferenceState) -> ReferenceCondition {
    let ids = state.objects.filter { $0.value.entity == entity.name }.keys.sorted()
    let value =
      ids.isEmpty || random.isTrue(percent: 20)
      ? random.value(state.type(of: path, entity.name)) : state.look(path, from: random.pick(ids), entity.name).0
    return .compare(path, .equal, value)
  }

  private mutating func section(_ request: inout FetchRequest, _ entity: Entity, _ state: ReferenceState) {
    let path = ModelZoo.path(from: entity, in: state.model.model, &random)
    var key = SectionKey(path, isDescending: random.isTrue(percent: 40))
    switch state.type(of: path, entity.name) {
    case .date: key.transform = random.pick([.day, .day, .week, .month, .year, .none])
    case .string: key.transform = random.pick([.none, .none, .initial])
    default: break
    }
    if random.isTrue(percent: 20) { key.order = (0..<random.number(1...4)).map { _ in sectionName(key.transform) } }
    request.section = key
    request.timeZone = random.pick(["UTC", "Europe/Rome", "America/New_York", "Asia/Kathmandu"])
  }

  private mutating func sectionName(_ transform: SectionKey.Transform) -> String {
    switch transform {
    case .day: random.pick(["1970-01-01", "1970-01-05", "1969-12-31", ""])
    case .initial: random.pick(["A", "B", "#", "", "L"])
    default: random.pick(["a", "b", "0", "3", "7", "true", "", "1970", "1970-01"])
    }
  }

  /// A path over relationships of any kind.
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
    if random.isTrue(percent: 40), let condition = manyCondition(entity, state) { return condition }
    return comparison(entity, state)
  }

  private mutating func manyCondition(_ entity: Entity, _ state: ReferenceState) -> ReferenceCondition? {
    let many = entity.relationships.filter(\.isMany)
    guard !many.isEmpty else { return nil }
    let relationship = random.pick(many)
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
    let path = ModelZoo.path(from: entity, in: state.model.model, &random)
    let type = state.type(of: path, entity.name)
    if random.isTrue(percent: 15) { return .compare(path, random.pick([.equal, .notEqual]), .null) }
    let equality: [Filter.Operator] = [.equal, .notEqual]
    let hasOrder = ![.boolean, .uuid].contains(type)
    let operation = random.pick(equality + (hasOrder ? [.less, .lessOrEqual, .greater, .greaterOrEqual] : []))
    return .compare(path, operation, random.value(type))
  }
}

extension ReferenceState {
  /// The type of the values at the end of a path.
  func type(of path: [String], _ entity: String) -> AttributeType {
    if let relationship = model.relationship(Side(entity, path[0])) {
      return path.count == 1 ? .uuid : type(of: Array(path.dropFirst()), relationship.target)
    }
    guard let attribute = model.attribute(path[0], of: entity) else { return path[0] == "id" ? .uuid : .date }
    switch attribute.derivation {
    case nil: return attribute.type!
    case .count: return .integer
    case .sum(let relationship, let source), .minimum(let relationship, let source),
      .maximum(let relationship, let source):
      return model.attribute(source, of: model.relationship(Side(entity, relationship))!.target)!.type!
    }
  }
}
