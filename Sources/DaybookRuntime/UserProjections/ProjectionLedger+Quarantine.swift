import DaybookEngine

extension ProjectionLedger {
  /// Returns the ledger by which rows are folded again that one version has made: without the commits that it left out.
  func leavingOut(_ commits: [QuarantinedCommit], of version: UInt64) -> ProjectionLedger {
    var ledger = self
    ledger.skipped += commits.map { Skip(version: version, position: $0.position) }
    return ledger
  }
}
