import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreProjection {
  /// Returns the commits that a projection has not applied, by position.
  ///
  /// They are the quarantined and skipped commits, and the commit before which the projection has stopped.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the store has no such projection.
  public func quarantine() throws -> [QuarantinedCommit] {
    try store.keeper.readQuarantine(of: name) { record, live, quarantine in
      let stop = (live.stop ?? record.next?.stop)?.commit
      return (try quarantine.commits() + [stop].compactMap { $0 }).sorted { $0.position < $1.position }
    }
  }

  /// Skips a commit permanently, also in rebuilds; a stopped projection continues after it.
  ///
  /// The skip applies to the version of the code that failed: a later version applies the commit again. No code of the
  /// projection is needed, so any process may skip a commit.
  ///
  /// - Parameter position: A commit that was quarantined, or at which the projection has stopped.
  /// - Throws: `StoreError` with the code `notFound` if the commit is neither.
  public func skip(_ position: Position) throws {
    let commit = try requireQuarantined(position)
    let version = try store.keeper.readQuarantine(of: name) { record, live, _ in
      record.next?.stop?.position == position && live.stop?.position != position
        ? record.next?.version ?? live.version : live.version
    }
    let skip = ProjectionLedger.Skip(version: version, position: position)
    try store.keeper.changeLedger(of: name) { ledger in
      if !ledger.skipped.contains(skip) { ledger.skipped.append(skip) }
    }
    // Rows that are being built record the skip themselves when they reach the commit.
    try store.keeper.changeQuarantine(of: name) { live, quarantine in
      if live.stop?.position == position {
        live.stop = nil
        live.quarantineCount += 1
      } else if try !quarantine.contains(position) {
        return
      }
      quarantine.insert(QuarantinedCommit(position: position, reason: commit.reason, state: .skipped))
    }
  }

  /// Retries the commit at which a projection has stopped, or quarantined or skipped commits.
  ///
  /// The retry happens when a process that knows the projection next works on it: at once if this process knows it. Nothing
  /// is applied late: if a commit was left out, the rows are built again beside the present ones, without effects, and
  /// then replace them. The commit at which the projection has stopped was not applied, so its effects are on.
  ///
  /// - Parameter position: The commit to retry; `nil` for all.
  /// - Throws: `StoreError` with the code `notFound` if the projection has applied the commit or not reached it.
  public func retry(_ position: Position? = nil) throws {
    if let position { _ = try requireQuarantined(position) }
    try store.keeper.changeLedger(of: name) { ledger in
      ledger.skipped.removeAll { position == nil || $0.position == position }
    }
    try store.keeper.changeQuarantine(of: name) { live, quarantine in
      if position == nil || live.stop?.position == position { live.stop = nil }
      for commit in try quarantine.commits() where position == nil || commit.position == position {
        quarantine.insert(QuarantinedCommit(position: commit.position, reason: commit.reason, state: .retrying))
        live.hasRetries = true
      }
    }
    guard let projection = store.keeper.knownProjection(name) else { return }
    do {
      try store.keeper.run(projection, .current)
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func requireQuarantined(_ position: Position) throws -> QuarantinedCommit {
    if let commit = try quarantine().first(where: { $0.position == position }) { return commit }
    throw StoreError(
      .notFound, "The projection \(name) has applied commit \(position), or has not reached it.",
      advice: .listQuarantine)
  }
}
