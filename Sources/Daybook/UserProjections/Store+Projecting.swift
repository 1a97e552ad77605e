import DaybookModel
import LMDB

/// What the parts of projections share.
extension Store {
  /// Begins a write of the projections' environment alone.
  ///
  /// Before anything changes there, the journal must say so, or the rows would be trusted after a crash of the operating
  /// system has torn them. Whoever marks them as clean holds both locks, so what is read under this one stays.
  ///
  /// - Throws: `ProjectionsReplaced` if the journal does not trust them any more.
  func beginWrite(to opened: OpenProjections) throws -> WriteTransaction {
    while true {
      let transaction = try opened.environment.beginWrite()
      let isMarked = try journalEnvironment.withSnapshot { snapshot in
        self.isMarked(LMDBJournal(snapshot: snapshot, tables: journalTables).trustMarker(), opened)
      }
      if isMarked { return transaction }
      transaction.abort()
      var journal = try journalEnvironment.beginWrite()
      try checkCurrent(opened, in: journal.snapshot)
      if try markInUse(opened, in: &journal) { try journal.commit() }
    }
  }

  /// The projection of this name that the process knows.
  func knownProjection(_ name: String) -> (any Projection)? {
    options.projections.first { $0.name == name }
  }

  /// Takes steps until a goal is reached, or the projection stops.
  ///
  /// - Parameter afterStep: Told after each step; what it throws ends the work, which goes on from there another time.
  /// - Returns: Where it ended.
  @discardableResult
  func run(
    _ projection: any Projection, _ goal: ProjectionBatch.Goal,
    afterStep: (ProjectionBatch.Outcome) throws -> Void = { _ in }
  ) throws -> ProjectionBatch.Outcome {
    let batch = ProjectionBatch(store: self, projection: projection, goal: goal)
    while true {
      try checkOpen()
      do {
        let outcome = try healing { try batch.step() }
        try afterStep(outcome)
        if outcome.isDone || outcome.stop != nil { return outcome }
      } catch let error as LMDBError where error.isMapFull {
        try growMap(after: error)
      }
    }
  }

  /// Lets the effects of a run leave the store, once it is on disk that they were begun.
  func performEffects(of run: ProjectionRun) throws {
    guard let position = run.effectsThrough else { return }
    try changeLedger(of: run.projection.name) { ledger in
      ledger.effectsThrough = max(ledger.effectsThrough, position)
    }
    run.performEffects()
  }

  /// Changes what the journal's environment keeps of a projection. When this returns, it is on disk.
  func changeLedger(of name: String, _ change: (inout ProjectionLedger) -> Void) throws {
    try writeJournal { transaction in
      let journal = LMDBJournal(snapshot: transaction.snapshot, tables: journalTables)
      let old = try journal.ledger(of: name)
      var ledger = try old ?? journal.presentLedger(of: name)
      change(&ledger)
      if ledger != old { try transaction.put(ledger, of: name, in: journalTables) }
    }
  }

  /// Checks the projections that the process knows, makes them known to the store, and brings the inline ones to the
  /// head.
  func openUserProjections() throws {
    var names: Set<String> = []
    for projection in options.projections {
      try projection.checkDeclaration()
      guard names.insert(projection.name).inserted else {
        throw StoreError(.badValue, "Two projections are called \(projection.name).")
      }
      // What there is now must not have effects, however late it is taken in.
      if try withJournal({ try $0.ledger(of: projection.name) }) == nil {
        try changeLedger(of: projection.name) { _ in }
      }
      if projection.mode == .inline { try run(projection, .current) }
    }
  }
}

extension Projection {
  func checkDeclaration() throws {
    guard ProjectionKey.isName(name, maximumSize: ProjectionLimits.maximumNameSizeInBytes),
      !Store.projectionNames.contains(name)
    else {
      throw StoreError(
        .badValue, "“\(name)” cannot be a projection’s name.",
        advice: "Take up to 64 ASCII letters, digits, hyphens and underscores, and none of the built-in names.")
    }
    guard version > 0 else {
      throw StoreError(.badValue, "The projection \(name) has version \(version), not 1 or more.")
    }
  }
}
