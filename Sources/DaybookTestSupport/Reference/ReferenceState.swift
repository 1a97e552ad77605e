import DaybookModel
import Foundation

/// The objects of a store at one position, in plain dictionaries and arrays.
package struct ReferenceState: Sendable {
  package typealias Side = ReferenceModel.Side

  package struct Object: Hashable, Sendable {
    package var entity: String
    /// Stored values that are not null.
    package var values: [String: Value]
    package var created: UInt64
    package var createdAt: Timestamp
    package var changed: UInt64
    package var changedAt: Timestamp
  }

  package var model: ReferenceModel
  package var position: UInt64
  package var objects: [ObjectID: Object] = [:]
  /// The entity of each object that ever existed, and the last commit that touched it.
  package var known: [ObjectID: (entity: String, last: UInt64)] = [:]
  /// The links from both sides, by the entities that declare them; an ordered side in its order, others by id.
  package var links: [Side: [ObjectID: [ObjectID]]] = [:]

  package init(_ model: Model) {
    self.model = ReferenceModel(model)
    position = 1
  }

  /// Gives objects, values and links the new names of a model.
  mutating func rename(_ renames: ReferenceModel.Renames) {
    for id in Array(objects.keys) {
      guard var object = objects[id] else { continue }
      let entity = object.entity
      object.values = Dictionary(
        uniqueKeysWithValues: object.values.map { (renames.field($0.key, of: entity), $0.value) })
      object.entity = renames.entity(entity)
      objects[id] = object
    }
    known = known.mapValues { (renames.entity($0.entity), $0.last) }
    links = Dictionary(uniqueKeysWithValues: links.map { (renames.side($0.key), $0.value) })
  }

  package func targets(_ side: Side, _ id: ObjectID) -> [ObjectID] { links[model.declared(side)]?[id] ?? [] }

  /// Returns the objects of an entity and its descendants.
  package func objects(of entity: String, isExact: Bool = false) -> [ObjectID] {
    objects.filter { isExact ? $0.value.entity == entity : model.isKind($0.value.entity, of: entity) }.keys.sorted()
  }

  /// Adds a link to both sides, at the end of an ordered one.
  mutating func link(_ side: Side, _ id: ObjectID, _ target: ObjectID) {
    add(target, to: id, side)
    if model.isMirrored(side), id == target { return }
    add(id, to: target, model.inverse(of: side))
  }

  mutating func unlink(_ side: Side, _ id: ObjectID, _ target: ObjectID) {
    links[model.declared(side)]?[id]?.removeAll { $0 == target }
    links[model.inverse(of: side)]?[target]?.removeAll { $0 == id }
  }

  private mutating func add(_ target: ObjectID, to id: ObjectID, _ side: Side) {
    var list = targets(side, id)
    list.append(target)
    if !model.relationship(side)!.isOrdered { list.sort() }
    links[model.declared(side), default: [:]][id] = list
  }

  /// Returns the value of an attribute; computes a derived one from all its sources.
  package func value(_ name: String, of id: ObjectID) -> Value {
    guard let object = objects[id], let attribute = model.attribute(name, of: object.entity) else { return .null }
    guard let derivation = attribute.derivation else { return object.values[name] ?? .null }
    switch derivation {
    case .count(let relationship): return .integer(Int64(targets(Side(object.entity, relationship), id).count))
    case .sum(let relationship, let source): return sum(source, over: Side(object.entity, relationship), of: id)
    case .minimum(let relationship, let source):
      return extreme(source, over: Side(object.entity, relationship), of: id, sign: -1)
    case .maximum(let relationship, let source):
      return extreme(source, over: Side(object.entity, relationship), of: id, sign: 1)
    }
  }

  private func sum(_ name: String, over side: Side, of id: ObjectID) -> Value {
    let attribute = model.attribute(name, of: model.inverse(of: side).entity)!
    return PlainSum(targets(side, id).map { value(name, of: $0) }).sum(as: attribute.type!) ?? .null
  }

  private func extreme(_ name: String, over side: Side, of id: ObjectID, sign: Int) -> Value {
    let attribute = model.attribute(name, of: model.inverse(of: side).entity)!
    var result = Value.null
    for target in targets(side, id) {
      let value = value(name, of: target)
      if value.isNull { continue }
      if result.isNull || PlainOrder.compare(value, result, attribute.order) * sign > 0 { result = value }
    }
    return result
  }
}

