import DaybookEngine
import DaybookRuntime
import Tracing

extension Store {
  /// Verifies this store while it is open; see ``StoreVerification``.
  ///
  /// Reads and writes may continue meanwhile. While it runs, new commits let the files grow instead of reusing space.
  /// Projections with faults are rebuilt before it returns.
  ///
  /// - Throws: `StoreError`: `closed`, `full` if the directory for temporary files is full, `inputOutput`.
  public func verify(
    expecting expectations: [StoreVerification.Expectation] = [], progress: ((Progress) -> Void)? = nil
  ) throws -> StoreVerification {
    try checkOpen()
    do {
      let verifier = StoreVerifier(expectations: expectations, options: options, progress: progress)
      let projections = keeper.currentProjections
      let result = try withSpan(SpanName.verify) { _ in
        try verifier.verify(files.journalEnvironment, projections.environment)
      }
      if result.faults.contains(where: { $0.part == .projections }), result.isJournalFoldable {
        try keeper.discardProjections(projections)
      }
      return result
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Writes the journal to one file while the store is in use.
  ///
  /// See ``StoreCopy/backup(storeAt:to:options:progress:)``. The backup contains the commits up to a position that was
  /// the head at some time during the call.
  ///
  /// - Throws: The same errors as ``StoreCopy/backup(storeAt:to:options:progress:)``.
  @discardableResult
  public func backup(to file: String, progress: ((Progress) -> Void)? = nil) throws -> StoreCopy {
    try checkOpen()
    do {
      return try withSpan(SpanName.copy) { _ in
        try JournalCopier(options: options, progress: progress).backup(files.journalEnvironment, to: file)
      }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a copy of the store without unused space, while this one is in use.
  ///
  /// See ``StoreCopy/compact(storeAt:to:options:progress:)``.
  ///
  /// - Throws: The same errors as ``StoreCopy/compact(storeAt:to:options:progress:)``.
  @discardableResult
  public func compact(to target: String, progress: ((Progress) -> Void)? = nil) throws -> StoreCopy {
    try checkOpen()
    do {
      return try withSpan(SpanName.copy) { _ in
        try JournalCopier(options: options, progress: progress).compact(files.journalEnvironment, to: target)
      }
    } catch {
      throw StoreError.translating(error)
    }
  }
}
