import DaybookEngine
import DaybookModel

/// The events that a log shows of each commit.
enum CommitEvents {
  case all
  case naming(ObjectID)
  case matching(CommitMatcher)

  /// Returns the selection for one commit.
  func selection(of commit: CopiedCommit) -> EventSelection {
    switch self {
    case .all: return .all
    case .naming(let object): return .naming(object)
    case .matching(let matcher):
      return EventSelection { event throws(EventFault) in
        var matcher = matcher
        do {
          return try matcher.matches(event, of: commit.header, names: commit.names)
        } catch {
          throw EventFault("an event is damaged: \(error)")
        }
      }
    }
  }
}
