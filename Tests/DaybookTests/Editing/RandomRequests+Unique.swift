import Daybook
import DaybookTestSupport

extension RandomRequests {
  /// Draws a request like ``request(_:)``, or one for the unique values of an existing object.
  mutating func editingRequest(_ state: ReferenceState) -> PlainRequest {
    let entities = state.model.whole.entities.filter { !$0.unique.isEmpty }
    guard random.isTrue(percent: 30), !entities.isEmpty else { return request(state) }
    let entity = random.pick(entities)
    let ids = state.objects(of: entity.name)
    guard !ids.isEmpty else { return request(state) }
    let id = random.pick(ids)
    let names = random.pick(entity.unique)
    // Bytes cannot be compared in requests.
    if names.contains(where: { [.data, .codable].contains(state.type(of: [$0], entity.name)) }) {
      return request(state)
    }
    let conditions = names.map { name in
      ReferenceCondition.compare([name], .equal, state.look([name], from: id, entity.name).0)
    }
    let condition = conditions.dropFirst().reduce(conditions[0]) { .both($0, $1) }
    return PlainRequest(request: Request(entity: entity.name, filter: condition.filter), condition: condition)
  }
}
