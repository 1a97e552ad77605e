import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct AggregatedValuesTests {
  private static let model = Model(entities: [
    Entity(
      name: "Row",
      attributes: [
        Attribute(name: "number", type: .integer), Attribute(name: "weight", type: .double),
        Attribute(name: "name", type: .string),
      ])
  ])

  @Test func theAggregateIsThatOfAllValuesAfterEachChange() throws {
    let model = try ResolvedModel(creating: Self.model)
    try Seeds.run(Rounds.of(60)) { seed in
      var random = SeededRandom(seed: seed)
      let field = random.pick(["number", "weight", "name"])
      let request = Request(entity: "Row", shows: [[field]])
      let path = try #require(try ResolvedRequest(request.fetch, in: model).shown.first)
      let aggregate = random.pick(field == "name" ? [.min, .max] : Filter.Aggregate.allCases)
      var held = AggregatedValues(aggregate, over: path)
      var plain: [ObjectID: Value] = [:]
      for step in 0..<200 {
        let id = ObjectID(high: 1, low: UInt64(random.number(1...20)))
        let value = value(field, &random)
        held.set(value, of: id)
        if value.isNull { plain.removeValue(forKey: id) } else { plain[id] = value }
        // Not after each change, so that several changes are between two readings.
        guard random.isTrue(percent: 60) else { continue }
        let wanted = Self.value(of: aggregate, Array(plain.values), path.type)
        let found = try? held.aggregated()
        guard found == wanted else {
          throw Mismatch(
            "\(aggregate) is \(String(describing: found)) instead of \(String(describing: wanted)) at step \(step)")
        }
      }
    }
  }

  /// Computes an aggregate in the simplest way; `nil` if its type has no such value.
  private static func value(of aggregate: Filter.Aggregate, _ values: [Value], _ type: AttributeType) -> Value? {
    let sorted = values.sorted { PlainOrder.compare($0, $1, .codepoint) < 0 }
    switch aggregate {
    case .count: return .integer(Int64(values.count))
    case .sum: return PlainSum(values).sum(as: type)
    case .avg: return PlainSum(values).average(of: type)
    case .min: return sorted.first ?? .null
    case .max: return sorted.last ?? .null
    }
  }

  private func value(_ field: String, _ random: inout SeededRandom) -> Value {
    if random.isTrue(percent: 25) { return .null }
    switch field {
    case "number": return .integer(random.pick([.max, .min, 1, 2, 3, -7]))
    case "weight":
      return .double(random.pick([0.1, 0.2, 1e16, -1e16, 3, .greatestFiniteMagnitude, .infinity, -.infinity]))
    default: return .string(random.pick(["a", "b", "", "ab"]))
    }
  }
}
