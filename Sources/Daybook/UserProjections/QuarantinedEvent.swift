import DaybookModel

/// An event that a projection has not applied.
public struct QuarantinedEvent: Hashable, Sendable {
  /// The address of the event.
  public let address: EventAddress
  /// The description of the error that the projection threw.
  public let reason: String
  /// The state of the event.
  public let state: State

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
  fileprivate static let prefix: [UInt8] = [0]

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

extension ProjectedRows {
  /// Stores the quarantine entry of an event, replacing the present one.
  func setAside(_ event: QuarantinedEvent) throws {
    try put(QuarantinedEvent.key(of: event.address), event.value)
    finishEvent()
  }

  func isSetAside(_ address: EventAddress) throws -> Bool {
    try value(for: QuarantinedEvent.key(of: address)) != nil
  }

  /// Removes the quarantine entry of an event.
  func takeBack(_ address: EventAddress) throws {
    try delete(QuarantinedEvent.key(of: address))
    finishEvent()
  }

  /// Returns the events with a quarantine entry, by position.
  func quarantine() throws -> [QuarantinedEvent] {
    var events: [QuarantinedEvent] = []
    try scan(under: QuarantinedEvent.prefix) { key, value in
      let address = Array(key.dropFirst())
      var reader = ByteReader(address.span.bytes)
      events.append(try QuarantinedEvent(address: EventAddress(reading: &reader), value: value))
      return true
    }
    return events
  }
}
