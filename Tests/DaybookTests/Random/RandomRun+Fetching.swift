import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook
@testable import DaybookRuntime

/// Comparisons of the results of random requests.
extension RandomRun {
  func checkFetch(_ state: ReferenceState, _ fetch: (Request<StoredObject>) throws -> Results<StoredObject>) throws {
    let model = state.model.whole
    let entity = random.pick(model.entities)
    var request = Request(entity: entity.name)
    let condition = random.isTrue(percent: 60) ? self.condition(entity, model, depth: 2) : nil
    request.filter = condition?.filter
    if random.isTrue(percent: 50), !entity.indexes.isEmpty {
      let isTurned = random.isTrue(percent: 30)
      request.sort = random.pick(entity.indexes).terms.map {
        SortTerm(path: $0.path, SortDirection(isDescending: $0.isDescending != isTurned))
      }
      // The order of the index with nil at the other end.
      if random.isTrue(percent: 20) { request.sort[0].nils = random.pick(EndPlacement.allCases) }
    } else {
      for _ in 0..<random.number(0...3) {
        request.sort.append(
          SortTerm(
            path: ModelZoo.path(from: entity, in: model, &random),
            SortDirection(isDescending: random.isTrue(percent: 40)),
            nils: random.isTrue(percent: 20) ? random.pick(EndPlacement.allCases) : nil))
      }
    }
    if random.isTrue(percent: 30) {
      request.offset = random.number(0...5)
      request.limit = random.number(0...10)
    }
    request.isExact = random.isTrue(percent: 10)
    let wanted = state.fetch(
      entity.name, where: condition, sort: request.sort, offset: request.offset, limit: request.limit,
      isExact: request.isExact)
    let there = try fetch(request).rows.map(\.id)
    guard there == wanted else {
      throw Mismatch(
        "\(request.isExact ? "only " : "")\(request.entity) where \(request.filter.map { "\($0)" } ?? "-") by \(request.sort) offset \(request.offset) limit \(request.limit.map { "\($0)" } ?? "-"): \(there) instead of \(wanted)"
      )
    }
  }

  private func condition(_ entity: Entity, _ model: Model, depth: Int) -> ReferenceCondition {
    switch random.number(0...9) {
    case 0 where depth > 0: return .not(condition(entity, model, depth: depth - 1))
    case 1, 2:
      if depth > 0 {
        return .both(condition(entity, model, depth: depth - 1), condition(entity, model, depth: depth - 1))
      }
    case 3 where depth > 0:
      return .either(condition(entity, model, depth: depth - 1), condition(entity, model, depth: depth - 1))
    case 6 where depth > 0:
      if let relationship = entity.relationships.filter(\.isMany).randomElement(using: &random) {
        let target = model.entities.first { $0.name == relationship.target }!
        let part = condition(target, model, depth: depth - 1)
        return random.isTrue(percent: 50)
          ? .related(random.pick(Filter.Quantifier.allCases), relationship.name, part)
          : .countWhere(relationship.name, part, random.pick([.equal, .less, .greater]), Int64(random.number(0...3)))
      }
    case 4:
      if let relationship = entity.relationships.filter(\.isMany).randomElement(using: &random) {
        return .count(relationship.name, random.pick([.equal, .less, .greater]), Int64(random.number(0...3)))
      }
    case 5:
      if let relationship = entity.relationships.filter(\.isMany).randomElement(using: &random) {
        let target = model.entities.first { $0.name == relationship.target }!
        let attributes = target.attributes.filter { $0.type == .string || $0.type == .integer }
        if let attribute = attributes.randomElement(using: &random) {
          return .any(relationship.name, attribute.name, random.value(attribute.type!))
        }
      }
    default: break
    }
    let comparable = entity.attributes.filter {
      $0.derivation == nil && [.string, .integer, .double, .boolean, .date, .decimal].contains($0.type)
    }
    guard let attribute = comparable.randomElement(using: &random) else {
      return .compare(["createdAt"], .lessOrEqual, .date(clock.now))
    }
    if random.isTrue(percent: 5) { return .compare(["entity"], .equal, .string(random.pick(model.entities).name)) }
    if random.isTrue(percent: 15) { return .compare([attribute.name], random.pick([.equal, .notEqual]), .null) }
    let value = random.value(attribute.type!)
    switch random.number(0...9) {
    case 0: return .among([attribute.name], [value])
    case 1: return .among([attribute.name], [value, random.value(attribute.type!)])
    case 2 where attribute.type != .boolean:
      return .between([attribute.name], value, random.isTrue(percent: 50) ? value : random.value(attribute.type!))
    case 3:
      if case .string(let text) = value { return .beginsWith([attribute.name], String(text.prefix(2))) }
    default: break
    }
    let operations: [Filter.Operator] =
      attribute.type == .boolean
      ? [.equal, .notEqual] : [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    return .compare([attribute.name], random.pick(operations), value)
  }
}
