import DaybookEngine
import DaybookModel
import DaybookRuntime

extension EditingContext {
  /// Writes the edits as one commit, or as one step of the context below.
  ///
  /// Commits since ``position`` are kept: the edits are carried out again on the present state. Where both changed the
  /// same fact, `policy` decides. Afterwards the context has no edits and is at the returned position, also if there was
  /// nothing to write.
  ///
  /// An edit belongs to the attribute, relationship, entity or named event that it was made for, whatever later models
  /// call it.
  ///
  /// If anything throws, nothing was written and the edits are unchanged. With the code `unknownOutcome`, open the
  /// store again and save with the same commit id: if the journal contains it, `save` returns its position.
  ///
  /// - Parameters:
  ///   - info: The commit's author, message and other information; a context on top of another one ignores it.
  ///   - policy: How conflicts are decided.
  /// - Returns: The position of the commit, or the head if there is nothing to write.
  /// - Throws: `StoreError`: `conflict` with the conflicts if the policy refuses, `constraint` if the
  ///   result would break one, `exists` for an identity that another commit gave to an object of another entity, `busy`
  ///   while a context on top of this one has edits, and every error of ``Store/commit(_:_:)``.
  /// - Complexity: O(*k* log *n*) for *k* edits and events since ``position``.
  @discardableResult
  public func save(_ info: CommitInfo = CommitInfo(), resolving policy: ConflictPolicy = .refuse) throws -> Position {
    let settled: Position? = try locked {
      try checkFree()
      switch ground {
      case .context(let context):
        try save(into: context)
        return root.base.position
      case .store: return steps.isEmpty ? try settle(at: nil) : nil
      }
    }
    return try settled ?? save(to: store, info, policy)
  }

  /// Writes the edits as one commit by an author; see ``save(_:resolving:)``.
  ///
  /// - Throws: As ``save(_:resolving:)``.
  @discardableResult
  public func save(
    author: String?, message: String? = nil, resolving policy: ConflictPolicy = .refuse
  ) throws -> Position {
    try save(CommitInfo(author: author, message: message), resolving: policy)
  }

  private func save(into context: EditingContext) throws {
    guard !steps.isEmpty else { return cancel() }
    try context.withTip { tip in
      let (_, step) = try context.root.base.makeStep(
        over: tip, at: context.nextStepPosition, largeValues, in: store
      ) { tx in
        var replay = try EditingReplay()
        for step in steps { try replay.perform(step, with: tx.builder, NoJournal()) }
      }
      let edits = (layer: pending, steps: steps)
      forgetEdits()
      note(EditingTransition(inverse: edits.layer, changes: edits.steps.flatMap(\.changes)))
      if let step { try context.add(step, over: tip) }
    }
  }

  /// Saves to the store.
  ///
  /// A write may read the context, and an edit may write to the store. So this takes the store's write lock first, and
  /// never waits for one of both locks while it holds the other one.
  private func save(to store: Store, _ info: CommitInfo, _ policy: ConflictPolicy) throws -> Position {
    while true {
      var hasLock = false
      defer { if hasLock { lock.unlock() } }
      let saved: Position? = try store.writer.write { session in
        hasLock = lock.try()
        return hasLock ? try save(in: session, info, policy) : nil
      } didFail: {
        // The session may run again, after another write that reads the context.
        if hasLock { lock.unlock() }
        hasLock = false
      }
      if let saved {
        settleOrForget(at: saved)
        return saved
      }
      locked {}
    }
  }

  private func save(in session: WriteSession, _ info: CommitInfo, _ policy: ConflictPolicy) throws -> Position {
    try checkFree()
    return try session.commitOnce(info) { tx in
      // A conflict may be decided on a value that only this context has.
      tx.builder.largeValues.offer(largeValues.values)
      let clashes = try clashes(in: session.journalReader, through: session.head, under: session.model)
      var replay = try EditingReplay(clashes, resolving: policy)
      try replay.perform(steps, with: tx.builder, session.journalReader)
    }.position
  }

  private func settleOrForget(at position: Position) {
    do {
      _ = try settle(at: position)
    } catch {
      // The commit is in the journal, so saving succeeded. The next read throws the error.
      forgetEdits()
      note(EditingTransition(inverse: Layer(), changes: [], isComplete: false))
    }
  }

  /// Bases the context on a position of the store, without edits.
  ///
  /// - Parameter position: The position; `nil` for the head.
  /// - Returns: The position.
  private func settle(at position: Position?) throws -> Position {
    try store.read { reader in
      let next = try EditingBase(reader, at: position)
      // The state shown until here is the present with the whole transition on top. A commit id can lead to a commit
      // before the edits' position, which the transition does not reach.
      let isForward = next.position >= base.position
      let transition =
        isForward
        ? try transition(from: reader, adding: []) : EditingTransition(inverse: Layer(), changes: [], isComplete: false)
      (base, pending) = (next, Layer())
      (steps, undone) = ([], [])
      largeValues.removeAll()
      note(transition)
      return base.position
    }
  }

