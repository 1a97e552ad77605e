import DaybookEngine
import DaybookModel
import LMDB
import WorkLimits

/// Helpers that the parts of user projections share.
extension ProjectionKeeper {
  /// Begins a write transaction of the projections' environment alone.
  ///
  /// Before rows change, the journal must mark them as in use; otherwise rows torn by a crash of the operating system
  /// would be trusted afterwards. Marking rows as clean takes both write locks, so the mark that is read under this
  /// lock stays.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write.
  /// - Throws: `ProjectionsReplaced` if the journal does not trust these projections; `LMDBError` of kind `writerBusy`.
  func beginWrite(to opened: OpenProjections, waitingAtMost limit: Duration? = nil) throws -> WriteTransaction {
    while true {
      let transaction = try opened.environment.beginWrite(waitingAtMost: limit)
      if try isMarked(files.journalEnvironment.withSnapshot { marker(in: $0) }, opened) {
        noteWriting()
        return transaction
      }
      transaction.abort()
      var journal = try files.journalEnvironment.beginWrite(waitingAtMost: limit)
      let present = marker(in: journal.snapshot)
      try checkCurrent(opened, present)
      if try markInUse(opened, present, in: &journal) { try journal.commit(isDurable: true) }
    }
  }

  /// Returns the projection with a name, or `nil` if this process does not know it.
  package func knownProjection(_ name: String) -> (any Projection)? {
    files.options.projections.first { $0.name == name }
  }

  /// Runs steps until the goal is reached or the projection stops.
  ///
  /// - Parameters:
  ///   - limit: How long each step waits for other writers; `nil` for as long as they write.
  ///   - afterStep: Called after each step. If it throws, the work ends, and a later call resumes it.
  /// - Returns: The outcome of the last step.
  /// - Throws: `LMDBError` of kind `writerBusy` if others write for longer than the limit; what `afterStep` throws.
  @discardableResult
  package func run(
    _ projection: any Projection, _ goal: ProjectionStep.Goal, waitingAtMost limit: Duration? = nil,
    afterStep: (ProjectionStep.Outcome) throws -> Void = { _ in }
  ) throws -> ProjectionStep.Outcome {
    for name in projection.reads {
      guard let other = knownProjection(name) else { continue }
      // It is applied up to the checkpoints of the projections that it reads.
      try run(other, .current, waitingAtMost: limit, afterStep: afterStep)
    }
    try register(projection, waitingAtMost: limit)
    let step = ProjectionStep(keeper: self, projection: projection, goal: goal)
    while true {
      try files.checkOpen()
      // The objects that the projection reads are there when its rows are.
      if !projection.entities.isEmpty { try foldMissingCommits() }
      // A limit of the caller would end a step half way, and the next one would begin it again.
      let outcome = try WorkLimit.suspending {
        try growing { try healing { try step.perform(waitingAtMost: limit) } }
      }
      try WorkLimit.check()
      try afterStep(outcome)
      if outcome.isDone || outcome.stop != nil { return outcome }
    }
  }

  /// Performs the effects of a run after storing durably that they have begun.
  func performEffects(of run: ProjectionRun) throws {
    guard let position = run.effectsThrough else { return }
    try changeLedger(of: run.projection.name) { ledger in
      ledger.effectsThrough = max(ledger.effectsThrough, position)
    }
    run.performEffects()
  }

  /// Changes the ledger of a projection. When this returns, the change is on disk.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write.
  package func changeLedger(
    of name: String, waitingAtMost limit: Duration? = nil, _ change: (inout ProjectionLedger) -> Void
  ) throws {
    try files.writeJournal(isDurable: true, waitingAtMost: limit) { transaction in
      let journal = LMDBJournal(snapshot: transaction.snapshot, tables: files.journalTables)
      let old = try journal.ledger(of: name)
      var ledger = try old ?? journal.presentLedger(of: name)
      change(&ledger)
      if ledger != old { try transaction.put(ledger, of: name, in: files.journalTables) }
    }
  }

