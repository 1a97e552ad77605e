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
  /// The author of commits that state none.
  public var author: String?
  /// The reason of commits that state none.
  public var message: String?
  /// Metadata of all commits.
  public var metadata: CommitMetadata
  /// The earlier commit that caused the commits.
  public var causation: CommitReference?
  /// The name that the commits share.
  public var correlation: String?

  /// The context of the current task; without values outside of ``perform(_:)``.
  @TaskLocal public static var current = CommitContext()

  /// Makes a context; see ``perform(_:)``.
  public init(
    author: String? = nil, message: String? = nil, metadata: CommitMetadata = [:],
    causedBy causation: CommitReference? = nil, correlation: String? = nil
  ) {
    self.author = author
    self.message = message
    self.metadata = metadata
    self.causation = causation
    self.correlation = correlation
  }

  /// Runs a closure with this context, completed by the current one.
  ///
  /// - Throws: Any error of `body`.
  public func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
    try CommitContext.$current.withValue(completed(from: .current), operation: body)
  }

  /// Runs an asynchronous closure with this context, completed by the current one.
  ///
  /// - Throws: Any error of `body`.
  public func perform<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await CommitContext.$current.withValue(completed(from: .current), operation: body, isolation: isolation)
  }

  private func completed(from outer: CommitContext) -> CommitContext {
    CommitContext(
      author: author ?? outer.author, message: message ?? outer.message, metadata: outer.metadata.merging(metadata),
      causedBy: causation ?? outer.causation, correlation: correlation ?? outer.correlation)
  }
}
