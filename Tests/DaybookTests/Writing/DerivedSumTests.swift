import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

/// Derived sums, as they are kept up to date and as they are built from nothing.
@Suite(.hangLimit) struct DerivedSumTests {
  private static let types: [AttributeType] = [.integer, .double, .decimal]

  /// An item with a sum of each type, or with a rule, and parts with numbers.
  private static func model(hasSums: Bool = true, rule: String? = nil) -> Model {
    Model(entities: [
      Entity(
        name: "Item",
        attributes: !hasSums
          ? []
          : types.map { type in
            Attribute(name: "\(type)Sum", type: nil, derivation: .sum(relationship: "parts", attribute: "\(type)"))
          },
        relationships: [Relationship(name: "parts", target: "Part", inverse: "item", isMany: true)],
        rules: rule.map { [$0] } ?? []),
      Entity(
        name: "Part", attributes: types.map { Attribute(name: "\($0)", type: $0, isOptional: true) },
        relationships: [Relationship(name: "item", target: "Item", inverse: "parts", isOptional: true)]),
    ])
  }

  private static func value(_ type: AttributeType, _ random: inout SeededRandom) -> Value {
    if random.isOneIn(6) { return .null }
    switch type {
    case .integer: return .integer(random.pick([1, -1, 5, 1 << 40, 1 << 62]))
    case .double:
      return .double(
        random.pick([0.1, 0.2, 0.3, 1e16, -1e16, 1e-300, 1e308, -1e308, .greatestFiniteMagnitude, .infinity]))
    default: return .decimal(Decimal(string: random.pick(["0.1", "-7", "1e37", "-1e37", "9.9e37", "1e-30"]))!)
    }
  }

  /// A part in the plain model.
  private struct Part {
    var item: ObjectID?
    var values: [String: Value]
  }

  @Test func `sums are exact after each commit, and a commit is refused exactly where one has no value`() throws {
    try SeededRandom.run(Rounds.of(20)) { random in
      try withTemporaryStore(Self.model()) { store in
        let items = try store.writeNow { tx in try (0..<2).map { _ in try tx.insert("Item") } }
        var parts: [ObjectID: Part] = [:]
        for _ in 0..<40 {
          var after = parts
          let hasValues: Bool
          do {
            try store.writeNow { tx in
              after = parts
              for _ in 0..<random.number(1...3) { try Self.change(&after, items, tx, &random) }
            }
            hasValues = true
          } catch let error as StoreError where error.code == .constraint {
            hasValues = false
          }
          let sums = items.map { item in Self.types.map { Self.sum($0, of: item, after) } }
          guard hasValues == !sums.joined().contains(nil) else { throw Mismatch("\(sums) were refused: \(!hasValues)") }
          if hasValues { parts = after }
          for item in items {
            for type in Self.types {
              let found = try store.get(item)?["\(type)Sum"]
              let wanted = Self.sum(type, of: item, parts)
              guard found == wanted else {
                throw Mismatch("\(String(describing: found)) for \(String(describing: wanted))")
              }
            }
          }
        }
        guard try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil else {
          throw Mismatch("rebuilt rows differ")
        }
      }
    }
  }

  private static func sum(_ type: AttributeType, of item: ObjectID, _ parts: [ObjectID: Part]) -> Value? {
    PlainSum(parts.values.filter { $0.item == item }.map { $0.values["\(type)"] ?? .null }).sum(as: type)
  }

  private static func change(
    _ parts: inout [ObjectID: Part], _ items: [ObjectID], _ tx: borrowing Transaction, _ random: inout SeededRandom
  ) throws {
    let values = Dictionary(uniqueKeysWithValues: types.map { ("\($0)", value($0, &random)) })
    guard let id = parts.keys.sorted().randomElement(using: &random), !random.isOneIn(3) else {
      let (id, item) = (try tx.insert("Part", values), random.pick(items))
      try tx.relate(id, "item", to: item)
      parts[id] = Part(item: item, values: values)
      return
    }
    switch random.number(0...3) {
    case 0:
      try tx.delete(id)
      parts[id] = nil
    case 1:
      let item = random.pick(items)
      try tx.relate(id, "item", to: item)
      parts[id]?.item = item
    default:
      try tx.set(id, values)
      parts[id]?.values = values
    }
  }

  @Test func `a sum of doubles does not depend on the order of objects`() throws {
    try withTemporaryStore(Self.model()) { store in
      for numbers in [[1e100, 1, -1e100], [1, 1e100, -1e100], [1e100, -1e100, 1]] {
        let item = try store.writeNow { tx in
          let item = try tx.insert("Item")
          for number in numbers { try tx.relate(tx.insert("Part", ["double": .double(number)]), "item", to: item) }
          return item
        }
        #expect(try store.get(item)?["doubleSum"] == .double(1))
      }
    }
  }

  @Test func `a rule over a sum that has no value is broken`() throws {
    let model = Self.model(hasSums: false, rule: "parts.@count < 2 OR parts.@sum.double < 5")
    try withTemporaryStore(model) { store in
      let item = try store.writeNow { tx in
        let item = try tx.insert("Item")
        try tx.relate(tx.insert("Part", ["double": .double(.infinity)]), "item", to: item)
        return item
      }
      let error = #expect(throws: StoreError.self) {
        try store.writeNow { try $0.relate($0.insert("Part", ["double": .double(-.infinity)]), "item", to: item) }
      }
      #expect(error?.code == .constraint && error?.message.contains("infinities of both signs") == true)
      try store.writeNow { try $0.relate($0.insert("Part", ["double": .double(1e308)]), "item", to: $0.insert("Item")) }
    }
  }

  @Test func `a request that compares a sum without a value is refused with the object`() throws {
    try withTemporaryStore(Self.model(hasSums: false)) { store in
      func insert(_ numbers: [Double]) throws -> ObjectID {
        try store.writeNow { tx in
          let item = try tx.insert("Item")
          for number in numbers { try tx.relate(tx.insert("Part", ["double": .double(number)]), "item", to: item) }
          return item
        }
      }
      let exact = try insert([1e308, 1e308, -1e308, -1e308, 3])
      let request = Request(entity: "Item", filter: try Filter(parsing: "parts.@sum.double == 3"))
      #expect(try store.fetch(request).rows.map(\.id) == [exact])
      let beyond = try insert([1e308, 1e308])
      let error = #expect(throws: StoreError.self) { try store.fetch(request) }
      #expect(error?.code == .badValue && error?.message.contains("\(beyond)") == true)
      // The state before it can be read as it was.
      #expect(try store.at(2).fetch(request).rows.map(\.id) == [exact])
    }
  }
}