  /// Returns the transition from the present, with new steps applied, back to the state shown.
  func transition(from reader: borrowing StoreReader, adding layers: [Layer]) throws -> EditingTransition {
    let inverse = Layer()
    do {
      try base.extend(to: reader, limitInBytes: store.options.viewOfPastLimitInBytes)
    } catch let error as StoreError where error.code == .expired {
      // There is no way back to the state shown, so open results get a reset.
      return EditingTransition(inverse: inverse, changes: [], isComplete: false)
    }
    for layer in layers { inverse.absorb(try reader.reader.inverse(of: layer)) }
    base.takeBack(into: inverse, over: reader.reader)
    inverse.absorb(pending)
    var changes = steps.flatMap(\.changes)
    try reader.journal.forEachCommit(from: base.position.next, through: reader.position) { commit in
      guard !commit.header.isModel else { return true }
      let position = commit.header.position
      try commit.events.forEachChange(in: base.model) { changes.append(CausedChange(change: $0, cause: position)) }
      return true
    }
    return EditingTransition(inverse: inverse, changes: changes)
  }

  /// Discards the edits, which neither the store nor a context below has seen.
  ///
  /// Cancels the contexts on top of this one too.
  public func cancel() {
    locked {
      for child in openChildren { child.cancel() }
      let transition = EditingTransition(inverse: pending, changes: steps.flatMap(\.changes))
      let hadSteps = !steps.isEmpty
      forgetEdits()
      if hadSteps { note(transition) }
    }
  }

  private func forgetEdits() {
    pending = Layer()
    (steps, undone) = ([], [])
    if case .store = ground { largeValues.removeAll() }
  }

  /// Carries the edits out again on the present state, and bases the context on that state.
  ///
  /// Results of the context get the changes as a difference. Steps can still be undone afterwards.
  ///
  /// - Returns: The new position.
  /// - Throws: `StoreError`: `conflict` with the conflicts if the policy refuses, `constraint` if a delete
  ///   rule refuses, `exists` for an identity that another commit gave to an object of another entity, `badRequest` in
  ///   a context on top of another one, `busy` while a context on top of this one has edits. If anything throws, the
  ///   context is unchanged.
  /// - Complexity: O(*k* log *n*) for *k* edits and events since ``position``.
  @discardableResult
  public func rebase(resolving policy: ConflictPolicy = .refuse) throws -> Position {
    try locked {
      guard case .store = ground else {
        throw StoreError(
          .badRequest, "This context is on top of another one, with which it is rebased.",
          advice: "Save it into that one, and rebase that one.")
      }
      try checkFree()
      return try store.read { reader in
        guard reader.position > base.position else { return base.position }
        let clashes = try clashes(in: reader.journal, through: reader.position, under: reader.resolvedModel)
        let replay = try EditingReplay(clashes, resolving: policy)
        let next = try EditingBase(reader, at: nil)
        let (layer, moved) = try redo(with: replay, on: next, reader)
        var transition = try transition(from: reader, adding: [layer])
        transition.changes += moved.flatMap(\.changes)
        (base, pending) = (next, layer)
        (steps, undone) = (moved, [])
        note(transition)
        return base.position
      }
    }
  }

  /// Carries the steps out again over the present state.
  private func redo(
    with replay: EditingReplay, on base: EditingBase, _ reader: borrowing StoreReader
  ) throws -> (layer: Layer, steps: [PendingStep]) {
    var replay = replay
    let layer = Layer()
    let tip = reader.reader.reading(largeValues: largeValues).adding(layer)
    var moved: [PendingStep] = []
    for (number, step) in steps.enumerated() {
      let isLast = number == steps.count - 1
      let position = Position(base.position.number + UInt64(moved.count) + 1)
      let journal = reader.journal
      let (_, made) = try base.makeStep(over: tip, at: position, largeValues, in: store) { tx in
        try replay.perform(step, with: tx.builder, journal)
        if isLast { try replay.finish(with: tx.builder) }
      }
      guard let made else { continue }
      layer.absorb(made.layer)
      moved.append(made.step)
    }
    return (layer, moved)
  }

  /// Returns the conflicts between the edits and the commits after ``position``.
  ///
  /// - Parameter model: The model at the head.
  func clashes(
    in journal: some Journal, through head: Position, under model: ResolvedModel
  ) throws -> EditingClashes {
    guard head > base.position, !steps.isEmpty else { return EditingClashes() }
    var finder = ConflictFinder(steps, in: base.model)
    try journal.forEachCommit(from: base.position.next, through: head) { commit in
      if !commit.header.isModel { try finder.read(commit) }
      return true
    }
    let models = try journal.modelPositions().filter { $0 > base.position && $0 <= head }
    return try finder.clashes(under: model, of: models)
  }
}

/// The journal for a state without later commits, where nothing is looked up.
private struct NoJournal: Journal {
  func head() throws -> Position { .empty }

  func header(at position: Position) throws -> (header: CommitHeader, hash: Digest) {
    throw StoreError(.notFound, "There is no commit \(position).")
  }

  func withCommit<Result>(at position: Position, _ body: (CommitView) throws -> Result) throws -> Result {
    throw StoreError(.notFound, "There is no commit \(position).")
  }

  func forEachCommit(from first: Position, through last: Position?, _ body: (CommitView) throws -> Bool) throws {}

  func modelPositions() throws -> [Position] { [] }

  func position(ofCommitID id: ObjectID) throws -> Position? { nil }
}
