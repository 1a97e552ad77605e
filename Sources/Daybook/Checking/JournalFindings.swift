import DaybookModel

/// What the check of a journal found, for the checks that rest on it.
struct JournalFindings {
  let journal: LMDBJournal
  /// The last commit that was found.
  var head = Position.empty
  var hash: Digest?
  var commitCount = 0
  var eventCount = 0
  /// The models that could be read, by rising positions.
  var models: [(position: Position, model: ResolvedModel)] = []
  /// The first commit with a fault.
  var firstFault: Position?

  /// The last commit of those from the first on that have no fault.
  var lastSound: Position { firstFault.map { Position($0.number - 1) } ?? head }

  /// The model that holds at a position.
  func model(at position: Position) -> (position: Position, model: ResolvedModel)? {
    models.last { $0.position <= position }
  }
}
