import DaybookModel
import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// Applies the same commits to a store and the reference, and compares the differences.
final class FeedRun {
  struct Settings {
    var batchCount = 60
    /// The number of objects above which deletes prevail.
    var objectLimit = 25
    /// The number of requests to check after each batch.
    var requestCount = 3
    var changesModel = false
  }

  let settings: Settings
  let clock = FixedClock()
  let directory: TemporaryDirectory
  let store: Store
  var random: SeededRandom
  var requests: RandomRequests
  var reference: ReferenceStore
  /// The reference's state at each position, from 1.
  private(set) var states: [ReferenceState]
  /// The positions of commits that changed the model.
  private(set) var modelPositions: [UInt64] = [1]
  private var source: RandomOperations
  private var lastRecordedAt: Timestamp
  private var lastBatch: [ReferenceOperation] = []
  /// The parts that models renamed, which later models may rename back.
  private var renamed: [RenamedPart] = []

  init(seed: UInt64, settings: Settings = Settings()) throws {
    self.settings = settings
    random = SeededRandom(seed: seed)
    let model = ModelZoo.model(random.next(), &random)
    source = RandomOperations(SeededRandom(seed: random.next()))
    requests = RandomRequests(random: SeededRandom(seed: random.next()))
    reference = ReferenceStore(model)
    states = [reference.state]
    directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.clock = clock.read
    options.durability = .relaxed
    // Some live requests store the keys of few rows, others use the counts of an index.
    options.keptKeyCount = [0, 4, 256][Int(seed % 3)]
    lastRecordedAt = clock.now
    store = try TestJournal.store(at: directory.path("store"), model: model, options: options)
  }

  func run() throws {
    for _ in 0..<settings.batchCount {
      if settings.changesModel, random.isTrue(percent: 8) { try changeModel() }
      try batch()
    }
    store.close()
  }

  /// The position of the last commit.
  var head: UInt64 { UInt64(states.count) }

  /// The reference's state at a position.
  func state(at position: UInt64) -> ReferenceState { states[Int(position) - 1] }

  /// Returns the reference's result of a request at a position.
  func plain(_ plain: PlainRequest, at position: UInt64) -> PlainResult {
    position == 0 ? PlainResult() : PlainResult(plain, in: state(at: position))
  }

  private func batch() throws {
    let operations = try commit()
    lastBatch = operations ?? []
    for _ in 0..<settings.requestCount {
      let plain =
        random.isTrue(percent: 60) ? requests.request(reference.state) : requests.liveRequest(reference.state)
      do {
        try check(plain)
      } catch {
        let text = lastBatch.map { "  \($0)" }.joined(separator: "\n")
        throw Mismatch("\(plain)\n\(error)\nat head \(head); the last batch:\n\(text)")
      }
    }
  }

  /// Writes one commit of several operations.
  ///
  /// - Parameter draw: Draws operations for a state, or `nil` to draw them with ``operations()``.
  /// - Returns: The operations, or `nil` if there were none or the reference predicts that the store must refuse them.
  @discardableResult
  func commit(_ draw: ((ReferenceState) -> [ReferenceOperation])? = nil) throws -> [ReferenceOperation]? {
    clock.advance(byMicroseconds: Int64(random.number(-1...4)) * random.pick([250_000, 30_000_000_000]))
    let happenedAt =
      random.isTrue(percent: 15)
      ? Timestamp(microseconds: clock.now.microseconds - Int64(random.number(-9...9)) * 40_000_000_000) : nil
    let recordedAt = max(clock.now, lastRecordedAt)
    reference.begin(time: happenedAt ?? recordedAt)
    var done: [ReferenceOperation] = []
    for _ in 0..<random.number(1...8) {
      for operation in draw?(reference.draft) ?? operations() where reference.apply(operation) == nil {
        done.append(operation)
      }
    }
    let events = reference.events
    guard reference.commit() == nil, !events.isEmpty else { return nil }
    lastRecordedAt = recordedAt
    let position = try store.commit(CommitInfo(happenedAt: happenedAt)) { tx in
      for operation in done { try self.perform(operation, tx) }
    }.position
    guard position.number == reference.state.position else { throw Mismatch("the commit has position \(position)") }
    states.append(reference.state)
    return done
  }

  /// Adopts a commit that was made in another way.
  func adopt(_ reference: ReferenceStore) {
    self.reference = reference
    lastRecordedAt = max(clock.now, lastRecordedAt)
    states.append(reference.state)
  }

