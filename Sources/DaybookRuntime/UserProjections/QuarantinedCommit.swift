import DaybookEngine
import DaybookModel

/// A commit that a projection has not applied.
public struct QuarantinedCommit: Hashable, Sendable {
  /// The position of the commit.
  public let position: Position
  /// The description of the error that the projection threw.
  public let reason: String
  /// The state of the commit.
  public let state: State

  package init(position: Position, reason: String, state: State) {
    (self.position, self.reason, self.state) = (position, reason, state)
  }

  /// The state of a commit that failed.
  public enum State: String, Hashable, Sendable {
    /// The commit was quarantined, and the projection continued.
    case quarantined
    /// The projection has stopped before the commit.
    case stopped
    /// The commit is skipped by a caller's decision.
    case skipped
    /// The commit is retried as soon as a process that knows the projection works on it.
    case retrying
  }
}

extension QuarantinedCommit {
  /// The row's key: the position, big-endian.
  static func key(of position: Position) -> [UInt8] {
    var key: [UInt8] = []
    key.appendFixed(position.number)
    return key
  }

  /// The maximum size of a reason that is stored.
  private static let maximumReasonSizeInBytes = 1_000

  static func reason(of error: any Error) -> String {
    let text = "\(error)"
    guard text.utf8.count > maximumReasonSizeInBytes else { return text }
    return String(decoding: text.utf8.prefix(maximumReasonSizeInBytes), as: UTF8.self) + "..."
  }

  /// The row's value: the state, and the reason.
  var value: [UInt8] {
    var bytes: [UInt8] = [state == .skipped ? 1 : state == .retrying ? 2 : 0]
    bytes.append(contentsOf: reason.utf8)
    return bytes
  }

  /// Reads a row.
  init(_ key: RawSpan, _ value: RawSpan) throws(MalformedBytes) {
    var (key, state) = (ByteReader(key), ByteReader(value))
    position = Position(try key.fixed(UInt64.self))
    self.state =
      switch try state.byte() {
      case 1: .skipped
      case 2: .retrying
      default: .quarantined
      }
    reason = String(decoding: [UInt8](value).dropFirst(), as: UTF8.self)
  }
}
