import DaybookEngine
import DaybookModel
import DaybookRuntime
import Tracing

extension Store {
  /// Verifies a store, or a backup file, that this process does not have open.
  ///
  ///     let result = try Store.verify(at: path, expecting: [7: noted]) { show($0) }
  ///
  /// Other processes may have it open and write to it. Use ``verify(expecting:progress:)`` for a store that this
  /// process has open.
  ///
  /// - Parameters:
  ///   - path: A store's directory, or a backup file.
  ///   - hashes: Hashes that commits must have, recorded when the store was known to be sound.
  ///   - options: The options of the store; `rebuildMemoryInBytes` limits the memory used.
  ///   - progress: Called repeatedly with the progress.
  /// - Throws: `StoreError`: `notFound`, `notAStore` if the path contains no journal, `exists` if this process has it
  ///   open, `full` if the directory for temporary files is full, `inputOutput`. Faults in the contents are never
  ///   thrown.
  /// - Complexity: As a rebuild: O(*n* log *n*) for *n* events. The tables are built again, in a temporary file.
  public static func verify(
    at path: String, expecting hashes: [Position: Digest] = [:],
    options: StoreOptions = StoreOptions(),
    progress: ((StoreProgress) -> Void)? = nil
  ) throws -> StoreVerification {
    do {
      let verifier = StoreVerifier(expectations: hashes, options: options, progress: progress)
      return try verifier.verify(path)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Verifies this store while it is open; see ``StoreVerification``.
  ///
  /// Reads and writes may continue meanwhile. While it runs, new commits let the files grow instead of reusing space.
  /// Projections with faults are rebuilt before it returns.
  ///
  /// - Throws: `StoreError`: `closed`, `full` if the directory for temporary files is full, `inputOutput`.
  public func verify(
    expecting hashes: [Position: Digest] = [:], progress: ((StoreProgress) -> Void)? = nil
  ) throws -> StoreVerification {
    try checkOpen()
    do {
      let verifier = StoreVerifier(expectations: hashes, options: options, progress: progress)
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
  /// See ``Store/backUp(at:to:options:progress:)``. The backup contains the commits up to a position that was
  /// the head at some time during the call.
  ///
  /// - Throws: The same errors as ``Store/backUp(at:to:options:progress:)``.
  @discardableResult
  public func backUp(to file: String, progress: ((StoreProgress) -> Void)? = nil) throws -> StoreVerification {
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
  /// See ``Store/compact(at:to:options:progress:)``.
  ///
  /// - Throws: The same errors as ``Store/compact(at:to:options:progress:)``.
  @discardableResult
  public func compact(to target: String, progress: ((StoreProgress) -> Void)? = nil) throws -> StoreVerification {
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