  /// Draws operations like the store's random tests, and some with little or no net effect.
  private func operations() -> [ReferenceOperation] {
    let draft = reference.draft
    guard random.isTrue(percent: 20), !draft.objects.isEmpty else {
      return source.operations(draft, limit: settings.objectLimit)
    }
    let id = random.pick(draft.objects.keys.sorted())
    let object = draft.objects[id]!
    let entity = draft.model.entity(object.entity)!
    if random.isTrue(percent: 50) { return deleteAndInsert(id, object, entity, draft) }
    let stored = entity.attributes.filter { $0.derivation == nil }
    guard !stored.isEmpty else { return [] }
    let attribute = random.pick(stored)
    return [
      .set(id, [attribute.name: random.value(attribute.type!)]),
      .set(id, [attribute.name: object.values[attribute.name] ?? .null]),
    ]
  }

  private func deleteAndInsert(
    _ id: ObjectID, _ object: ReferenceState.Object, _ entity: Entity, _ draft: ReferenceState
  ) -> [ReferenceOperation] {
    var values = object.values
    if random.isTrue(percent: 30) { values.removeValue(forKey: random.pick(entity.attributes).name) }
    var operations: [ReferenceOperation] = [.delete(id), .insert(entity: entity.name, values: values, id: id)]
    for relationship in entity.relationships where random.isTrue(percent: 80) {
      for target in draft.targets(.init(entity.name, relationship.name), id) {
        operations.append(.relate(id, relationship.name, target, .unspecified))
      }
    }
    return operations
  }

  func perform(_ operation: ReferenceOperation, _ tx: borrowing Transaction) throws {
    switch operation {
    case .insert(let entity, let values, let id): try tx.insert(entity, values, id: id)
    case .rename(let id, let name): try tx.rename(id, to: name)
    case .set(let id, let values): try tx.set(id, values)
    case .relate(let id, let name, let target, let place): try tx.relate(id, name, to: target, at: place)
    case .unrelate(let id, let name, let target): try tx.unrelate(id, name, from: target)
    case .delete(let id): try tx.delete(id)
    case .record(let name, let id, let values): try tx.record(name, about: id, values)
    }
  }

  func changeModel() throws {
    var model = reference.state.model.model
    let number = random.number(0...(model.entities.count - 1))
    let name = "n\(head)"
    switch random.number(0...9) {
    case 0:
      let type = random.pick(AttributeType.allCases)
      model.entities[number].attributes.append(
        Attribute(
          name: name, type: type, isOptional: true,
          defaultValue: random.isTrue(percent: 60) ? ModelZoo.sample(type) : .null))
    case 1: ModelZoo.addDerived(name, to: &model, &random)
    case 2: ModelZoo.addIndex(to: &model, &random)
    case 3: if !model.entities[number].indexes.isEmpty { model.entities[number].indexes.removeLast() }
    case 4, 5:
      guard let part = ModelZoo.rename(to: name, in: &model, &random) else { return }
      renamed.append(part)
      // The free name may go to a new attribute at once.
      if part.kind == .attribute, random.isTrue(percent: 30) {
        var reused = model
        let owner = reused.entities.firstIndex { $0.attributes.contains { $0.name == name } } ?? number
        reused.entities[owner].attributes.append(Attribute(name: part.old, type: .integer, isOptional: true))
        if ModelZoo.valid(reused.withoutFormerNames) { model = reused }
      }
    case 6, 7:
      guard let part = renamed.popLast(), ModelZoo.renameBack(part, in: &model) else { return }
    case 8:
      for model in ModelZoo.exchangeNames(in: model, &random) { try apply(model) }
      return
    default:
      let gone = random.pick(model.entities[number].attributes)
      model.entities[number].attributes.removeAll { $0.name == gone.name }
      if model.entities[number].nameAttribute == gone.name { model.entities[number].nameAttribute = nil }
    }
    try apply(model)
  }

  private func apply(_ model: Model) throws {
    guard ModelZoo.valid(model.withoutFormerNames), !model.entities.contains(where: { $0.attributes.isEmpty }) else {
      return
    }
    let position = try store.apply(model).position.number
    guard position != head else { return }
    lastRecordedAt = max(clock.now, lastRecordedAt)
    reference.evolve(to: model)
    states.append(reference.state)
    modelPositions.append(position)
  }
}
