import DaybookEngine
import DaybookModel

/// The rows of projections that the snapshots of a store lack, and those that belong to other live rows.
///
/// Each snapshot by the present model has the rows of each projection that keeps its history. Rows by an earlier model
/// would never be read: all that is read with derived entities is read by the present one.
struct SnapshotRowsPlan {
  /// The rows to make, by descending position of their snapshots: each is reached from the one after it, or from the live
  /// rows.
  private(set) var missing: [(snapshot: SnapshotMarker, projection: String)] = []
  /// The rows to remove.
  private(set) var stale: [(position: Position, projection: String)] = []
  /// Whether rows are missing that cannot be made yet: the projection lacks the commit of the snapshot or is far behind, or
  /// rows that it reads were replaced.
  private(set) var isBehind = false

  /// Whether there is anything to be done.
  var isDue: Bool { !missing.isEmpty || !stale.isEmpty }

  /// - Parameters:
  ///   - live: The rows of all projections.
  ///   - modelPosition: The position of the present model.
  ///   - least: The first checkpoint from which rows are made: to read rows that are further behind, as those that are
  ///     being built, stored objects would be brought back to them.
  init(
    _ live: [DerivedInstance], modelPosition: Position, from least: Position, beside snapshots: [SnapshotMarker],
    in store: SnapshotStore
  ) {
    let origins = live.map(\.origin)
    let kept = live.filter { $0.model.keptCommitCount == nil && !$0.model.entities.isEmpty }
      .map {
        let isUsable = live.areCurrent($0) && $0.checkpoint >= least
        return (name: $0.name, digest: origins.digest(of: $0.name), end: isUsable ? $0.checkpoint : .empty)
      }
    for snapshot in snapshots.reversed() {
      let wanted = snapshot.position < modelPosition ? [] : kept
      let absent = wanted.filter { !store.hasRows($0.digest, of: $0.name, beside: snapshot) }
      for name in store.files.projections(at: snapshot.position)
      where !wanted.contains(where: { $0.name == name }) || absent.contains(where: { $0.name == name }) {
        stale.append((snapshot.position, name))
      }
      for rows in absent {
        if rows.end < snapshot.position { isBehind = true } else { missing.append((snapshot, rows.name)) }
      }
    }
  }
}
