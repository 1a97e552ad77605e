import DaybookEngine
import DaybookModel

/// The results of a journal's check, for the checks that depend on it.
struct JournalFindings {
  let journal: LMDBJournal
  /// The position of the last commit.
  var head = Position.empty
  var hash: Digest?
  var commitCount = 0
  var eventCount = 0
  /// The readable models, by rising positions.
  var models: [(position: Position, model: ResolvedModel)] = []
  /// The first commit with a fault.
  var firstFault: Position?

  /// The last commit before the first fault, or the head if there is none.
  var lastSound: Position { firstFault.map { Position($0.number - 1) } ?? head }

  /// Returns the model that holds at a position.
  func model(at position: Position) -> (position: Position, model: ResolvedModel)? {
    models.last { $0.position <= position }
  }
}
