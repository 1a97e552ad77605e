import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook

/// Drives a store and the reference through the same commits, and compares them.
final class RandomRun {
  /// How a run differs from others beside its seed.
  struct Settings {
    var operationCount = 1_000
    /// Objects beyond which deletes prevail.
    var objectLimit = 40
    var changesModel = false
    var checkPercent = 40
    var undoPercent = 25
    var rebuildPercent = 4
    var reopenPercent = 1
  }

  let settings: Settings
  let clock = FixedClock()
  let directory: TemporaryDirectory
  var random: SeededRandom
  var source: RandomOperations
  var reference: ReferenceStore
  var store: Store
  var options = StoreOptions()
  private(set) var operationCount = 0
  private(set) var commitCount = 0
  private(set) var undoCount = 0
  private var lastRecordedAt: Timestamp
  /// Rows of earlier positions, to be found again on the way back.
  private var history: [(position: UInt64, rows: ProjectionRows)] = []

  init(seed: UInt64, model: Model? = nil, settings: Settings = Settings()) throws {
    self.settings = settings
    random = SeededRandom(seed: seed)
    let model = model ?? ModelZoo.model(seed, &random)
    source = RandomOperations(SeededRandom(seed: random.next()))
    reference = ReferenceStore(model)
    directory = try TemporaryDirectory()
    options.clock = clock.read
    options.durability = .relaxed
    if random.isTrue(percent: 30) {
      options.journalMapSizeInBytes = 1 << 20
      options.projectionsMapSizeInBytes = 1 << 20
    }
    options.rebuildMemoryInBytes = random.pick([1 << 14, 1 << 18, 256 << 20])
    lastRecordedAt = clock.now
    store = try Store(at: directory.path("store"), model: model, options: options)
  }

  func run() throws {
    while operationCount < settings.operationCount { try step() }
    try checkAll()
    try checkUndo()
    try checkRebuild()
    store.close()
  }

  private func step() throws {
    let plans = (0..<(random.isTrue(percent: 20) ? random.number(2...5) : 1)).map { _ in plan() }
    try perform(plans)
    operationCount += plans.reduce(0) { $0 + $1.steps.count }
    commitCount += plans.count
    for plan in plans { try check(plan) }
    if random.isTrue(percent: settings.checkPercent) { try checkAll() } else { try check(named(in: plans)) }
    if random.isTrue(percent: 20) { try checkFetch(reference.state) { try self.store.fetch($0) } }
    if random.isTrue(percent: settings.undoPercent) { try checkUndo() }
    if random.isTrue(percent: settings.rebuildPercent) { try checkRebuild() }
    if random.isTrue(percent: settings.reopenPercent) { try reopen() }
    if settings.changesModel, random.isTrue(percent: 3) { try changeModel() }
  }

  // Planning.

  struct Step {
    let operation: ReferenceOperation
    let refusal: StoreError.Code?
    /// What the write must see after it; nil for not looking.
    let peek: ReferenceState?
  }

  struct Plan {
    var steps: [Step] = []
    var time: Timestamp
    var happenedAt: Timestamp?
    /// Whether the closure goes on after an error.
    var isForgiving: Bool
    var throwsInTheEnd: Bool
    var refusal: StoreError.Code?
    var events: [ReferenceEvent] = []
    var position: UInt64 = 0
    var recordedAt: Timestamp
  }

  struct Stop: Error {}

