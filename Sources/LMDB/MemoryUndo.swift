/// What undoes a change of a ``MemoryTree``.
@unsafe
struct MemoryUndo: BitwiseCopyable {
  /// The record that the change replaced or removed, or the one that it inserted.
  let record: MemoryRecord
  /// Whether the record was in the tree before the change.
  let wasPresent: Bool
}

/// What undoes the changes of a ``MemoryTable``.
@safe
final class UndoLog {
  // A table appends to it at each change, and lends nothing.
  @exclusivity(unchecked) private var changes = unsafe PlainList<MemoryUndo>()

  var count: Int { unsafe changes.count }

  func append(_ change: MemoryUndo) { unsafe changes.append(change) }

  func removeLast() -> MemoryUndo { unsafe changes.removeLast() }

  func removeAll() { unsafe changes.removeAll() }
}
