import DaybookModel
import DaybookQuery

/// The reason why an ``AppendCondition`` does not hold.
public struct AppendConflict: Hashable, Sendable {
  /// The object or request that changed.
  public enum Subject: Hashable, Sendable {
    /// An object that was to be untouched.
    case object(ObjectID)
    /// A request whose result was to be unchanged.
    case request(FetchRequest)
  }

  /// The object or request that changed.
  public let subject: Subject
  /// The position that the condition named.
  public let since: Position
  /// The commits after ``since`` that changed the subject, rising.
  ///
  /// All of them for a request; for an object the last ones, at most ``maximumPositionCount``.
  public let positions: [Position]
  /// The head when the condition was checked.
  public let head: Position

  /// The most commits that are reported for an object.
  public static let maximumPositionCount = 256

  package init(subject: Subject, since: Position, positions: [Position], head: Position) {
    self.subject = subject
    self.since = since
    self.positions = positions
    self.head = head
  }
}
