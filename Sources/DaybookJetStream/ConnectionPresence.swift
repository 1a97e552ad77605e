#if JetStream

import CNATS
import DaybookModel
import Foundation

/// Whether a connection is there, as libnats reports it.
///
/// To ask libnats takes the lock of the connection, which its thread holds while it waits for a server to answer. A call that
/// began before the loss was reported waits for that lock too, so a handshake of that thread is ended after a limit.
final class ConnectionPresence: Sendable {
  private struct State {
    var count = 1
    var lostTime: ContinuousClock.Instant?
    /// Ends handshakes while libnats connects again.
    var watch: EndlessHandshakes.Watch?
    var isEnded = false
  }

  private let servers: [String]
  private let limit: Duration
  private let state = Locked(State())

  /// - Parameters:
  ///   - servers: The addresses of the servers.
  ///   - limit: How long one handshake with them may last.
  init(_ servers: [String], handshakesWithin limit: Duration) {
    (self.servers, self.limit) = (servers, limit)
  }

  /// How often the connection was made.
  var count: Int { state.withLock { $0.count } }
  /// When the connection was lost, or `nil` if it is there.
  var lostTime: ContinuousClock.Instant? { state.withLock { $0.lostTime } }

  /// Registers this object for the reports of libnats about a connection with the options.
  func observe(_ options: OpaquePointer) -> natsStatus {
    // libnats may call after the end of the connection: the object stays.
    let object = Unmanaged.passRetained(self).toOpaque()
    let status = natsOptions_SetDisconnectedCB(
      options, { _, object in ConnectionPresence.at(object)?.noteLoss() }, object)
    guard status == NATS_OK else { return status }
    return natsOptions_SetReconnectedCB(
      options, { connection, object in ConnectionPresence.at(object)?.noteReturn(of: connection) }, object)
  }

  private static func at(_ object: UnsafeMutableRawPointer?) -> ConnectionPresence? {
    object.map { Unmanaged<ConnectionPresence>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Notes that a connection is made.
  func noteStart(of connection: OpaquePointer?) {
    var (address, port): (UnsafeMutablePointer<CChar>?, CInt) = (nil, 0)
    let isKnown = natsConnection_GetLocalIPAndPort(connection, &address, &port) == NATS_OK
    free(address)
    EndlessHandshakes.note(self, localPort: isKnown ? UInt16(clamping: port) : nil)
  }

  private func noteReturn(of connection: OpaquePointer?) {
    noteStart(of: connection)
    state.withLock { state in
      state.count += 1
      state.lostTime = nil
      state.watch.take()?.end()
    }
  }

  private func noteLoss() {
    EndlessHandshakes.note(self, localPort: nil)
    state.withLock { state in
      state.lostTime = .now
      if !state.isEnded, state.watch == nil { state.watch = EndlessHandshakes.Watch(of: servers, after: limit) }
    }
  }

  /// Notes that the connection is released; libnats reports that as a loss.
  func noteEnd() {
    EndlessHandshakes.note(self, localPort: nil)
    state.withLock { state in
      state.isEnded = true
      state.watch.take()?.end()
    }
  }
}

#endif
