import CoreMetrics
import DaybookModel

/// The instruments with which an open store counts and measures its work.
///
/// They belong to the metrics backend that the process had installed when the store was opened; the store installs none,
/// and without one they do nothing. All have the dimension `store`, the name of the store's directory: where that is, is
/// not for those who read metrics.
package final class StoreMetrics: Sendable {
  private let commits: Counter
  private let events: Counter
  private let flush: Timer
  private let fold: Timer
  /// From the time at which a feed's consumer was woken to the time at which it had the element.
  package let feedLag: Timer
  private let publishing: Timer
  private let refusals: Counter
  private let conflicts: Counter
  private let outages: Counter
  private let skips: Counter
  private let dimensions: [(String, String)]

  init(path: String) {
    dimensions = [("store", path.split(separator: "/").last.map(String.init) ?? path)]
    commits = Counter(label: "daybook_commits_total", dimensions: dimensions)
    events = Counter(label: "daybook_events_total", dimensions: dimensions)
    flush = Timer(label: "daybook_flush_seconds", dimensions: dimensions)
    fold = Timer(label: "daybook_fold_seconds", dimensions: dimensions)
    feedLag = Timer(label: "daybook_feed_lag_seconds", dimensions: dimensions)
    publishing = Timer(label: "daybook_publish_seconds", dimensions: dimensions)
    refusals = Counter(label: "daybook_publish_retries_total", dimensions: dimensions)
    conflicts = Counter(label: "daybook_publish_conflicts_total", dimensions: dimensions)
    outages = Counter(label: "daybook_stream_outages_total", dimensions: dimensions)
    skips = Counter(label: "daybook_stream_skipped_messages_total", dimensions: dimensions)
  }

  /// Notes the commits of one session.
  ///
  /// - Parameters:
  ///   - headers: The headers of the commits.
  ///   - fold: The time to write the rows of the projections.
  ///   - flush: The time to make the journal durable.
  package func note(_ headers: some Collection<CommitHeader>, fold: Duration, flush: Duration) {
    guard !headers.isEmpty else { return }
    commits.increment(by: headers.count)
    events.increment(by: headers.reduce(0) { $0 + $1.eventCount })
    self.fold.record(fold)
    self.flush.record(flush)
  }

  /// Notes that the replicated journal has taken a payload.
  package func notePublication(_ time: Duration) { publishing.record(time) }

  /// Notes that a write runs again because another node was faster.
  package func noteRetry() { refusals.increment() }

  /// Notes that a write was given up because other nodes were faster each time.
  package func noteConflict() { conflicts.increment() }

  /// Notes that the servers of the replicated journal did not answer in time.
  package func noteOutage() { outages.increment() }

  /// Notes that a message of the replicated journal was skipped.
  package func noteSkippedMessage() { skips.increment() }

  /// Sets a gauge.
  ///
  /// - Parameter dimension: A dimension beside the store, if there are several such gauges.
  package func set(_ label: String, _ value: Double, _ dimension: (String, String)? = nil) {
    Meter(label: label, dimensions: dimensions + (dimension.map { [$0] } ?? [])).set(value)
  }
}

extension CoreMetrics.Timer {
  /// Records a time.
  package func record(_ duration: Duration) { recordNanoseconds(Int64(duration / .nanoseconds(1))) }
}
