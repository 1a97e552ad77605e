import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns rows of a projection's table, in the order of their keys.
  ///
  ///     let days = try store.rows(of: TableRequest(Activity.byDay, descending: true, limit: 7), in: "activity")
  ///     for day in try days.rows { print(day.key, day.value.commits) }
  ///
  /// - Parameters:
  ///   - request: The table and the range of its rows.
  ///   - projection: The projection's name; see ``StoreProjection/read(_:)`` for the state that is read.
  /// - Throws: As ``StoreProjection/read(_:)``; `badValue` for an invalid table name or key.
  /// - Complexity: O(log *n* + *m*) for *m* rows with the rows that the offset leaves out.
  public func rows<Key, Content>(
    of request: TableRequest<Key, Content>, in projection: String
  ) throws -> TableRows<Key, Content> {
    try self.projection(projection).read { try $0.rows(of: request) }
  }

  /// Returns the number of rows of a request for a projection's table.
  ///
  /// - Throws: As ``rows(of:in:)``.
  /// - Complexity: O(*m*) for *m* rows in the range.
  public func count<Key, Content>(_ request: TableRequest<Key, Content>, in projection: String) throws -> Int {
    try self.projection(projection).read { try $0.count(request) }
  }

  /// Returns a live feed of a projection's table.
  ///
  ///     for try await step in store.changes(of: TableRequest(Activity.byDay), in: "activity") {
  ///       switch step {
  ///       case .state(let days): rows = try days.rows
  ///       case .change(let change): rows = try change.difference.applied(to: rows)
  ///       }
  ///     }
  ///
  /// The rows of a projection have no history: they are not undone to an earlier position. So a feed begins with the
  /// present rows, as a state, or with the difference from rows that the caller has. Then it delivers
  /// differences, each from one state of the projection to another: of an inline projection, after each commit; of a
  /// catch-up projection, after each step, which may apply many commits. A difference without changes is not delivered.
  /// A slow consumer receives one difference for everything that it missed.
  ///
  /// Rows change without a commit when a quarantined event is retried, and when rebuilt rows or the rows of a new version
  /// replace the old ones. Each of these is a difference too, and not a reset. A process that knows a lower version of
  /// the projection receives `newerFormat` instead, as from every read.
  ///
  /// Any process can follow, also one that does not know the projection. The feed holds the rows of the request in memory.
  /// Of what this process applied, it reads only the rows that changed, up to 64 at once; otherwise, and always with an
  /// offset or a limit, it reads and compares all rows of the request. Give a large table a range.
  ///
  /// - Parameters:
  ///   - request: The table and the range of its rows. Rows that cross the edge of an offset or limit are inserted and
  ///     deleted.
  ///   - projection: The projection's name.
  ///   - known: The rows of this request that the caller has; `nil` if it has none.
  /// - Complexity: O(*k* log *n*) for *k* changed rows if all of them were changed by this process; else O(*m*) for *m*
  ///   rows of the request.
  public func changes<Key, Content>(
    of request: TableRequest<Key, Content>, in projection: String, from known: TableRows<Key, Content>? = nil
  ) -> Feed<TableStep<Key, Content>> {
    Feed { TableSource(self, request, of: projection, from: known) }
  }
}
