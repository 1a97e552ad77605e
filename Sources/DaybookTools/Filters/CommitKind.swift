import Daybook
import DaybookModel

/// A kind of commits in text: commits with an event of a kind, or of models.
public struct CommitKind: Hashable, Sendable, RawRepresentable, CaseIterable {
  /// The kind of an event, or `nil` for commits of models.
  public let event: Event.Kind?

  /// The kinds of all events that this version knows, and commits of models.
  public static let allCases =
    Event.Kind.allCases.filter { $0 != .unknown }.map { CommitKind(event: $0) } + [CommitKind(event: nil)]

  /// Whether they are commits of models.
  public var isModel: Bool { event == nil }

  private init(event: Event.Kind?) { self.event = event }

  /// Finds a kind by its name, or returns `nil` for any other text.
  public init?(rawValue: String) {
    guard let kind = CommitKind.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kind
  }

  /// The name of the kind.
  public var rawValue: String { event?.rawValue ?? "model" }
}
