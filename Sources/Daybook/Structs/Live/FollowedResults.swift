import DaybookRuntime

/// Results that are updated by a call, and signal available updates.
protocol FollowedResults: RowReading, FeedSource where Element == ResultsChange {
  func update() throws -> ResultsChange?
}

extension FollowedResults {
  func poll() throws -> ResultsChange? { try update() }
}

extension LiveResults: FollowedResults {}
extension EditingResults: FollowedResults {}
