import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the last inserted object of an entity, or of a descendant of it, that still exists, or `nil` if none does.
  ///
  /// It reads the journal backwards from the head: fast if recent commits insert such objects, but the whole journal if
  /// no commit does.
  package func lastInserted(_ entity: String) throws -> StoredObject? {
    let number = try reader.model.requireEntity(entity)
    let tags = Set(reader.model.members(of: number).map { reader.model.entities[$0].tag })
    var position = position
    while position > .empty {
      let inserted = try journal.withCommit(at: position) { commit -> [ObjectID] in
        guard !commit.header.isModel else { return [] }
        var events = commit.events
        var found: [ObjectID] = []
        while !events.isAtEnd {
          let event = try events.next()
          if event.kind == .inserted, tags.contains(event.entity) { found.append(event.object) }
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
