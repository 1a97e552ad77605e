#if JetStream

import CNATS
import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookJetStream

/// A connection by itself.
@Suite(.hangLimit) struct NATSConnectionTests {
  /// libnats before 3.6 ended the process with a signal in hardly a second of this.
  @Test func connectionsAreReleasedWhileMessagesCome() throws {
    let servers = try NATSServers()
    let address = try JournalAddress(parsing: servers.address("notes"))
    let isDone = Locked(false)
    let sender = Thread {
      guard let connection = try? NATSConnection(address, waiting: .seconds(5)) else { return }
      while !isDone.withLock({ $0 }) {
        for _ in 0..<200 { _ = natsConnection_PublishString(connection.connection, address.reportSubject, "report") }
        _ = natsConnection_Flush(connection.connection)
      }
    }
    sender.start()
    defer { isDone.withLock { $0 = true } }
    let receivedCount = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<100 {
        guard let connection = try? NATSConnection(address, waiting: .seconds(5)) else { continue }
        var message: OpaquePointer?
        guard natsSubscription_NextMsg(&message, connection.reports, 5_000) == NATS_OK else { continue }
        natsMsg_Destroy(message)
        receivedCount.withLock { $0 += 1 }
      }
    }
    #expect(receivedCount.withLock { $0 } > 350)
  }

  /// libnats before 3.8 waited without an end for the last answer of the handshake, in a loop.
  @Test func aServerThatDoesNotAnswerIsGivenUp() throws {
    let server = try SilentServer(answering: 0)
    defer { server.close() }
    let address = try JournalAddress(parsing: server.address)
    #expect(throws: StreamUnavailable.self) { try NATSConnection(address, waiting: .seconds(1)) }
    #expect(server.acceptedCount > 0)
  }

  @Test func aConnectionWhoseServerFellSilentIsReleased() throws {
    let server = try SilentServer(answering: 1)
    defer { server.close() }
    let address = try JournalAddress(parsing: server.address)
    do {
      let connection = try NATSConnection(address, waiting: .seconds(1))
      // The server ends it, and is silent when libnats connects again.
      while connection.isConnected || server.acceptedCount < 2 { usleep(10_000) }
    }
    while server.openCount > 0 { usleep(10_000) }
    #expect(server.acceptedCount >= 2)
  }

  /// A call that began before the loss was known waits for the lock of the connection, which libnats holds in a handshake.
  @Test func aCallWaitsForNoHandshakeThatFellSilent() throws {
    let server = try SilentServer(answering: 1)
    defer { server.close() }
    let connection = try NATSConnection(JournalAddress(parsing: server.address), waiting: .seconds(1))
    while connection.isConnected || server.acceptedCount < 2 { usleep(10_000) }
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = natsConnection_PublishString(connection.connection, "silent", "note")
      isDone.signal()
    }
    #expect(isDone.wait(timeout: .now() + 10) == .success)
  }
}

#endif
