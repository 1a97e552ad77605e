#if JetStream

import DaybookModel
import Foundation

/// A server that greets each connection, and answers the first message of some.
final class SilentServer: Sendable {
  let port: Int
  private let listener: CInt
  private let answeredCount: Int
  private struct State {
    var acceptedCount = 0
    var openCount = 0
  }
  private let state = Locked(State())

  /// The number of connections that were accepted.
  var acceptedCount: Int { state.withLock { $0.acceptedCount } }
  /// The number of connections that no client has closed.
  var openCount: Int { state.withLock { $0.openCount } }
  var address: String { "nats://127.0.0.1:\(port)/silent" }

  /// - Parameter answeredCount: The number of the first connections whose messages are answered; each is closed by the
  ///   server after a while. The others hear nothing but the greeting.
  init(answering answeredCount: Int) throws {
    self.answeredCount = answeredCount
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    self.listener = listener
    port = Int(address.sin_port.bigEndian)
    Thread.detachNewThread { [self] in accept() }
  }

  private func accept() {
    while true {
      let file = Foundation.accept(listener, nil, nil)
      guard file >= 0 else { return }
      let number = state.withLock { state in
        state.acceptedCount += 1
        state.openCount += 1
        return state.acceptedCount
      }
      Thread.detachNewThread { [self] in
        serve(file, answers: number <= answeredCount)
        Foundation.close(file)
        state.withLock { $0.openCount -= 1 }
      }
    }
  }

  private func serve(_ file: CInt, answers: Bool) {
    func send(_ text: String) {
      _ = text.withCString { Foundation.send(file, $0, strlen($0), CInt(MSG_NOSIGNAL)) }
    }
    send(
      "INFO {\"server_id\":\"A\",\"version\":\"2.9.0\",\"host\":\"127.0.0.1\",\"port\":\(port),\"max_payload\":1048576,\"proto\":1}\r\n"
    )
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = recv(file, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      if answers, String(decoding: buffer[..<count], as: UTF8.self).contains("PING") {
        send("PONG\r\n")
        usleep(300_000)
        return
      }
    }
  }

  /// Ends the server; its connections end with their clients.
  func close() {
    shutdown(listener, CInt(SHUT_RDWR))
    Foundation.close(listener)
  }
}

#endif
