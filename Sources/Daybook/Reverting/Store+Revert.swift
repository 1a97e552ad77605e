import DaybookEngine
import DaybookModel

extension Store {
  /// Undoes commits, in a new commit of the inverse events.
  ///
  ///     try store.revert(7)                  // what commit 7 did is undone; the journal has both
  ///     try store.revert(5, through: 7)
  ///
  /// Nothing is removed from the journal: reverting a revert restores the changes.
  ///
  /// If later commits changed the same attributes or links, or objects that would be deleted or inserted again, it
  /// throws with a list of these commits. Later commits that cancel out do not prevent a revert: commits can be undone
  /// one after the other, the last one first.
  ///
  /// The new commit names the reverted ones (``Commit/undoes``), which therefore count as undone for ``undo(author:steps:as:force:message:)``.
  ///
  /// If `info` has a commit id that the journal contains, the known position is returned.
  ///
  /// - Parameters:
  ///   - first: The first commit to undo; not the commit of a model.
  ///   - last: The last commit to undo; `nil` for the first alone.
  ///   - isForced: Whether later commits are ignored: their changes are overwritten, and events that cannot be undone,
  ///     because their objects do not exist, are skipped.
  ///   - info: The information of the new commit; the default message names the commits that it reverts.
  /// - Returns: The position of the new commit, or the head if nothing was left to undo.
  /// - Throws: `StoreError`: `conflict` with the list, `badRequest` for the commit of a model, `notFound` for positions
  ///   that are no commits, `constraint` if the result would break one.
  /// - Complexity: O(*k* log *n*) for *k* events from the first commit to the head.
  @discardableResult
  public func revert(
    _ first: Position, through last: Position? = nil, force isForced: Bool = false, info: CommitInfo = CommitInfo()
  ) throws -> Position {
    let last = last ?? first
    guard first <= last else {
      throw StoreError(
        .badRequest, "Commit \(first) is not before commit \(last).", advice: "Give the earlier one first.")
    }
    guard last.number - first.number < PositionList.maximumCount else {
      throw StoreError(
        .tooLarge, "Commits \(first) to \(last) are too many; \(PositionList.maximumCount) can be reverted together.",
        advice: "Revert them in several steps, the last ones first.")
    }
    var info = info.completed()
    info.undoes = PositionList(first, through: last)
    info.message = info.message ?? (first == last ? "Revert \(first)" : "Revert \(first) to \(last)")
    return try opened.withSession { session in
      try session.commitOnce(info) { tx in
        try session.checkRevertible(first, last)
        if !isForced { try session.checkUntouched(first, last) }
        try tx.builder.undo(first, last, in: session.journalReader, isForced: isForced)
      }.position
    }
  }
}

private extension WriteSession {
  func checkRevertible(_ first: Position, _ last: Position) throws {
    guard first > .empty, last <= head else {
      throw StoreError(
        .notFound, "There is no commit \(first > .empty ? last : first); the head is \(head).",
        advice: "Give positions from 1 to the head.")
    }
    if let model = try journalReader.modelPositions().first(where: { (first...last).contains($0) }) {
      throw StoreError(
        .badRequest, "Commit \(model) changed the model, which cannot be reverted.",
        advice: "Apply the former model instead.")
    }
  }

  /// - Throws: `StoreError` with the code `conflict` and the list of later commits that changed the same facts.
  func checkUntouched(_ first: Position, _ last: Position) throws {
    var reverted = ChangedFacts()
    try forEachEvent(from: first, through: last) { _, event in try reverted.add(event, in: model) }
    var facts: Set<Fact> = []
    try forEachEvent(from: last.next, through: head) { _, event in
      facts.formUnion(try reverted.facts(changedBy: event, in: model))
    }
    if facts.isEmpty { return }
    let past = try State(reader: reader, dependents: dependents, position: head)
      .rewound(to: last, in: journalReader, parts: [])
    let comparison = FactComparison(old: past.reader, new: reader)
    let changed = try facts.filter { try !comparison.isSame($0) }
    var conflicts = ConflictList()
    try forEachEvent(from: last.next, through: head) { position, event in
      guard try !reverted.facts(changedBy: event, in: model).isDisjoint(with: changed) else { return }
      conflicts.add(position, try describe(event))
    }
    try conflicts.check(reverting: first, last)
  }

  /// Returns a short description of an event's change.
  private func describe(_ event: EventView) throws -> String {
    let entity = model.entity(tagged: event.entity).map { model.entities[$0] }
    let object = "\(entity?.name ?? "?") \(event.object)"
    switch event.kind {
    case .inserted: return "\(object) was inserted"
    case .deleted: return "\(object) was deleted"
    case .recorded: return "\(object) was recorded about"
    case .unknown: return "\(object) was touched by a later version of Daybook"
    case .renamed, .set:
      let names = try EventSubjects(of: event).attributeNames(in: model)
      return "\(object): \(names.joined(separator: ", ")) changed"
    case .related, .unrelated:
      guard let link = event.link, let reference = model.relationship(tagged: link.relationship) else { return object }
      return "\(object): \(model[reference].name) changed"
    }
  }
}

/// The list of changes that prevent a revert, for an error message.
private struct ConflictList {
  private var lines: [String] = []
  private var count = 0

  /// The most conflicts that the error lists.
  private static let maximumListed = 20

  mutating func add(_ position: Position, _ text: String) {
    count += 1
    if lines.count < ConflictList.maximumListed { lines.append("  commit \(position): \(text)") }
  }

  func check(reverting first: Position, _ last: Position) throws {
    guard count > 0 else { return }
    let what = first == last ? "Commit \(first)" : "Commits \(first) to \(last)"
    let more = count > lines.count ? "\n  and \(count - lines.count) more" : ""
    throw StoreError(
      .conflict, "\(what) cannot be reverted: later commits changed the same.\n\(lines.joined(separator: "\n"))\(more)",
      advice: "Revert these first, or force it, which overwrites what they wrote.")
  }
}
