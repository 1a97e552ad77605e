import DaybookModel

extension StoreReader {
  /// The object of an entity that was inserted last and is still there, or nil if there is none.
  ///
  /// It walks the journal back from the head, so it is at once there for whoever inserts such an object with each
  /// commit, and looks at the whole journal if there is none.
  package func lastInserted(_ entity: String) throws -> StoredObject? {
    let number = try reader.model.requireEntity(entity)
    let tag = reader.model.entities[number].tag
    var position = position
    while position > .empty {
      let inserted = try journal.withCommit(at: position) { commit -> [ObjectID] in
        guard !commit.header.isModel else { return [] }
        var events = commit.events
        var found: [ObjectID] = []
        while !events.isAtEnd {
          let event = try events.next()
          if event.kind == .inserted, event.entity == tag { found.append(event.object) }
        }
        return found
      }
      for id in inserted.reversed() {
        if let object = try reader.object(ObjectKey(entity: number, id: id)) { return object }
      }
      position = Position(position.number - 1)
    }
    return nil
  }
}
