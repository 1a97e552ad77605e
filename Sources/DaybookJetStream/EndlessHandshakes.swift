#if JetStream

import Daybook
import DaybookModel
import Foundation

/// Ends handshakes that libnats does not end.
///
/// Before version 3.8, libnats reads the last answer of a handshake in a loop that only a closed connection ends: when the
/// time for the answer has passed, the loop takes a processor, and memory without a limit
/// (github.com/nats-io/nats.c/issues/706). It has no call that ends it, so the socket is shut down.
enum EndlessHandshakes {
  /// The local ports of the connections that are made, by connection.
  private static let established = Locked<[ObjectIdentifier: UInt16]>([:])

  /// Notes the local port of a connection that is made; `nil` for one that is lost or released.
  static func note(_ presence: ConnectionPresence, localPort: UInt16?) {
    established.withLock { $0[ObjectIdentifier(presence)] = localPort }
  }

  /// Calls `body`, which may make connections to servers; a handshake that lasts longer than a limit fails.
  ///
  /// - Parameters:
  ///   - servers: The addresses of the servers.
  ///   - limit: How long one handshake may last. It is ended within a second after that.
  static func ending<Result>(
    with servers: [String], after limit: Duration, _ body: () throws -> Result
  ) rethrows -> Result {
    let watch = Watch(of: servers, after: limit)
    defer { watch.end() }
    return try body()
  }

  /// Lets handshakes fail that last longer than a limit, until it is ended.
  ///
  /// That is so for all handshakes of this process with servers at the same ports; all are tried again.
  final class Watch: Sendable {
    // Dispatch allows all calls on all threads.
    private nonisolated(unsafe) let timer = DispatchSource.makeTimerSource()

    init(of servers: [String], after limit: Duration) {
      let ports = Set(servers.map { UInt16(clamping: URLComponents(string: $0)?.port ?? JournalAddress.standardPort) })
      let seen = Locked<[UInt16: ContinuousClock.Instant]>([:])
      timer.schedule(deadline: .now() + 0.5, repeating: 0.5)
      timer.setEventHandler {
        seen.withLock { seen in
          let handshakes = handshakes(with: ports)
          let now = ContinuousClock.now
          for handshake in handshakes where now - seen[handshake.port, default: now] >= limit {
            shutdown(handshake.file, CInt(SHUT_RDWR))
          }
          seen = Dictionary(handshakes.map { ($0.port, seen[$0.port] ?? now) }, uniquingKeysWith: min)
        }
      }
      timer.resume()
    }

    func end() { timer.cancel() }
  }

  /// Returns the sockets of this process that lead to the ports and belong to no connection that is made, with their local
  /// ports.
  private static func handshakes(with ports: Set<UInt16>) -> [(file: CInt, port: UInt16)] {
    let made = Set(established.withLock { $0.values })
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    return files.compactMap { CInt($0) }.compactMap { file in
      guard let peer = port(of: file, getpeername), ports.contains(peer), let local = port(of: file, getsockname),
        !made.contains(local)
      else { return nil }
      return (file, local)
    }
  }

  /// Returns the port of one end of a socket; `nil` for other files.
  private static func port(
    of file: CInt, _ end: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
  ) -> UInt16? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
        guard end(file, address, &size) == 0 else { return nil }
        switch CInt(address.pointee.sa_family) {
        case AF_INET:
          return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port.bigEndian }
        case AF_INET6:
          return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_port.bigEndian }
        default: return nil
        }
      }
    }
  }
}

#endif
