import DaybookModel

/// An event that a projection has not taken in.
public struct QuarantinedEvent: Hashable, Sendable {
  /// Where the event lies.
  public let address: EventAddress
  /// What the projection threw.
  public let reason: String
  /// What has become of it.
  public let state: State

  /// What has become of an event that failed.
  public enum State: String, Hashable, Sendable {
    /// It was set aside, and the projection went on.
    case quarantined
    /// The projection has stopped before its commit.
    case stopped
    /// Somebody decided to leave it out.
    case skipped
    /// It is to be tried again, as soon as a process that knows the projection takes it up.
    case retrying
  }
}

extension QuarantinedEvent {
  /// The table of the events that were set aside, among those of the projection's own; no name of theirs is empty.
  fileprivate static let prefix: [UInt8] = [0]

  static func key(of address: EventAddress) -> [UInt8] { prefix + address.bytes }

  /// The bytes of a reason that are kept.
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
  /// Sets an event aside, or changes what is said of one that was.
  func setAside(_ event: QuarantinedEvent) throws {
    try put(QuarantinedEvent.key(of: event.address), event.value)
    finishEvent()
  }

  func isSetAside(_ address: EventAddress) throws -> Bool {
    try value(for: QuarantinedEvent.key(of: address)) != nil
  }

  /// Forgets that an event was set aside.
  func takeBack(_ address: EventAddress) throws {
    try delete(QuarantinedEvent.key(of: address))
    finishEvent()
  }

  /// The events that were set aside, by position.
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
