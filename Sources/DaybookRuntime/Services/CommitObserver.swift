import DaybookEngine
import DaybookModel

/// The hook by which the parts of a store learn of each commit: feeds and snapshots.
final class CommitObserver: SessionHook, Sendable {
  private let keeper: ProjectionKeeper
  private let notifier: CommitNotifier
  private let snapshotScheduler: SnapshotScheduler

  init(of keeper: ProjectionKeeper, _ notifier: CommitNotifier, _ snapshotScheduler: SnapshotScheduler) {
    (self.keeper, self.notifier, self.snapshotScheduler) = (keeper, notifier, snapshotScheduler)
  }

  func willCommit(_ session: WriteSession) throws {
    notifier.prepareChanges(by: session.commits, in: session.reader) { try session.changes(by: $0, in: $1) }
  }

  func didFlush(_ session: WriteSession, in transaction: Int) {
    notifier.confirmChanges(in: transaction)
  }

  func didCommit(_ session: WriteSession) {
    let commits = session.commits
    guard !commits.isEmpty else { return }
    notifier.noteCommits(commits)
    snapshotScheduler.note(events: commits.reduce(0) { $0 + $1.header.eventCount }, of: keeper)
  }
}
