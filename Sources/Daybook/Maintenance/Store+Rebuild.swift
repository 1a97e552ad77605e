import DaybookEngine
import DaybookModel
import DaybookRuntime
import Tracing

extension Store {
  /// Discards projections and folds them again from the journal.
  ///
  ///     try store.rebuild { print($0.activity, $0.completed) }
  ///
  /// This is never required: projections that cannot be trusted are rebuilt when the store is opened. It repairs faults
  /// that ``verify(expecting:progress:)`` reported in them.
  ///
  /// Readers in all processes use the old tables meanwhile, and switch to the new ones, which hold the same rows, when
  /// this returns. Writers wait. If it fails, or the process is killed, the old tables stay.
  ///
  /// If all are rebuilt, they and the projections of users get a new file, in which no bytes of removed rows are left. It
  /// takes room for both files.
  ///
  /// - Parameters:
  ///   - tables: The tables to rebuild; the others are unchanged.
  ///   - progress: Called repeatedly with the progress.
  /// - Throws: `StoreError`: `damaged` if the journal cannot be folded, `full`, `inputOutput`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* events: about a second for a million.
  public func rebuild(_ tables: StoreTables = .all, progress: ((StoreProgress) -> Void)? = nil) throws {
    try checkOpen()
    do {
      try withSpan(SpanName.rebuild) { _ in
        let names = tables.tableNames
        if !names.isEmpty { try writer.rebuild(names, progress) }
        if tables.contains(.commitIndex) { try keeper.rebuildCommitIndex(progress: progress) }
        if tables.isSuperset(of: .all) { try keeper.renewProjections() }
      }
    } catch {
      throw StoreError.translating(error)
    }
  }
}
