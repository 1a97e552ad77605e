import DaybookModel
import DaybookTestSupport
import DifferenceCases

@testable import Daybook

/// Edits in contexts over a store that others write to, and compares all that the contexts show, and what saving them
/// does, with a reference that keeps the state after each step.
final class EditingRun {
  struct Settings {
    var sessionCount = 6
    var stepCount = 25
    var revertCount = 4
  }

  private let settings: Settings
  private let feed: FeedRun
  private var random: SeededRandom
  private var source: RandomOperations
  /// How many random actions were made.
  private(set) var actionCount = 0

  // The session under way.
  private var context: EditingContext
  /// The reference after each step that stands, from before the first one; with the step's operations.
  private var stack: [(reference: ReferenceStore, operations: [ReferenceOperation])] = []
  private var undone: [(reference: ReferenceStore, operations: [ReferenceOperation])] = []
  private var followers: [Follower] = []
  private var hasOthersCommitted = false
  private var actions: [String] = []

  private struct Follower {
    let plain: PlainRequest
    let results: EditingResults
    var shown: ReferenceState
  }

  init(seed: UInt64, settings: Settings = Settings()) throws {
    self.settings = settings
    random = SeededRandom(seed: ~seed)
    feed = try FeedRun(seed: seed)
    source = RandomOperations(SeededRandom(seed: random.next()))
    context = try feed.store.makeContext()
  }

  func run() throws {
    for _ in 0..<12 { try feed.commit() }
    for _ in 0..<settings.sessionCount {
      do {
        guard try session() else { break }
      } catch {
        throw Mismatch("\(error)\nafter \(actions.suffix(30).joined(separator: "\n"))")
      }
      try checkPast()
    }
    for _ in 0..<settings.revertCount { try revert() }
    try closeAndVerify(feed.store)
  }

  private var tip: ReferenceState { stack[stack.count - 1].reference.draft }

  /// - Returns: Whether the reference knows what the store holds afterwards.
  private func session() throws -> Bool {
    for _ in 0..<random.number(0...2) { try feed.commit() }
    context = try feed.store.makeContext()
    var start = feed.reference
    start.begin(time: feed.clock.now)
    (stack, undone, followers) = ([(start, [])], [], [])
    (hasOthersCommitted, actions) = (false, [])
    for _ in 0..<settings.stepCount {
      actionCount += 1
      try act()
      if random.isTrue(percent: 40) { try checkAnswer() }
      for index in followers.indices where random.isTrue(percent: 50) { try update(&followers[index]) }
    }
    return try end()
  }

  private func act() throws {
    switch random.number(0...99) {
    case 0...54: try edit()
    case 55...69: try undo()
    case 70...79: try redo()
    case 80...85: try nest()
    case 86...91: try follow()
    case 92...95: try commitOfOthers()
    default: try refuse()
    }
  }

  /// Draws operations that a state takes.
  ///
  /// - Returns: The operations, and what they really change: the rest is no edit, and never meets what others do.
  private func operations(
    _ reference: inout ReferenceStore
  ) -> (all: [ReferenceOperation], changing: [ReferenceOperation]) {
    var (all, changing): ([ReferenceOperation], [ReferenceOperation]) = ([], [])
    for _ in 0..<random.number(1...3) {
      for operation in source.operations(reference.draft, limit: 25) {
        let before = reference
        guard reference.apply(operation) == nil else { continue }
        all.append(operation)
        if reference.events.count > before.events.count { changing.append(before.draft.changes(of: operation)) }
      }
    }
    return (all, changing)
  }

  private func edit() throws {
    var reference = stack[stack.count - 1].reference
    let before = reference.events.count
    let operations = operations(&reference)
    actions.append("edit \(operations.all)")
    try context.edit { tx in for operation in operations.all { try feed.perform(operation, tx) } }
    guard reference.events.count > before else { return }
    stack.append((reference, operations.changing))
    undone = []
  }

  private func undo() throws {
    actions.append("undo")
    guard try context.undo() == (stack.count > 1) else { throw Mismatch("undo") }
    if stack.count > 1 { undone.append(stack.removeLast()) }
  }

  private func redo() throws {
    actions.append("redo")
    guard try context.redo() == !undone.isEmpty else { throw Mismatch("redo") }
    if let step = undone.popLast() { stack.append(step) }
  }

