import DaybookTestSupport
import Foundation

@testable import DaybookModel
@testable import DaybookQuery

/// Evaluates filters by their names over a world in the simplest way, for comparison.
///
/// It shares only the filter's tree and the collation keys with the real evaluator. Numbers that are not whole are
/// compared as doubles, so the random numbers must be exact as doubles.
struct PlainEvaluator {
  let world: World
  /// The present time.
  var now = Timestamp(microseconds: 0)

  func matches(_ node: Filter.Node, _ id: ObjectID) -> Bool {
    switch node {
    case .constant(let isMet): isMet
    case .not(let inner): !matches(inner, id)
    case .all(let parts): !parts.contains { !matches($0, id) }
    case .any(let parts): parts.contains { matches($0, id) }
    case .comparison(let comparison): matches(comparison, id)
    case .related(.any, let objects): related(objects, id).contains(true)
    case .related(.all, let objects): !related(objects, id).contains(false)
    case .related(.none, let objects): !related(objects, id).contains(true)
    }
  }

  /// Returns for each object at the end of the path whether it meets the condition.
  private func related(_ objects: Filter.RelatedObjects, _ id: ObjectID) -> [Bool] {
    follow(ArraySlice(objects.path.names), world[id]!, isBehindMany: false).map { value in
      if case .uuid(let related) = value { matches(objects.condition, related) } else { false }
    }
  }

  private func matches(_ comparison: Filter.Comparison, _ id: ObjectID) -> Bool {
    let (lefts, order) = values(comparison.left, id)
    let (rights, otherOrder) = values(comparison.right, id)
    let quantified = comparison.quantifier != nil
    func isMet(_ left: Value, _ right: [Value]) -> Bool {
      met(left, comparison.operation, right, comparison.options, order ?? otherOrder ?? .codepoint)
    }
    guard quantified else { return isMet(lefts[0], rights) }
    // The to-many path is on the right if a literal is on the left.
    let isFlipped = if case .value = comparison.left.form { true } else { false }
    let outcomes = isFlipped ? rights.map { isMet(lefts[0], [$0]) } : lefts.map { isMet($0, rights) }
    return switch comparison.quantifier {
    case .any: outcomes.contains(true)
    case .all: !outcomes.contains(false)
    case .none?: !outcomes.contains(true)
    case nil: false
    }
  }

  private func met(
    _ left: Value, _ operation: Filter.Operator, _ right: [Value], _ options: Filter.Options, _ order: StringOrder
  ) -> Bool {
    switch operation {
    case .equal: return equal(left, right[0], options)
    case .notEqual: return !equal(left, right[0], options)
    case .among: return right.contains { equal(left, $0, options) }
    case .between:
      return met(left, .greaterOrEqual, [right[0]], [], order) && met(left, .lessOrEqual, [right[1]], [], order)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let sign = compare(left, right[0], order) else { return false }
      return switch operation {
      case .less: sign < 0
      case .lessOrEqual: sign <= 0
      case .greater: sign > 0
      default: sign >= 0
      }
    case .beginsWith, .endsWith, .contains, .like, .matches:
      guard case .string(let text) = left, case .string(let part) = right[0] else { return false }
      return textMet(scalars(text, options), operation, part, options)
    }
  }

  private func textMet(
    _ text: [Unicode.Scalar], _ operation: Filter.Operator, _ part: String, _ options: Filter.Options
  ) -> Bool {
    let wanted = scalars(part, options)
    switch operation {
    case .beginsWith: return text.starts(with: wanted)
    case .endsWith: return text.reversed().starts(with: wanted.reversed())
    case .contains: return (0...text.count).contains { text[$0...].starts(with: wanted) }
    default: return like(ArraySlice(wanted), ArraySlice(text))
    }
  }

  private func like(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" { return (0...text.count).contains { like(pattern.dropFirst(), text.dropFirst($0)) } }
    guard let next = text.first, first == "?" || first == next else { return false }
    return like(pattern.dropFirst(), text.dropFirst())
  }

  private func scalars(_ text: String, _ options: Filter.Options) -> [Unicode.Scalar] {
    var scalars = Array(text.unicodeScalars)
    if options.contains(.diacriticInsensitive) {
      scalars = scalars.flatMap { Array(String(Character($0)).decomposedStringWithCanonicalMapping.unicodeScalars) }
        .filter { $0.properties.generalCategory != .nonspacingMark }
    }
    if options.contains(.caseInsensitive) {
      scalars = scalars.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
    }
    return scalars
  }

  private func equal(_ a: Value, _ b: Value, _ options: Filter.Options) -> Bool {
    if case .string(let a) = a, case .string(let b) = b { return scalars(a, options) == scalars(b, options) }
    if a.isNull || b.isNull { return a.isNull && b.isNull }
    return compare(a, b, .codepoint) == 0
  }

