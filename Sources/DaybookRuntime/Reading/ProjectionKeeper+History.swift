import DaybookEngine
import DaybookModel

extension ProjectionKeeper {
  /// Returns the rows of a projection with the history that the store does not keep.
  ///
  /// They are kept until the store is closed, and continued with each call.
  ///
  /// - Throws: `StoreError`: `notBuilt` if this process does not know the projection, `projectionStopped`; `LMDBError`.
  /// - Complexity: The projection's own cost for each commit since the last call.
  func foldedHistory(of name: String) throws -> FoldedRows {
    guard let projection = knownProjection(name) else { throw StoreError(unbuiltProjection: name) }
    return try histories.withLock { known in
      let (live, leftOut) = try readQuarantine(of: name) { ($1, try $2.commits()) }
      guard live.version == UInt64(projection.version) else { throw StoreError(unbuiltProjection: name) }
      var history = known[name]
      if try history?.isOf(live) != true { history = nil }
      let made = try history ?? FoldedRows(projection, live.beginning)
      try readUnchecked { reader in
        var scope = ScopedState(reader.present, in: reader.journal)
        if let derived = try reader.derived(in: RequestScope(Set(live.reads.map(\.projection)))) {
          scope = ScopedState(derived.present, joined: derived.journal)
        }
        let stop = try made.advance(
          through: live.checkpoint.position,
          over: .present(scope, rewindLimit: files.options.projectionRewindLimit), in: reader.journal,
          leavingOut: reader.journal.presentLedger(of: name).leavingOut(leftOut, of: live.version))
        // A commit fails that the rows have applied.
        if let stop { throw StoreError(stop, of: name) }
      }
      known[name] = made
      return made
    }
  }
}

private extension ProjectionRecord.Instance {
  /// Rows like these before the first commit, with the same tags and numbers, which keep all changes.
  var beginning: ProjectionRecord.Instance {
    var rows = ProjectionRecord.Instance(
      version: version, generation: generation, fold: fold, derived.keepingAllChanges())
    rows.reads = reads
    return rows
  }
}