  private func plan() -> Plan {
    let time = Timestamp(microseconds: clock.now.microseconds + Int64(random.number(-1...4)) * 250_000)
    clock.now = time
    var plan = Plan(
      time: time, isForgiving: random.isTrue(percent: 50), throwsInTheEnd: random.isTrue(percent: 3),
      recordedAt: max(time, lastRecordedAt))
    if random.isTrue(percent: 15) {
      plan.happenedAt = Timestamp(microseconds: time.microseconds - Int64(random.number(-9...9)) * 1_000_000)
    }
    reference.begin(time: plan.happenedAt ?? plan.recordedAt)
    let count = random.number(1...20)
    while plan.steps.count < count, plan.refusal == nil {
      for operation in source.operations(reference.draft, limit: settings.objectLimit) where plan.refusal == nil {
        let refusal = reference.apply(operation)
        let peek = random.isTrue(percent: 3) ? reference.draft : nil
        plan.steps.append(Step(operation: operation, refusal: refusal, peek: peek))
        if !plan.isForgiving { plan.refusal = refusal }
      }
    }
    if plan.refusal != nil || plan.throwsInTheEnd {
      reference.rollBack()
    } else {
      plan.events = reference.events
      plan.refusal = reference.commit()
    }
    if plan.refusal != nil || plan.throwsInTheEnd { plan.events = [] }
    if !plan.events.isEmpty { lastRecordedAt = plan.recordedAt }
    plan.position = reference.state.position
    return plan
  }

  // Performing.

  private func perform(_ plans: [Plan]) throws {
    if plans.count == 1 {
      clock.now = plans[0].time
      return try expect(plans[0]) {
        try store.commit(CommitInfo(happenedAt: plans[0].happenedAt)) { try self.perform(plans[0], $0) }.position
      }
    }
    try store.withSession { session in
      for plan in plans {
        clock.now = plan.time
        try expect(plan) {
          try session.commit(CommitInfo(happenedAt: plan.happenedAt)) { try self.perform(plan, $0) }.position
        }
      }
    }
  }

  private func expect(_ plan: Plan, _ write: () throws -> Position) throws {
    do {
      let position = try write()
      guard plan.refusal == nil, !plan.throwsInTheEnd else {
        throw Mismatch(
          "commit \(commitCount) should be refused: \(plan.refusal?.description ?? "it throws")\n\(text(plan))")
      }
      guard position.number == plan.position else {
        throw Mismatch("the commit has position \(position) instead of \(plan.position)\n\(text(plan))")
      }
    } catch is Stop where plan.throwsInTheEnd && plan.refusal == nil {
      return
    } catch let error as StoreError {
      guard error.code == plan.refusal else {
        throw Mismatch(
          "refused with \(error.code) (\(error)) instead of \(plan.refusal?.description ?? "nothing")\n\(text(plan))")
      }
    }
  }

  private func perform(_ plan: Plan, _ tx: borrowing Transaction) throws {
    for step in plan.steps {
      do {
        try perform(step.operation, tx)
        if step.refusal != nil {
          throw Mismatch("\(step.operation) should be refused with \(step.refusal!)\n\(text(plan))")
        }
      } catch let error as StoreError {
        guard error.code == step.refusal else {
          throw Mismatch(
            "\(step.operation): \(error.code) (\(error)) instead of \(step.refusal?.description ?? "none")\n\(text(plan))"
          )
        }
        if !plan.isForgiving { throw error }
      }
      if let peek = step.peek { try check(peek, tx) }
    }
    if plan.throwsInTheEnd { throw Stop() }
  }

  private func perform(_ operation: ReferenceOperation, _ tx: borrowing Transaction) throws {
    switch operation {
    case .insert(let entity, let values, let id): try tx.insert(entity, values: values, id: id)
    case .rename(let id, let name): try tx.rename(id, to: name)
    case .set(let id, let values): try tx.set(id, values: values)
    case .relate(let id, let name, let target, let place): try tx.relate(id, name, to: target, at: place)
    case .unrelate(let id, let name, let target): try tx.unrelate(id, name, from: target)
    case .delete(let id): try tx.delete(id)
    }
  }

  func text(_ plan: Plan) -> String {
    let steps = plan.steps.map { "  \($0.operation)\($0.refusal.map { " -> \($0)" } ?? "")" }
    return steps.joined(separator: "\n") + "\nevents:\n" + plan.events.map { "  \($0)" }.joined(separator: "\n")
  }

  // Checking.

  private func named(in plans: [Plan]) -> [ObjectID] {
    Array(Set(plans.flatMap(\.events).flatMap { [$0.object, $0.from, $0.to].compactMap { $0 } }))
  }

