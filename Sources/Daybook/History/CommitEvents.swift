import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The events that a log shows of each commit.
enum CommitEvents {
  case all
  case naming(ObjectID)
  case matching(CommitMatcher)

  /// Returns the selection for one commit.
  ///
  /// - Throws: `MetadataFault` if the metadata that the events are matched with are damaged.
  func selection(of commit: CopiedCommit) throws -> EventSelection {
    switch self {
    case .all: return .all
    case .naming(let object): return .naming(object)
    case .matching(var matcher):
      let metadata = try matcher.metadata(of: commit.header)
      return EventSelection { event throws(EventFault) in
        do {
          return try matcher.matches(event, metadata: metadata, names: commit.names)
        } catch {
          throw EventFault("an event is damaged: \(error)")
        }
      }
    }
  }
}
