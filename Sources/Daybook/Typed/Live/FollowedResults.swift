/// Results that are updated by a call, and signal available updates.
protocol FollowedResults: RowReading {
  var wakeup: Wakeup { get }
  func update() throws -> ResultsChange?
}

extension LiveResults: FollowedResults {}
extension EditingResults: FollowedResults {}