  /// Edits in a context on top, which becomes one step or nothing.
  private func nest() throws {
    let form = context.makeContext()
    var reference = stack[stack.count - 1].reference
    let before = reference.events.count
    var all: [ReferenceOperation] = []
    for _ in 0..<random.number(1...3) {
      let operations = operations(&reference)
      actions.append("nested edit \(operations.all)")
      try form.edit { tx in for operation in operations.all { try feed.perform(operation, tx) } }
      all += operations.changing
    }
    let plain = feed.requests.request(reference.draft)
    let wanted = EditingRun.ids(plain, reference.draft)
    let there = SectionedIDs(try form.fetch(plain.request), plain.request)
    guard there == wanted else { throw Mismatch("\(plain)\nnested it is \(there) instead of \(wanted)") }
    guard random.isTrue(percent: 60) else {
      actions.append("cancel nested")
      return form.cancel()
    }
    actions.append("save nested")
    try form.save()
    guard reference.events.count > before else { return }
    stack.append((reference, all))
    undone = []
  }

  private func follow() throws {
    guard followers.count < 3 else { return }
    let plain = feed.requests.request(tip)
    followers.append(Follower(plain: plain, results: try context.results(of: plain.request), shown: tip))
  }

  /// Others commit, which the context must not see.
  private func commitOfOthers() throws {
    let now = feed.clock.now
    actions.append("others \(try feed.commit() ?? [])")
    feed.clock.advance(byMicroseconds: now.microseconds - feed.clock.now.microseconds)
    hasOthersCommitted = true
  }

  /// An edit that throws leaves nothing behind.
  private func refuse() throws {
    var reference = stack[stack.count - 1].reference
    let operations = operations(&reference)
    actions.append("refused \(operations.all)")
    do {
      try context.edit { tx in
        for operation in operations.all { try feed.perform(operation, tx) }
        throw Refused()
      }
    } catch is Refused {}
  }

  private struct Refused: Error {}

  /// A position of the past holds what the reference held then.
  private func checkPast() throws {
    let position = UInt64(random.number(1...Int(feed.head)))
    let plain = feed.requests.request(feed.state(at: position))
    actionCount += 1
    let there = SectionedIDs(try feed.store.at(Position(position)).fetch(plain.request), plain.request)
    let wanted = EditingRun.ids(plain, feed.state(at: position))
    guard there == wanted else { throw Mismatch("\(plain)\nat \(position) it was \(there) instead of \(wanted)") }
  }

  /// Reverts the last commits, which nothing can stand in the way of, and then reverts that.
  private func revert() throws {
    let head = try feed.store.head()
    guard head > 1 else { return }
    let first = Position(UInt64(random.number(max(2, Int(head.number) - 12)...Int(head.number))))
    actionCount += 2
    do {
      let reverted = try feed.store.revert(first, through: head)
      guard try hash(at: reverted) == hash(at: Position(first.number - 1)) else {
        throw Mismatch("reverting \(first) to \(head) does not lead back")
      }
      guard reverted > head else { return }
      try feed.store.revert(reverted)
      guard try stateHash() == hash(at: head) else { throw Mismatch("reverting the revert of \(first) to \(head)") }
    } catch let error as StoreError {
      throw Mismatch("reverting \(first) to \(head): \(error)")
    }
  }

  private func hash(at position: Position) throws -> String {
    "\(try feed.store.at(position).read { try $0.stateHash() })"
  }

  // Checks.

  private static func ids(_ plain: PlainRequest, _ state: ReferenceState) -> SectionedIDs<ObjectID> {
    PlainResult(plain, in: state).ids(plain.request)
  }

  private func checkAnswer() throws {
    let plain = feed.requests.request(tip)
    let there = SectionedIDs(try context.fetch(plain.request), plain.request)
    let wanted = EditingRun.ids(plain, tip)
    guard there == wanted else { throw Mismatch("\(plain)\nit is \(there) instead of \(wanted)") }
  }

