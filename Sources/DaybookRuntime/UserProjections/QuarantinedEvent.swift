import DaybookEngine
import DaybookModel

/// An event that a projection has not applied.
public struct QuarantinedEvent: Hashable, Sendable {
  /// The address of the event.
  public let address: EventAddress
  /// The description of the error that the projection threw.
  public let reason: String
  /// The state of the event.
  public let state: State

  package init(address: EventAddress, reason: String, state: State) {
    (self.address, self.reason, self.state) = (address, reason, state)
  }

  /// The state of an event that failed.
  public enum State: String, Hashable, Sendable {
    /// The event was quarantined, and the projection continued.
    case quarantined
    /// The projection has stopped before the commit of the event.
    case stopped
    /// The event is skipped by a caller's decision.
    case skipped
    /// The event is retried as soon as a process that knows the projection works on it.
    case retrying
  }
}

extension QuarantinedEvent {
  /// The key prefix of quarantined events: an empty table name, which no projection can use.
  static let prefix: [UInt8] = [0]

  static func key(of address: EventAddress) -> [UInt8] { prefix + address.bytes }

  /// The maximum size of a reason that is stored.
  private static let maximumReasonSizeInBytes = 1_000

  static func reason(of error: any Error) -> String {
    let text = "\(error)"
    guard text.utf8.count > maximumReasonSizeInBytes else { return text }
    return String(decoding: text.utf8.prefix(maximumReasonSizeInBytes), as: UTF8.self) + "..."
  }

  var value: [UInt8] {
    var bytes: [UInt8] = [state == .skipped ? 1 : state == .retrying ? 2 : 0]
    bytes.append(contentsOf: reason.utf8)
    return bytes
  }

  init(address: EventAddress, value: [UInt8]) throws(MalformedBytes) {
    guard let state = value.first else { throw MalformedBytes(offset: 0, expected: "the state of an event") }
    self.init(
      address: address, reason: String(decoding: value.dropFirst(), as: UTF8.self),
      state: state == 1 ? .skipped : state == 2 ? .retrying : .quarantined)
  }
}
