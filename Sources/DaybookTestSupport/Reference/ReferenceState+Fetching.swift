import Daybook
import DaybookModel
import DaybookQuery

/// A condition that the store evaluates as a filter and the reference in its dictionaries.
package indirect enum ReferenceCondition: Sendable {
  case compare([String], Filter.Operator, Value)
  /// The value is one of these.
  case among([String], [Value])
  /// The value is at least the first and at most the second.
  case between([String], Value, Value)
  /// The value is a string that begins with these bytes.
  case beginsWith([String], String)
  /// At least one target of a to-many relationship has this value.
  case any(String, String, Value)
  case count(String, Filter.Operator, Int64)
  /// At least one target of a to-many relationship meets a condition, each does, or none.
  case related(Filter.Quantifier, String, ReferenceCondition)
  /// The number of targets that meet a condition.
  case countWhere(String, ReferenceCondition, Filter.Operator, Int64)
  case not(ReferenceCondition)
  case both(ReferenceCondition, ReferenceCondition)
  case either(ReferenceCondition, ReferenceCondition)

  package var filter: Filter {
    switch self {
    case .compare(let path, let operation, let value):
      Filter(.path(path.joined(separator: ".")), operation, .value(value))
    case .among(let path, let values): Filter(.path(path.joined(separator: ".")), .among, .values(values))
    case .between(let path, let low, let high):
      Filter(.path(path.joined(separator: ".")), .between, .values([low, high]))
    case .beginsWith(let path, let text):
      Filter(.path(path.joined(separator: ".")), .beginsWith, .value(.string(text)))
    case .any(let relationship, let attribute, let value):
      Filter(.path("\(relationship).\(attribute)"), .equal, .value(value), quantifier: .any)
    case .count(let relationship, let operation, let number):
      Filter(.path("\(relationship).@count"), operation, .value(.integer(number)))
    case .related(let quantifier, let relationship, let part):
      Filter(quantifier, of: relationship, where: part.filter)
    case .countWhere(let relationship, let part, let operation, let number):
      Filter(.count(relationship, where: part.filter), operation, .value(.integer(number)))
    case .not(let part): !part.filter
    case .both(let a, let b): a.filter && b.filter
    case .either(let a, let b): a.filter || b.filter
    }
  }
}

extension ReferenceState {
  /// Returns the expected ids of a request with a condition and sort terms.
  package func fetch(
    _ entity: String, where condition: ReferenceCondition?, sort: [SortTerm], offset: Int = 0, limit: Int? = nil,
    isExact: Bool = false
  ) -> [ObjectID] {
    let ids = objects(of: entity, isExact: isExact).filter { id in
      condition.map { meets($0, id) } ?? true
    }
    var keys: [ObjectID: [(Value, StringOrder)]] = [:]
    for id in ids { keys[id] = sort.map { look($0.path, from: id, entity) } }
    let sorted = ids.sorted { a, b in
      for (index, term) in sort.enumerated() {
        let (x, y) = (keys[a]![index], keys[b]![index])
        let order = term.compare(x.0, y.0, term.order ?? x.1)
        if order != 0 { return order < 0 }
      }
      return a < b
    }
    return Array(sorted.dropFirst(offset).prefix(limit ?? .max))
  }

  /// Returns the value at the end of a path over to-one relationships, and its order.
  package func look(_ path: [String], from id: ObjectID, _ entity: String) -> (Value, StringOrder) {
    let name = path[0]
    if path.count > 1 {
      let side = Side(entity, name)
      let target = model.relationship(side)!.target
      let order = look(Array(path.dropFirst()), from: targets(side, id).first ?? .zero, target)
      return targets(side, id).isEmpty ? (.null, order.1) : order
    }
    switch name {
    case "id": return (.uuid(id), .codepoint)
    case "createdAt": return (objects[id].map { .date($0.createdAt) } ?? .null, .codepoint)
    case "changedAt": return (objects[id].map { .date($0.changedAt) } ?? .null, .codepoint)
    case "entity": return (objects[id].map { .string($0.entity) } ?? .null, .codepoint)
    default: break
    }
    guard let attribute = model.attribute(name, of: entity) else {
      return (targets(Side(entity, name), id).first.map { .uuid($0) } ?? .null, .codepoint)
    }
    return (value(name, of: id), order(of: attribute, entity))
  }

  private func order(of attribute: Attribute, _ entity: String) -> StringOrder {
    switch attribute.derivation {
    case .minimum(let relationship, let source), .maximum(let relationship, let source):
      model.attribute(source, of: model.relationship(Side(entity, relationship))!.target)!.order
    default: attribute.order
    }
  }

  /// Returns whether an object meets a condition.
  package func meets(_ condition: ReferenceCondition, _ id: ObjectID) -> Bool {
    let entity = objects[id]!.entity
    switch condition {
    case .compare(let path, let operation, let expected):
      let (value, order) = look(path, from: id, entity)
      return test(value, operation, expected, order)
    case .among(let path, let values):
      let (value, order) = look(path, from: id, entity)
      return values.contains { test(value, .equal, $0, order) }
    case .between(let path, let low, let high):
      let (value, order) = look(path, from: id, entity)
      return test(value, .greaterOrEqual, low, order) && test(value, .lessOrEqual, high, order)
    case .beginsWith(let path, let start):
      guard case .string(let text) = look(path, from: id, entity).0 else { return false }
      return text.utf8.starts(with: start.utf8)
    case .any(let relationship, let attribute, let expected):
      let side = Side(entity, relationship)
      return targets(side, id).contains { test(value(attribute, of: $0), .equal, expected, .codepoint) }
    case .count(let relationship, let operation, let number):
      let count = targets(Side(entity, relationship), id).count
      return test(.integer(Int64(count)), operation, .integer(number), .codepoint)
    case .related(let quantifier, let relationship, let part):
      let outcomes = targets(Side(entity, relationship), id).map { meets(part, $0) }
      return switch quantifier {
      case .any: outcomes.contains(true)
      case .all: !outcomes.contains(false)
      case .none: !outcomes.contains(true)
      }
    case .countWhere(let relationship, let part, let operation, let number):
      let count = targets(Side(entity, relationship), id).filter { meets(part, $0) }.count
      return test(.integer(Int64(count)), operation, .integer(number), .codepoint)
    case .not(let part): return !meets(part, id)
    case .both(let a, let b): return meets(a, id) && meets(b, id)
    case .either(let a, let b): return meets(a, id) || meets(b, id)
    }
  }

  private func test(_ value: Value, _ operation: Filter.Operator, _ expected: Value, _ order: StringOrder) -> Bool {
    let numbers = PlainOrder.compareNumbers(value, expected)
    if operation == .equal { return numbers.map { $0 == 0 } ?? (value == expected) }
    if operation == .notEqual { return numbers.map { $0 != 0 } ?? (value != expected) }
    if value.isNull || expected.isNull { return false }
    let result = numbers ?? PlainOrder.compare(value, expected, order)
    switch operation {
    case .less: return result < 0
    case .lessOrEqual: return result <= 0
    case .greater: return result > 0
    case .greaterOrEqual: return result >= 0
    default: preconditionFailure("The reference knows no \(operation.rawValue).")
    }
  }
}
