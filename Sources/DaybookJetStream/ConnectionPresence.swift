#if JetStream

import CNATS
import DaybookModel

/// Whether a connection is there, as libnats reports it.
///
/// To ask libnats takes the lock of the connection, which its thread holds while it waits for a server to answer.
final class ConnectionPresence: Sendable {
  private struct State {
    var count = 1
    var lostTime: ContinuousClock.Instant?
  }

  private let state = Locked(State())

  /// How often the connection was made.
  var count: Int { state.withLock { $0.count } }
  /// When the connection was lost, or `nil` if it is there.
  var lostTime: ContinuousClock.Instant? { state.withLock { $0.lostTime } }

  /// Registers this object for the reports of libnats about a connection with the options.
  func observe(_ options: OpaquePointer) -> natsStatus {
    // libnats may call after the end of the connection: the object stays.
    let object = Unmanaged.passRetained(self).toOpaque()
    let status = natsOptions_SetDisconnectedCB(
      options, { _, object in ConnectionPresence.at(object)?.note(isLost: true) }, object)
    guard status == NATS_OK else { return status }
    return natsOptions_SetReconnectedCB(
      options, { _, object in ConnectionPresence.at(object)?.note(isLost: false) }, object)
  }

  private static func at(_ object: UnsafeMutableRawPointer?) -> ConnectionPresence? {
    object.map { Unmanaged<ConnectionPresence>.fromOpaque($0).takeUnretainedValue() }
  }

  private func note(isLost: Bool) {
    state.withLock { state in
      if !isLost { state.count += 1 }
      state.lostTime = isLost ? .now : nil
    }
  }
}

#endif
