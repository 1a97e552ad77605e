/// Results that move on when they are told to, and say when there is something new.
protocol FollowedResults: RowReading {
  var wakeup: Wakeup { get }
  func update() throws -> ResultsChange?
}

extension LiveResults: FollowedResults {}
extension EditingResults: FollowedResults {}