  private func update(_ follower: inout Follower) throws {
    let (old, new) = (PlainResult(follower.plain, in: follower.shown), PlainResult(follower.plain, in: tip))
    let shown = try follower.results.ids
    guard shown == old.ids(follower.plain.request) else {
      throw Mismatch("\(follower.plain)\nit shows \(shown) before it is updated")
    }
    let change = try follower.results.update()
    let difference = change?.difference ?? Difference(sections: [], rows: [])
    do {
      guard change?.isReset != true else { throw Mismatch("a reset") }
      try old.situation(to: new, follower.plain.request).checkLeads(difference.plain)
      guard try shown.applying(difference) == new.ids(follower.plain.request) else { throw Mismatch("applied") }
    } catch {
      throw Mismatch("\(follower.plain)\n\(error)\n\(difference)")
    }
    follower.shown = tip
  }

  // The end of a session.

  private func end() throws -> Bool {
    let (head, hash) = (feed.head, try stateHash())
    guard context.hasChanges == (stack.count > 1) else { throw Mismatch("it has changes, or none") }
    var expected = feed.reference
    expected.begin(time: feed.clock.now)
    let operations = stack.flatMap(\.operations)
    let isPlain = operations.allSatisfy { expected.apply($0) == nil }
    if !isPlain || random.isTrue(percent: 25) {
      context.cancel()
      guard try stateHash() == hash, try feed.store.head().number == head else { throw Mismatch("cancel left a trace") }
      for index in followers.indices {
        stack = [stack[0]]
        try update(&followers[index])
      }
      return true
    }
    if hasOthersCommitted, random.isTrue(percent: 15) {
      // What becomes of it no reference says; the store is verified as it closes.
      _ = try? context.save(resolving: .theirs)
      return false
    }
    return try save(expected, isEmpty: expected.events.isEmpty)
  }

  private func save(_ expected: ReferenceStore, isEmpty: Bool) throws -> Bool {
    var expected = expected
    let plain = feed.requests.request(expected.draft)
    let (head, refusal) = (Position(feed.head), expected.commit())
    if hasOthersCommitted, random.isTrue(percent: 40) { try context.rebase(resolving: .mine) }
    let preview = try context.preview(of: [plain.request], resolving: .mine)
    do {
      actions.append("save")
      let position = try context.save(CommitInfo(happenedAt: feed.clock.now), resolving: .mine)
      guard refusal == nil else { throw Mismatch("saved, but the reference says \(refusal!)") }
      guard position.number == (isEmpty ? head.number : head.number + 1) else { throw Mismatch("saved at \(position)") }
    } catch let error as StoreError {
      guard let refusal, error.code == refusal, preview.failures.first?.code == refusal else {
        throw Mismatch("\(error), foreseen: \(preview.failures)")
      }
      context.cancel()
      return true
    }
    if !isEmpty {
      feed.adopt(expected)
      let change = try feed.store.difference(of: plain.request, from: head)
      guard preview.failures.isEmpty,
        change.isEmpty
          ? preview.differences[plain.request] == nil
          : preview.differences[plain.request] == change
      else { throw Mismatch("\(plain)\nforeseen \(preview), but it became \(change)") }
      var log = try feed.store.log(from: head.next)
      guard try log.next()?.events == preview.events else { throw Mismatch("other events than were foreseen") }
    }
    let there = SectionedIDs(try feed.store.fetch(plain.request), plain.request)
    guard there == EditingRun.ids(plain, feed.reference.state) else { throw Mismatch("\(plain)\nsaved it is \(there)") }
    return true
  }

  private func stateHash() throws -> String { "\(try feed.store.statistics().stateHash)" }
}

extension PlainResult {
  /// The ids of the window by section.
  func ids(_ request: FetchRequest) -> SectionedIDs<ObjectID> {
    var sections: [(name: String, ids: [ObjectID])] = request.section == nil ? [("", [])] : []
    for row in window {
      if !(sections.last.map { $0.name.utf8.elementsEqual(row.section.utf8) } ?? false) {
        sections.append((row.section, []))
      }
      sections[sections.count - 1].ids.append(row.id)
    }
    return SectionedIDs(sections: sections.map { .init(name: $0.name, ids: $0.ids) })
  }
}

extension ReferenceState {
  /// An operation without the values that are there already.
  fileprivate func changes(of operation: ReferenceOperation) -> ReferenceOperation {
    guard case .set(let id, let values) = operation, let object = objects[id] else { return operation }
    return .set(id, values.filter { (object.values[$0.key] ?? .null) != $0.value })
  }
}
