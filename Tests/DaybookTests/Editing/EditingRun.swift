import DaybookModel
import DaybookTestSupport
import DaybookTools
import DifferenceCases

@testable import Daybook
@testable import DaybookRuntime

/// Edits in contexts over a store with other writers, compared with a reference.
///
/// The reference keeps the state after each step. All results of the contexts and the effects of saving are compared.
final class EditingRun {
  struct Settings {
    var sessionCount = 6
    var stepCount = 25
    var revertCount = 4
    /// The percentage of steps that are commits of other writers.
    var othersPercent = 4
  }

  let settings: Settings
  let feed: FeedRun
  var random: SeededRandom
  private var source: RandomOperations
  /// The number of random actions.
  private(set) var actionCount = 0
  /// The numbers of saves and rebases with commits of others, and with conflicts.
  var mergeCount = 0
  var conflictCount = 0

  // The current session.
  var context: EditingContext
  /// The reference before the first step and after each step, with the step's operations.
  var stack: [(reference: ReferenceStore, edits: [PlainEdit])] = []
  var undone: [(reference: ReferenceStore, edits: [PlainEdit])] = []
  var followers: [Follower] = []
  /// The commits of others since the context's position.
  var others: PlainMerge.Commits = []
  /// Objects that returned: the reference adopts their places in lists from the store.
  var revived: Set<ObjectID> = []
  /// The objects on which this context and other writers work, so that they clash.
  private var focus: ClashingOperations
  var actions: [String] = []

  struct Follower {
    let plain: PlainRequest
    let results: LiveResults<StoredObject>
    var shown: ReferenceState
  }

  init(seed: UInt64, settings: Settings = Settings()) throws {
    self.settings = settings
    random = SeededRandom(seed: ~seed)
    feed = try FeedRun(seed: seed)
    source = RandomOperations(SeededRandom(seed: random.next()))
    focus = ClashingOperations(random: SeededRandom(seed: random.next()))
    context = try feed.store.makeContext()
  }

  func run() throws {
    for _ in 0..<12 { try feed.commit() }
    for _ in 0..<settings.sessionCount {
      do {
        try session()
      } catch {
        throw Mismatch("\(error)\nafter \(actions.suffix(30).joined(separator: "\n"))")
      }
      try checkPast()
    }
    for _ in 0..<settings.revertCount { try revert() }
    try closeAndVerify(feed.store)
  }

  var tip: ReferenceState { stack[stack.count - 1].reference.draft }

  private func session() throws {
    for _ in 0..<random.number(0...2) { try feed.commit() }
    context = try feed.store.makeContext()
    var start = feed.reference
    start.begin(time: feed.clock.now)
    (stack, undone, followers) = ([(start, [])], [], [])
    (others, revived, actions) = ([], [], [])
    focus.begin(start.draft)
    // In a list to which an object returned, only the current order is known, not the order of earlier steps.
    for _ in 0..<settings.stepCount where revived.isEmpty {
      actionCount += 1
      try act()
      if random.isTrue(percent: 40) { try checkAnswer() }
      for index in followers.indices where random.isTrue(percent: 50) { try update(&followers[index]) }
    }
    try end()
  }

  private func act() throws {
    if random.isTrue(percent: settings.othersPercent) { return try commitOfOthers() }
    switch random.number(0...99) {
    case 0...56: try edit()
    case 57...71: try undo()
    case 72...81: try redo()
    case 82...86: try nest()
    case 87...93: try follow()
    case 94...95: if !others.isEmpty { try rebase() }
    default: try refuse()
    }
  }

  /// Draws operations that a state accepts.
  ///
  /// - Returns: The operations, and the effective ones with their events: the others are no edits, and never clash.
  private func operations(_ reference: inout ReferenceStore) -> (all: [ReferenceOperation], edits: [PlainEdit]) {
    var (all, edits): ([ReferenceOperation], [PlainEdit]) = ([], [])
    for _ in 0..<random.number(1...3) {
      let drawn =
        random.isTrue(percent: 50)
        ? focus.operations(reference.draft) : source.operations(reference.draft, limit: 25)
      for operation in drawn {
        let before = reference
        guard reference.apply(operation) == nil else { continue }
        all.append(operation)
        let events = Array(reference.events[before.events.count...])
        if !events.isEmpty {
          edits.append(PlainEdit(operation: before.draft.changes(of: operation), events: events))
        }
      }
    }
    return (all, edits)
  }

