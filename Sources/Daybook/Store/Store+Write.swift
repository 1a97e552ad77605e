import DaybookModel
import LMDB

extension Store {
  /// Writes one commit.
  ///
  ///     let cake = try store.write(author: "editor") { tx in
  ///       try tx.insert("Recipe", ["name": "Cake"])
  ///     }
  ///
  /// When this returns, the commit is on disk (see ``StoreOptions/durability``) and every inline projection has applied
  /// it. If nothing changed, there is no commit. If anything throws, nothing is written.
  ///
  /// The closure runs on this thread, under the store's write lock, which other threads and processes wait for. It runs
  /// once, unless it meets damage in the projections: then its changes are dropped, the projections are rebuilt from
  /// the journal, and it runs again. A write inside a write of the same thread throws ``StoreError/Code/nestedWrite``.
  ///
  /// - Parameters:
  ///   - author: The author of the commit.
  ///   - message: The reason for the commit.
  ///   - happenedAt: When the change happened, if not at the present time.
  ///   - condition: A condition on the journal that must hold.
  ///   - body: The verbs of the commit.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`; `StoreError` for broken constraints, full disks and damage; with the code
  ///   `conditionFailed` if the condition does not hold.
  @discardableResult
  public func write<Result>(
    author: String? = nil, message: String? = nil, happenedAt: Timestamp? = nil, when condition: AppendCondition? = nil,
    _ body: (borrowing Transaction) throws -> Result
  ) throws -> Result {
    try withSession { session in
      let info = CommitInfo(author: author, message: message, happenedAt: happenedAt, when: condition)
      return try session.commit(info, body).result
    }
  }

  /// Writes one commit and returns its position.
  ///
  /// If `info` has a commit id that the journal contains, the closure is not run, and the known position is returned.
  ///
  /// - Returns: The position of the commit, or the head if nothing changed; and the result of `body`, `nil` if the
  ///   commit existed before.
  /// - Throws: Any error of `body`; `StoreError` as a write does.
  public func commit<Result>(
    _ info: CommitInfo, _ body: (borrowing Transaction) throws -> Result
  ) throws -> (position: Position, result: Result?) {
    try withSession { try $0.commitOnce(info, body) }
  }

  /// Runs `body` in a session and makes its commits durable.
  package func withSession<Result>(_ body: (WriteSession) throws -> Result) throws -> Result {
    try checkOpen()
    return try inSession(body)
  }

  /// Runs `body` in a session, whether or not the store is being closed.
  func inSession<Result>(_ body: (WriteSession) throws -> Result) throws -> Result {
    try checkHealth()
    do {
      return try healing {
        let session = try WriteSession.begin(self)
        let result = try body(session)
        try session.finish()
        return result
      }
    } catch {
      throw StoreError.translating(error)
    }
  }
}
