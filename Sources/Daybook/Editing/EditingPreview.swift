import DaybookEngine
import DaybookModel
import DaybookQuery

/// The effects that saving a context would have.
///
///     let preview = try context.preview()
///     preview.failures                    // what would keep it from being saved
///     preview.events                      // what the commit would hold, the effects of delete rules included
///     preview.differences[request]        // what a list would show
public struct EditingPreview: Sendable {
  /// The head that the preview is based on.
  ///
  /// Saving makes the commit after it, unless another writer commits first.
  public let position: Position
  /// The conflicts with other commits. Saving throws as long as the policy leaves one undecided.
  public let conflicts: [EditingConflict]
  /// The constraints that the commit would break, including delete rules. If there are any, nothing would be saved.
  public let failures: [StoreError]
  /// The events of the commit; empty if it would not be made.
  public let events: [Event]
  /// The differences of requests, by request.
  ///
  /// Contains the requests of open live results in this process, and the requests that the caller named. Requests whose
  /// results would not change are left out.
  public let differences: [FetchRequest: ResultsChange]

  /// The objects that would be deleted, including by delete rules, in the order of the events.
  public var deleted: [ObjectID] { events.filter { $0.kind == .deleted }.map(\.object) }
}