/// The order of values, implemented a second time in the simplest way.
package enum PlainOrder {
  package static func compare(_ a: Value, _ b: Value, _ order: StringOrder) -> Int {
    switch (a, b) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.integer(let a), .integer(let b)): return sign(a, b)
    case (.double(let a), .double(let b)): return sign(a, b)
    case (.decimal(let a), .decimal(let b)): return sign(a, b)
    case (.boolean(let a), .boolean(let b)): return sign(a ? 1 : 0, b ? 1 : 0)
    case (.date(let a), .date(let b)): return sign(a.microseconds, b.microseconds)
    case (.uuid(let a), .uuid(let b)): return sign(a.description, b.description)
    case (.data(let a), .data(let b)): return bytes(a, b)
    case (.string(let a), .string(let b)): return strings(a, b, order)
    default: return 0
    }
  }

  /// Compares a value with a literal of another type of numbers, as after a change of the model that gives a name to
  /// another attribute; `nil` for values of one type and for other types.
  ///
  /// A decimal literal becomes the nearest double beside doubles; all other numbers are compared exactly.
  package static func compareNumbers(_ value: Value, _ literal: Value) -> Int? {
    switch (value, literal) {
    case (.double(let value), .decimal(let literal)): return sign(value, Double(literal.description)!)
    case (.integer, .double), (.integer, .decimal), (.double, .integer), (.decimal, .integer), (.decimal, .double):
      let (a, b) = (Digits(value), Digits(literal))
      guard a.isNegative == b.isNegative else { return a.isNegative ? -1 : 1 }
      return a.isNegative ? b.compareSize(to: a) : a.compareSize(to: b)
    default: return nil
    }
  }

  /// A number in decimal digits, exactly.
  private struct Digits {
    var isNegative = false
    /// Without leading zeros.
    var whole: Substring
    /// Without trailing zeros.
    var fraction: Substring

    init(_ value: Value) {
      let text: String
      switch value {
      case .integer(let number): text = "\(number)"
      // A double has at most 1,074 digits after the point.
      case .double(let number): text = String(format: "%.1074f", number)
      case .decimal(let number): text = "\(number)"
      default: preconditionFailure("\(value) is no number.")
      }
      let parts = text.drop { $0 == "-" }.split(separator: ".")
      whole = parts[0].drop { $0 == "0" }
      fraction = parts.count > 1 ? parts[1] : ""
      while fraction.last == "0" { fraction.removeLast() }
      isNegative = text.hasPrefix("-") && !(whole.isEmpty && fraction.isEmpty)
    }

    func compareSize(to other: Digits) -> Int {
      if whole.count != other.whole.count { return sign(whole.count, other.whole.count) }
      return whole == other.whole ? sign(fraction, other.fraction) : sign(whole, other.whole)
    }
  }

  private static func sign<Number: Comparable>(_ a: Number, _ b: Number) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  private static func bytes(_ a: [UInt8], _ b: [UInt8]) -> Int {
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return sign(a.count, b.count)
  }

  private static func strings(_ a: String, _ b: String, _ order: StringOrder) -> Int {
    let plain = bytes(Array(a.utf8), Array(b.utf8))
    if plain == 0 { return 0 }
    switch order {
    case .codepoint: return plain
    case .caseInsensitive:
      let folded = bytes(Array(lower(a).utf8), Array(lower(b).utf8))
      return folded != 0 ? folded : plain
    case ._locale(let locale):
      var (x, y): ([UInt8], [UInt8]) = ([], [])
      locale.collator?.appendKey(of: a, to: &x)
      locale.collator?.appendKey(of: b, to: &y)
      let collated = bytes(x, y)
      return collated != 0 ? collated : plain
    case .natural:
      let natural = runs(Array(a.utf8), Array(b.utf8))
      return natural != 0 ? natural : plain
    }
  }

  private static func lower(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
  }

  /// Compares runs of digits by their number, all other characters by bytes.
  private static func runs(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if isDigit(a[i]), isDigit(b[j]) {
        let (x, y) = (digits(a, &i), digits(b, &j))
        if x.count != y.count { return x.count < y.count ? -1 : 1 }
        let order = bytes(x, y)
        if order != 0 { return order }
      } else {
        if a[i] != b[j] { return a[i] < b[j] ? -1 : 1 }
        i += 1
        j += 1
      }
    }
    return sign(a.count - i, b.count - j)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Returns the digits at an index without leading zeros; moves the index past them.
  private static func digits(_ text: [UInt8], _ index: inout Int) -> [UInt8] {
    var run: [UInt8] = []
    while index < text.count, isDigit(text[index]) {
      run.append(text[index])
      index += 1
    }
    return Array(run.drop { $0 == 48 })
  }
}