  /// Changes the record of a projection in one transaction.
  func changeRecord(
    of name: String, _ change: (inout ProjectionRecord, inout WriteTransaction) throws -> Void
  ) throws {
    try files.checkOpen()
    do {
      try growing {
        try healing {
          let opened = currentProjections
          var transaction = try beginWrite(to: opened)
          guard try opened.recordNames(in: transaction.snapshot).contains(name) else {
            throw StoreError(missingProjection: name)
          }
          var record = try opened.record(of: name, in: transaction.snapshot)
          try change(&record, &transaction)
          try transaction.put(ProjectionRecord.key(of: name), record.bytes, in: opened.stateTable)
          try transaction.commit()
          observer?.projectionsDidChange()
        }
      }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Checks the projections of this process, registers them and catches up the inline ones.
  func openUserProjections() throws {
    var names: Set<String> = []
    // The projections by the names of their entities.
    var owners: [String: String] = [:]
    for projection in files.options.projections {
      try projection.checkDeclaration()
      guard names.insert(projection.name).inserted else {
        throw StoreError(.badValue, "Two projections are called \(projection.name).")
      }
      for name in projection.reads {
        guard let other = files.options.projections.first(where: { $0.name == name }), names.contains(name),
          name != projection.name
        else {
          throw StoreError(
            .badModel, "The projection \(projection.name) reads \(name), which is no earlier projection of the store.",
            advice: "Give \(name) before it in the store's options; two projections cannot read each other.")
        }
        guard other.keepsHistory else {
          throw StoreError(
            .badModel, "The projection \(projection.name) reads \(name), which keeps no history.",
            advice: "Let \(name) keep its history.")
        }
        if projection.mode == .inline, other.mode != .inline {
          throw StoreError(
            .badModel, "The inline projection \(projection.name) reads \(name), which is applied after the commits.",
            advice: "Make both inline, or neither.")
        }
      }
      for declared in projection.entities {
        if let other = owners.updateValue(projection.name, forKey: declared.entity.name), other != projection.name {
          throw StoreError(
            .badModel, "The projections \(other) and \(projection.name) both declare \(declared.entity.name).",
            advice: "Give one of the entities another name.")
        }
      }
      try checkEntities(of: projection)
      do {
        if projection.mode == .inline {
          try run(projection, .current, waitingAtMost: files.options.readerLockTimeLimit)
        } else {
          try register(projection, waitingAtMost: .zero)
        }
      } catch let error as StoreError where error.code == .busy && projection.mode == .catchUp {
        // It is registered with its first step.
      }
    }
  }

  /// Checks the entities of a projection whose rows do not exist yet against the model of the store.
  ///
  /// Rows that exist are read by each later model of the store.
  ///
  /// - Throws: `StoreError` with the code `badModel`.
  private func checkEntities(of projection: any Projection) throws {
    try withSnapshots { projections, journal in
      let record = try projections.record(of: projection.name)
      guard ![record.live, record.next].contains(where: { $0?.version == UInt64(projection.version) }),
        let position = try journal.modelPositions().last
      else { return }
      var models: [DerivedModel] = []
      for declared in files.options.projections.closure(over: projection) {
        var model = DerivedModel(of: declared, keeping: files.options.keptCommitCount)
        model.firstTag = models.last?.tags.upperBound ?? model.firstTag
        models.append(model)
      }
      _ = try journal.model(at: position).serving(models, requiringTargets: true)
    }
  }

  /// Notes in the journal that there is a projection, unless it does so already.
  ///
  /// Commits that exist at registration must not have effects, however late they are applied.
  ///
  /// - Throws: `StoreError` with the code `busy` if others write for longer than the limit.
  private func register(_ projection: any Projection, waitingAtMost limit: Duration?) throws {
    if try files.withJournal({ try $0.ledger(of: projection.name) }) == nil {
      try changeLedger(of: projection.name, waitingAtMost: limit) { _ in }
    }
  }
}

private extension [any Projection] {
  /// Returns a projection and all that it reads, each once.
  func closure(over projection: any Projection) -> [any Projection] {
    var (found, open) = ([any Projection](), [projection])
    while let next = open.popLast() {
      if found.contains(where: { $0.name == next.name }) { continue }
      found.append(next)
      open += filter { next.reads.contains($0.name) }
    }
    return found
  }
}

private extension Projection {
  func checkDeclaration() throws {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(\.isInProjectionName),
      !TableName.allCases.contains(where: { $0.name == name }), name != CommitIndexRow.tableName
    else {
      throw StoreError(
        .badValue, "“\(name)” cannot be a projection’s name.",
        advice: "Take up to 64 ASCII letters, digits, hyphens and underscores, and none of the built-in names.")
    }
    guard version > 0 else {
      throw StoreError(.badValue, "The projection \(name) has version \(version), not 1 or more.")
    }
    if self is any DaybookProjection { return }
    for declared in entities where declared.entity.name.hasPrefix(ModelNames.ownPrefix) {
      throw StoreError(.badModel, "The projection \(name): \(ModelNames.ownComplaint(about: declared.entity.name)).")
    }
  }
}

private extension UInt8 {
  /// Whether the byte is an ASCII letter, a digit, a hyphen or an underscore.
  var isInProjectionName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