  private func edit() throws {
    var reference = stack[stack.count - 1].reference
    let operations = operations(&reference)
    actions.append("edit \(operations.all)")
    try context.edit { tx in for operation in operations.all { try feed.perform(operation, tx) } }
    guard !operations.edits.isEmpty else { return }
    stack.append((reference, operations.edits))
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

  /// Edits in a nested context, which becomes one step or none.
  private func nest() throws {
    let form = context.makeContext()
    var reference = stack[stack.count - 1].reference
    var edits: [PlainEdit] = []
    for _ in 0..<random.number(1...3) {
      let operations = operations(&reference)
      actions.append("nested edit \(operations.all)")
      try form.edit { tx in for operation in operations.all { try feed.perform(operation, tx) } }
      edits += operations.edits
    }
    let plain = feed.requests.editingRequest(reference.draft)
    let wanted = EditingRun.ids(plain, reference.draft)
    let there = SectionedIDs(try form.fetch(plain.request), plain.request)
    guard there == wanted else { throw Mismatch("\(plain)\nnested it is \(there) instead of \(wanted)") }
    guard random.isTrue(percent: 60) else {
      actions.append("cancel nested")
      return form.cancel()
    }
    actions.append("save nested")
    try form.save()
    guard !edits.isEmpty else { return }
    stack.append((reference, edits))
    undone = []
  }

  private func follow() throws {
    guard followers.count < 3 else { return }
    let plain = feed.requests.editingRequest(tip)
    followers.append(Follower(plain: plain, results: try context.liveResults(of: plain.request), shown: tip))
  }

  /// Commits as another writer; the context must not see the commit.
  private func commitOfOthers() throws {
    let now = feed.clock.now
    let isFocused = random.isTrue(percent: 60)
    let done = try feed.commit(isFocused ? { self.focus.operations($0) } : nil)
    feed.clock.advance(byMicroseconds: now.microseconds - feed.clock.now.microseconds)
    guard let done else { return }
    actions.append("others \(done)")
    others.append((feed.head, feed.reference.events))
  }

  /// Performs edits of which one throws, and checks that nothing changed.
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

  /// Compares a past position with the reference's state at that position.
  private func checkPast() throws {
    let position = UInt64(random.number(1...Int(feed.head)))
    let plain = feed.requests.request(feed.state(at: position))
    actionCount += 1
    let there = SectionedIDs(try feed.store.at(Position(position)).fetch(plain.request), plain.request)
    let wanted = EditingRun.ids(plain, feed.state(at: position))
    guard there == wanted else { throw Mismatch("\(plain)\nat \(position) it was \(there) instead of \(wanted)") }
  }

  /// Reverts the last commits, to which there is no obstacle, and then reverts the revert.
  private func revert() throws {
    let head = try feed.store.position
    guard head > 1 else { return }
    let first = Position(UInt64(random.number(max(2, Int(head.number) - 12)...Int(head.number))))
    actionCount += 2
    do {
      let reverted = try feed.store.undo(.commits(first, through: head))[0].position
      guard try hash(at: reverted) == hash(at: Position(first.number - 1)) else {
        throw Mismatch("reverting \(first) to \(head) does not lead back")
      }
      guard reverted > head else { return }
      try feed.store.undo(.commit(reverted))
      guard try stateHash() == hash(at: head) else { throw Mismatch("reverting the revert of \(first) to \(head)") }
    } catch let error as StoreError {
      throw Mismatch("reverting \(first) to \(head): \(error)")
    }
  }

  private func hash(at position: Position) throws -> String {
    "\(try feed.store.at(position).read { try $0.stateHash() })"
  }

  // Checks.

  static func ids(_ plain: PlainRequest, _ state: ReferenceState) -> SectionedIDs<ObjectID> {
    PlainResult(plain, in: state).ids(plain.request)
  }

  private func checkAnswer() throws {
    let plain = feed.requests.editingRequest(tip)
    let there = SectionedIDs(try context.fetch(plain.request), plain.request)
    let wanted = EditingRun.ids(plain, tip)
    guard there == wanted else { throw Mismatch("\(plain)\nit is \(there) instead of \(wanted)") }
  }

  func update(_ follower: inout Follower) throws {
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

  func stateHash() throws -> String { "\(try feed.store.statistics().stateHash)" }
}

extension PlainResult {
  /// Returns the ids of the window by section.
  func ids(_ request: Request<StoredObject>) -> SectionedIDs<ObjectID> {
    var sections: [(name: String, ids: [ObjectID])] = request.section == nil ? [("", [])] : []
    for row in window {
      if !(sections.last.map { $0.name.utf8.elementsEqual(row.section.utf8) } ?? false) {
        sections.append((row.section, []))
      }
      sections[sections.count - 1].ids.append(row.id)
    }
    return SectionedIDs(sections: sections.map { .init(name: $0.name, rows: $0.ids) })
  }
}
