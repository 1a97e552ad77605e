extension Ordering {
  /// Bases the ordering on the next state of its base; its own rows are unchanged.
  package func move(to base: Ordering, over changes: NetChanges) {
    lower?.base = base
    for row in changes.rows where row.isMoved {
      if let key = row.old?.key { lower?.shift.noteBaseRemoved(key.bytes) }
      if let key = row.new?.key { lower?.shift.noteBaseInserted(key.bytes) }
    }
  }

  /// Moves the rows of a change from their old places to their new ones. Call ``settle(in:)`` afterwards.
  package func take(_ changes: NetChanges) {
    for row in changes.rows where row.isMoved {
      replace(row.old?.key, by: row.new?.key, sectionName: row.new?.sectionName ?? row.old?.sectionName ?? "")
    }
  }

  /// Moves the rows of a change back from their new places to their old ones.
  package func undo(_ changes: NetChanges) {
    for row in changes.rows where row.isMoved {
      replace(row.new?.key, by: row.old?.key, sectionName: row.old?.sectionName ?? row.new?.sectionName ?? "")
    }
  }
}
