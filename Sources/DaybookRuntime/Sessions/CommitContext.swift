import DaybookModel

/// What commits of a task have in common: author, message, metadata, cause and correlation.
///
///     try await CommitContext(author: "importer", correlation: "run 7").perform {
///       try await store.write { tx in try tx.insert("Recipe", ["name": "Cake"]) }     // author and correlation are set
///       try store.write(author: "editor") { tx in try tx.rename(cake, to: "Torte") }  // only the correlation is
///     }
///
/// The context is a task-local value: it applies to all that the closure writes and to the tasks that it starts with a
/// copy of these values, in every store, by writes, batches, saved editing contexts, reverts and model changes. An
/// asynchronous write has the context of its call. A value that the write states itself wins over the context's, and an
/// inner context's over an outer one's; metadata are merged key by key. Imports keep the commits as they are.
public struct CommitContext: Hashable, Sendable {
  private let info: CommitInfo

  /// What commits of the current task have, empty outside of ``perform(_:)``; only the values that a context can have.
  @TaskLocal public static var current = CommitInfo()

  /// Makes a context; see ``perform(_:)``.
  ///
  /// - Parameters:
  ///   - author: The author of commits that state none.
  ///   - message: The reason of commits that state none.
  ///   - metadata: Metadata of all commits.
  ///   - causation: The earlier commit that caused the commits.
  ///   - correlation: The name that the commits share.
  public init(
    author: String? = nil, message: String? = nil, metadata: CommitMetadata = [:],
    causedBy causation: CommitReference? = nil, correlation: String? = nil
  ) {
    info = CommitInfo(
      author: author, message: message, metadata: metadata, causedBy: causation, correlation: correlation)
  }

  /// Runs a closure with this context, completed by the current one.
  ///
  /// - Throws: Any error of `body`.
  public func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
    try CommitContext.$current.withValue(completed(from: CommitContext.current), operation: body)
  }

  /// Runs an asynchronous closure with this context, completed by the current one.
  ///
  /// - Throws: Any error of `body`.
  public func perform<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await CommitContext.$current.withValue(
      completed(from: CommitContext.current), operation: body, isolation: isolation)
  }

  private func completed(from outer: CommitInfo) -> CommitInfo {
    CommitInfo(
      author: info.author ?? outer.author, message: info.message ?? outer.message,
      metadata: outer.metadata.merging(info.metadata), causedBy: info.causation ?? outer.causation,
      correlation: info.correlation ?? outer.correlation)
  }
}
