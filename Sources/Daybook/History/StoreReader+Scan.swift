import DaybookModel
import DaybookRuntime

extension StoreReader {
  /// Calls `body` with all stored events between two positions, both included.
  ///
  ///     try store.read { reader in
  ///       let task = try reader.tag(of: "Task")
  ///       try reader.forEachEvent { event in
  ///         if event.entity == task, event.kind == .inserted { count += 1 }
  ///         return true
  ///       }
  ///     }
  ///
  /// The method suits a caller that folds the whole journal into its own state: events are copied, named and decoded
  /// only on request. Commits of a model have no events. To read commits with their names, use
  /// ``Store/log(where:from:to:reversed:limit:matchingEventsOnly:)``.
  ///
  /// - Parameters:
  ///   - first: The first position; 0 and 1 are the beginning.
  ///   - last: The last position; `nil`, or a position beyond the head, is the head.
  ///   - body: Receives each event, and returns whether to continue.
  /// - Throws: What `body` throws; `StoreError` with the code `damaged`.
  /// - Complexity: O(*n*) for *n* bytes of events: over twenty million events a second on two
  ///   processors, see `Tools/Benchmarks`.
  @inlinable
  @inline(__always)
  package func forEachEvent(
    from first: Position = .empty, to last: Position? = nil, _ body: (RawEvent) throws -> Bool
  ) throws {
    var commits = try makeCommitCursor(from: first, to: last)
    while var events = try commits.nextEvents() {
      while !events.isAtEnd {
        guard try body(RawEvent(events.next(), position: events.position, time: events.time)) else { return }
      }
    }
  }

  /// Returns a cursor over the commits between two positions.
  @usableFromInline
  func makeCommitCursor(from first: Position, to last: Position?) throws -> CommitCursor {
    try CommitCursor(journal, from: max(first, 1), through: min(last ?? position, position))
  }

  /// Returns the tag of an entity: its number in the journal, which outlives a change of name.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the model has no such name.
  package func tag(of entity: String) throws -> UInt16 {
    resolvedModel.entities[try resolvedModel.requireEntity(entity)].tag.number
  }

  /// Returns the tag of an attribute.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the model has no such name.
  package func tag(ofAttribute attribute: String, of entity: String) throws -> UInt16 {
    let entity = resolvedModel.entities[try resolvedModel.requireEntity(entity)]
    return entity.attributes[try entity.requireStoredAttribute(attribute)].tag.number
  }
}
