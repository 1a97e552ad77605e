import DaybookModel

extension StoreReader {
  /// Goes through all events between two positions, both included, as they lie in the journal.
  ///
  ///     try store.read { reader in
  ///       let task = try reader.tag(of: "Task")
  ///       try reader.forEachEvent { event in
  ///         if event.entity == task, event.kind == .inserted { count += 1 }
  ///         return true
  ///       }
  ///     }
  ///
  /// This is for whoever folds the whole journal into something of their own: nothing is copied, named or decoded
  /// that is not asked for. Commits of a model have no events. ``Store/log(from:to:reversed:limit:)`` is the one for
  /// people.
  ///
  /// - Parameters:
  ///   - first: Where to begin; 0 and 1 are the beginning.
  ///   - last: Where to end; nil, or one beyond the head, is the head.
  ///   - body: Is given each event, and says whether to go on.
  /// - Throws: What `body` throws; `StoreError` with the code `damaged`.
  /// - Complexity: O(*n*) for *n* bytes of events: ten million events and more a second.
  public func forEachEvent(
    from first: Position = .empty, to last: Position? = nil, _ body: (RawEvent) throws -> Bool
  ) throws {
    let last = min(last ?? position, position)
    guard max(first, 1) <= last else { return }
    try journal.forEachCommit(from: max(first, 1), through: last) { commit in
      if commit.header.isModel { return true }
      let (position, time) = (commit.header.position, commit.header.time)
      var events = commit.events
      while !events.isAtEnd {
        guard try body(RawEvent(events.next(), position: position, time: time)) else { return false }
      }
      return true
    }
  }

  /// The tag of an entity: the number by which the journal calls it, whatever its name becomes.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the model has none of this name.
  public func tag(of entity: String) throws -> UInt16 {
    resolvedModel.entities[try resolvedModel.requireEntity(entity)].tag.number
  }

  /// The tag of an attribute.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the model has none of this name.
  public func tag(ofAttribute attribute: String, of entity: String) throws -> UInt16 {
    let entity = resolvedModel.entities[try resolvedModel.requireEntity(entity)]
    return entity.attributes[try entity.requireStoredAttribute(attribute)].tag.number
  }
}