  private func compare(_ a: Value, _ b: Value, _ order: StringOrder) -> Int? {
    if case .string(let text) = b, let (left, right) = converted(a, text) { return sign(left, right) }
    if case .string(let text) = a, let (right, left) = converted(b, text) { return sign(left, right) }
    switch (a, b) {
    case (.string(let a), .string(let b)):
      let (x, y) = (key(a, order), key(b, order))
      return x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
    case (.boolean(let a), .boolean(let b)): return sign(a ? 1 : 0, b ? 1 : 0)
    case (.date(let a), .date(let b)): return sign(a, b)
    case (.uuid(let a), .uuid(let b)): return sign(a, b)
    default: break
    }
    if let x = decimal(a), let y = decimal(b) { return sign(x, y) }
    guard let x = number(a), let y = number(b) else { return nil }
    return sign(x, y)
  }

  private func decimal(_ value: Value) -> Decimal? {
    switch value {
    case .integer(let number): Decimal(number)
    case .decimal(let number): number
    case .double(let number): Int128(exactly: number).flatMap { Decimal(string: $0.description) }
    default: nil
    }
  }

  /// Returns a UUID and another one that is written as text.
  private func converted(_ value: Value, _ text: String) -> (ObjectID, ObjectID)? {
    guard case .uuid(let id) = value, let other = ObjectID(text) else { return nil }
    return (id, other)
  }

  private func key(_ text: String, _ order: StringOrder) -> [UInt8] {
    var key: [UInt8] = []
    Collation.appendKey(of: text, order: order, to: &key)
    // Escaped, so that a shorter collation key comes first whatever follows it.
    return key.flatMap { $0 == 0 ? [0, 255] : [$0] } + [0, 0] + Array(text.utf8)
  }

  private func number(_ value: Value) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Double(number.description)
    default: nil
    }
  }

  private func sign<Element: Comparable>(_ a: Element, _ b: Element) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}

// Values.
extension PlainEvaluator {
  /// The values of an operand, and the order of a path's strings.
  private func values(_ operand: Filter.Operand, _ id: ObjectID) -> ([Value], StringOrder?) {
    switch operand.form {
    case .value(let value): return ([value], nil)
    case .time(let time, _): return ([.date(time.time(at: now))], nil)
    case .count(let objects): return ([.integer(Int64(related(objects, id).filter { $0 }.count))], nil)
    case .values(let list): return (list.flatMap { values($0, id).0 }, nil)
    case .path(let path):
      let order: StringOrder = ["title": .caseInsensitive, "file": .natural][path.names.last ?? ""] ?? .codepoint
      let values = follow(ArraySlice(path.names), world[id]!, isBehindMany: false)
      guard let aggregate = path.aggregate else { return (values, order) }
      let types: [String: AttributeType] = ["amount": .integer, "servings": .integer, "cost": .decimal]
      let type = types[path.names.last ?? ""] ?? .double
      return ([self.aggregate(aggregate, values, of: type)], order)
    }
  }

  private func follow(_ names: ArraySlice<String>, _ thing: World.Thing, isBehindMany: Bool) -> [Value] {
    guard let name = names.first else { return [.uuid(thing.id)] }
    let rest = names.dropFirst()
    if name == "id" { return [.uuid(thing.id)] }
    let entity = world.model.entities[world.model.entity(named: thing.entity)!]
    guard let number = entity.relationship(named: name) else { return [thing.values[name] ?? .null] }
    if entity.relationships[number].isMany {
      return (thing.many[name] ?? []).flatMap { follow(rest, world[$0]!, isBehindMany: true) }
    }
    guard let target = thing.one[name] else {
      // Without the object there are no objects after it.
      let leadsToMany = rest.contains("recipes") || rest.contains("tags") || rest.contains("ingredients")
      return leadsToMany ? [] : [.null]
    }
    return follow(rest, world[target]!, isBehindMany: isBehindMany)
  }

  private func aggregate(_ aggregate: Filter.Aggregate, _ values: [Value], of type: AttributeType) -> Value {
    let present = values.filter { !$0.isNull }
    switch aggregate {
    case .count: return .integer(Int64(values.count))
    // A filter compares a sum of integers of any size.
    case .sum: return PlainSum(present).sum(as: type == .integer ? .decimal : type)!
    case .avg: return PlainSum(present).average(of: type)!
    case .min: return present.min { compare($0, $1, .codepoint)! < 0 } ?? .null
    case .max: return present.max { compare($0, $1, .codepoint)! < 0 } ?? .null
    }
  }
}