  /// Compares the events of a commit, and the times in its header.
  private func check(_ plan: Plan) throws {
    guard !plan.events.isEmpty else { return }
    try store.read { reader in
      try reader.journal.withCommit(at: Position(plan.position)) { commit in
        let events = try ReferenceEvent.read(commit, reader.resolvedModel)
        for index in 0..<max(events.count, plan.events.count) {
          let there = index < events.count ? events[index] : nil
          let wanted = index < plan.events.count ? plan.events[index] : nil
          guard there == wanted else {
            throw Mismatch(
              "event \(index) of commit \(plan.position) is\n  \(there?.description ?? "none")\ninstead of\n  \(wanted?.description ?? "none")\n\(text(plan))"
            )
          }
        }
        guard commit.header.recordedAt == plan.recordedAt, commit.header.happenedAt == plan.happenedAt else {
          throw Mismatch("the times of commit \(plan.position) are wrong: \(commit.header)")
        }
      }
    }
  }

  func checkAll() throws {
    try check(Array(reference.state.known.keys))
    try store.read { reader in
      for entity in reference.state.model.model.entities {
        let count = try reader.count(FetchRequest(entity: entity.name))
        let expected = reference.state.objects.values.count { $0.entity == entity.name }
        guard count == expected else { throw Mismatch("there are \(count) \(entity.name) instead of \(expected)") }
      }
    }
  }

  private func check(_ ids: [ObjectID]) throws {
    let state = reference.state
    try store.read { reader in
      guard reader.position.number == state.position else {
        throw Mismatch("the store is at \(reader.position) instead of \(state.position)")
      }
      for id in ids {
        try compare(try reader.get(id), with: state, id) { try reader.targets(of: id, $0) }
        try checkStamps(id, state, reader.reader)
      }
    }
  }

  private func check(_ state: ReferenceState, _ tx: borrowing Transaction) throws {
    for id in state.known.keys {
      try compare(try tx.get(id), with: state, id) { try tx.targets(of: id, $0) }
    }
    try checkFetch(state) { try tx.fetch($0) }
  }

  private func compare(
    _ object: StoredObject?, with state: ReferenceState, _ id: ObjectID, _ targets: (String) throws -> [ObjectID]
  ) throws {
    guard let expected = state.objects[id] else {
      if object != nil { throw Mismatch("\(id) should not be there") }
      return
    }
    guard let object, object.entity == expected.entity else { throw Mismatch("\(expected.entity) \(id) is not there") }
    guard object.createdAt == expected.createdAt, object.changedAt == expected.changedAt else {
      throw Mismatch(
        "the times of \(expected.entity) \(id) are \(object.createdAt), \(object.changedAt) instead of \(expected.createdAt), \(expected.changedAt)"
      )
    }
    guard let entity = state.model.entity(expected.entity) else { return }
    for attribute in entity.attributes {
      let (value, wanted) = (object[attribute.name], state.value(attribute.name, of: id))
      guard value == wanted else {
        throw Mismatch("\(expected.entity).\(attribute.name) of \(id) is \(value) instead of \(wanted)")
      }
    }
    for relationship in entity.relationships {
      let wanted = state.targets(.init(entity.name, relationship.name), id)
      let there = try targets(relationship.name)
      guard there == wanted else {
        throw Mismatch("\(entity.name).\(relationship.name) of \(id) leads to \(there) instead of \(wanted)")
      }
      if !relationship.isMany, object.target(relationship.name) != wanted.first {
        throw Mismatch("the link \(relationship.name) of \(id) is wrong")
      }
    }
  }

  private func checkStamps(_ id: ObjectID, _ state: ReferenceState, _ reader: Reader) throws {
    guard let known = state.known[id], let entity = reader.model.entity(named: known.entity) else { return }
    guard let bytes = try reader.record(of: ObjectKey(entity: entity, id: id)) else {
      throw Mismatch("\(known.entity) \(id) has no record")
    }
    let record = try RecordView(bytes)
    guard record.stamps.last.number == known.last else {
      throw Mismatch("\(known.entity) \(id) was last touched at \(record.stamps.last) instead of \(known.last)")
    }
    guard let object = state.objects[id] else {
      guard record.isTombstone else { throw Mismatch("\(id) has no tombstone") }
      return
    }
    guard record.stamps.created.number == object.created, record.stamps.changed.number == object.changed else {
      throw Mismatch("the positions of \(known.entity) \(id) are wrong: \(record.stamps)")
    }
  }

