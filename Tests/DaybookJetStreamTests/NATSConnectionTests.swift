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
}

#endif
