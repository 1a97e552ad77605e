import DaybookModel
import Logging

extension Replica {
  /// How far the clock of a node may be behind the journal before that is logged.
  private static let clockTolerance = Duration.seconds(60)

  /// Logs that the clock of this node is behind the commits of another one, whose times are then repeated.
  func checkClock(_ now: Timestamp, after recordedAt: Timestamp, _ logger: Logger?) {
    let lag = recordedAt.microseconds.subtractingReportingOverflow(now.microseconds)
    guard !lag.overflow, .microseconds(lag.partialValue) > Replica.clockTolerance else { return }
    logger?.warning(
      "the clock is behind the last commit",
      metadata: ["seconds": "\(lag.partialValue / 1_000_000)", "node": "\(node)"])
  }
}