  private func checkFetch(_ state: ReferenceState, _ fetch: (FetchRequest) throws -> FetchedResults) throws {
    let model = state.model.model
    let entity = random.pick(model.entities)
    var request = FetchRequest(entity: entity.name)
    let condition = random.isTrue(percent: 60) ? self.condition(entity, model, depth: 2) : nil
    request.filter = condition?.filter
    if random.isTrue(percent: 50), !entity.indexes.isEmpty {
      let isTurned = random.isTrue(percent: 30)
      request.sort = random.pick(entity.indexes).terms.map {
        SortTerm($0.path, isDescending: $0.isDescending != isTurned)
      }
    } else {
      for _ in 0..<random.number(0...3) {
        request.sort.append(
          SortTerm(ModelZoo.path(from: entity, in: model, &random), isDescending: random.isTrue(percent: 40)))
      }
    }
    if random.isTrue(percent: 30) {
      request.offset = random.number(0...5)
      request.limit = random.number(0...10)
    }
    let wanted = state.fetch(
      entity.name, where: condition, sort: request.sort, offset: request.offset, limit: request.limit)
    let there = try fetch(request).objects.map(\.id)
    guard there == wanted else {
      throw Mismatch(
        "\(request.entity) where \(request.filter.map { "\($0)" } ?? "-") by \(request.sort) offset \(request.offset) limit \(request.limit.map { "\($0)" } ?? "-"): \(there) instead of \(wanted)"
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
    if random.isTrue(percent: 15) { return .compare([attribute.name], random.pick([.equal, .notEqual]), .null) }
    let operations: [Filter.Operator] =
      attribute.type == .boolean
      ? [.equal, .notEqual] : [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    return .compare([attribute.name], random.pick(operations), random.value(attribute.type!))
  }

  // The way back, and from the beginning.

  /// Folds the commits since rows were kept backward, and compares the rows byte for byte.
  private func checkUndo() throws {
    let model = try store.read { $0.resolvedModel }
    for (position, rows) in history {
      let there = try store.projectionRows(at: Position(position)).withoutDefaults(in: model)
      if let difference = there.firstDifference(from: try rows.withoutDefaults(in: model)) {
        throw Mismatch("folded back from \(reference.state.position) to \(position): \(difference)")
      }
      undoCount += 1
    }
    history.append((reference.state.position, try store.projectionRows()))
    if history.count > 3 { history.remove(at: random.number(0...2)) }
  }

  func checkRebuild() throws {
    let (present, rebuilt) = (try store.projectionRows(), try store.rebuiltRows())
    if let difference = present.firstDifference(from: rebuilt) {
      throw Mismatch("at \(reference.state.position), not what a rebuild gives: \(difference)")
    }
  }

  private func reopen() throws {
    var path = store.path
    let before = try store.projectionRows()
    store.close()
    if random.isTrue(percent: 50) { options.bootIdentifier = "boot \(random.number(0...3))" }
    switch random.number(0...5) {
    case 0: try FileManager.default.removeItem(atPath: path + "/projections")
    case 1:
      let copy = directory.path("store \(operationCount)")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try FileManager.default.removeItem(atPath: path)
      path = copy
    default: break
    }
    store = try Store(at: path, options: options)
    if let difference = try store.projectionRows().firstDifference(from: before) {
      throw Mismatch("after opening again: \(difference)")
    }
  }

  // Models.

  private func changeModel() throws {
    var model = reference.state.model.model
    switch random.number(0...7) {
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
      return try checkAll()  // Objects collide, or lack what the model asks for: nothing has changed.
    }
    guard position.number != reference.state.position else { return }
    reference.evolve(to: model)
    lastRecordedAt = max(clock.now, lastRecordedAt)
    history = []
    try checkAll()
    try checkRebuild()
  }
}
