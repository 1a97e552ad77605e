import DaybookModel
import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A measure over a random request, computed in the reference.
struct PlainMeasure {
  let plain: PlainRequest
  let measure: Measure<StoredObject>
  private let path: [String]

  /// Whether the model has the request and the value: it may have lost either, or given the value's name to another type.
  func isAnswered(in feed: FeedRun) -> Bool { (try? feed.store.value(of: measure)) != nil }

  /// Draws a measure of a request.
  init(_ plain: PlainRequest, of feed: FeedRun, random: inout SeededRandom) throws {
    // A measure shows nothing else, so a model may lose what the request shows.
    var plain = plain
    plain.request.shows = []
    self.plain = plain
    let model = feed.reference.state.model
    let entity = model.entity(plain.request.entity)!
    path = ModelZoo.path(from: entity, in: model.whole, &random)
    let isNumber = [.integer, .double, .decimal].contains(feed.reference.state.type(of: path, entity.name))
    let text = path.joined(separator: ".")
    let request = plain.request
    var measures = [request.count(), request.minimum(text), request.maximum(text)]
    if isNumber { measures += [request.sum(text), request.average(text), request.sum(text), request.average(text)] }
    measure = random.pick(measures)
  }

  /// Returns the value in the reference's state of a position.
  func value(at position: UInt64, in feed: FeedRun) -> Value {
    let (ids, state) = (feed.plain(plain, at: position).window.map(\.id), feed.states[Int(position) - 1])
    if measure.aggregation == .count { return .integer(Int64(ids.count)) }
    let looks = ids.sorted().map { state.look(path, from: $0, plain.request.entity) }
    let values = looks.map(\.0).filter { !$0.isNull }
    let order = looks.first?.1 ?? .codepoint
    switch measure.aggregation.aggregate {
    case .min, .max:
      let sign = measure.aggregation.aggregate == .min ? 1 : -1
      return values.min { PlainOrder.compare($0, $1, order) * sign < 0 } ?? .null
    case .count, .sum, .avg:
      let type = feed.reference.state.type(of: path, plain.request.entity)
      let sum = PlainSum(values)
      return (measure.aggregation.aggregate == .avg ? sum.average(of: type) : sum.sum(as: type))!
    }
  }
}
