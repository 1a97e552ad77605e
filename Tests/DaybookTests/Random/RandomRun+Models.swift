import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook
@testable import DaybookRuntime

/// Changes of the model.
extension RandomRun {
  func changeModel() throws {
    var model = reference.state.model.model
    switch random.number(0...8) {
    case 8:
      if model.events.count < 3 || random.isTrue(percent: 50) {
        ModelZoo.addEvent("Event\(operationCount)", to: &model, &random)
      } else {
        model.events.remove(at: random.number(0...(model.events.count - 1)))
      }
    case 0:
      let number = random.number(0...(model.entities.count - 1))
      let type = random.pick(AttributeType.allCases)
      model.entities[number].attributes.append(
        Attribute(
          name: "n\(operationCount)", type: type, isOptional: true,
          defaultValue: random.isTrue(percent: 60) ? ModelZoo.sample(type) : .null))
    case 1: ModelZoo.addDerived("n\(operationCount)", to: &model, &random)
    case 2: ModelZoo.addUnique(to: &model, &random)
    case 3, 4: ModelZoo.addIndex(to: &model, &random)
    case 5:
      let number = random.number(0...(model.entities.count - 1))
      if !model.entities[number].indexes.isEmpty { model.entities[number].indexes.removeLast() }
    case 6:
      let number = random.number(0...(model.entities.count - 1))
      if !model.entities[number].attributes.isEmpty {
        let gone = random.pick(model.entities[number].attributes)
        model.entities[number].attributes.removeAll { $0.name == gone.name }
        if model.entities[number].nameAttribute == gone.name { model.entities[number].nameAttribute = nil }
      }
    default:
      var changed = model
      ModelZoo.addRelationship("n\(operationCount)", to: &changed, &random)
      for index in changed.entities.indices {
        for number in changed.entities[index].relationships.indices
        where !changed.entities[index].relationships[number].isMany {
          changed.entities[index].relationships[number].isOptional = true
        }
      }
      model = changed
    }
    guard ModelZoo.valid(model), !model.entities.contains(where: { $0.attributes.isEmpty }) else { return }
    let position: Position
    do {
      position = try store.apply(model).position
    } catch let error as StoreError where error.code == .constraint || error.code == .badModel {
      return try checkAll()  // Objects collide, or lack required values: the model is unchanged.
    }
    guard position.number != reference.state.position else { return }
    reference.evolve(to: model)
    lastRecordedAt = max(clock.now, lastRecordedAt)
    history = []
    try checkAll()
    try checkRebuild()
  }
}
