#if Server

import Daybook
import DaybookTestSupport
import InMemoryLogging
import Logging
import ServiceLifecycle
import Testing

@testable import DaybookServer

/// Streams over connections to 127.0.0.1.
@Suite(.hangLimit) struct FeedSocketTests {
  @Test func aClientThatLeavesTakesItsStreamWithIt() async throws {
    try await withServer { store, server, port in
      for _ in 0..<20 {
        try await SocketStream.open("/api/changes/Dish", port: port) { stream in
          _ = try await stream.read(through: "event: state")
          #expect(server.feeds.counts == (1, 1))
        }
        try await waitUntilNothingIsFollowed(server)
      }
    }
  }

  @Test func equalRequestsShareOneTopic() async throws {
    try await withServer { store, server, port in
      let texts = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<40 {
          // The same request in two spellings.
          let query = number.isMultiple(of: 2) ? "sort=name&limit=50" : "limit=50&sort=name&offset=0"
          group.addTask {
            try await SocketStream.open("/api/changes/Dish?\(query)", port: port) { stream in
              _ = try await stream.read(through: "event: state")
              return try await stream.read(through: "event: difference")
            }
          }
        }
        while server.feeds.counts.streams < 40 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(server.feeds.counts == (40, 1))
        // A stream on its way to its state sees a commit in it, and a later one as a difference.
        var texts: [String] = []
        let writer = FeedTestModel.startWriting(to: store, seed: 3)
        while let text = try await group.next() {
          texts.append(text)
        }
        try await writer.stop()
        return texts
      }
      #expect(texts.count == 40)
      try await waitUntilNothingIsFollowed(server)
    }
  }

  @Test func aStreamEndsOnAGracefulShutdown() async throws {
    try await withTemporaryStore(FeedTestModel.model) { store in
      let (ports, found) = AsyncStream.makeStream(of: Int.self)
      var configuration = ServerConfiguration(port: 0)
      // A client that reads slowly shall not be one that has stopped, however busy the machine is.
      configuration.stallTimeLimit = .seconds(600)
      let server = try DaybookServer(store: store, configuration: configuration) { found.yield($0) }
      let group = ServiceGroup(services: [server], logger: Logger(label: "test"))
      let running = Task { try await group.run() }
      let port = try #require(await ports.first { _ in true })
      try await SocketStream.open("/api/changes/Dish", port: port) { stream in
        _ = try await stream.read(through: "event: state")
        await group.triggerGracefulShutdown()
        try await stream.readToEnd()
      }
      try await running.value
      #expect(server.feeds.counts == (0, 0))
    }
  }

  @Test func aClientThatReadsSlowlyGetsOneDifferenceForAllThatItMissed() async throws {
    try await withServer { store, server, port in
      let commitCount = 60
      let id = try await store.write { try $0.insert("Dish", ["name": "a", "kind": "a", "rank": 1]) }
      let start = try store.position
      try await SocketStream.open("/api/changes/Dish?from=\(start)", port: port) { stream in
        while server.feeds.counts.streams == 0 { try await Task.sleep(for: .milliseconds(5)) }
        // More than the buffers of both sides hold.
        for number in 0..<commitCount {
          // No two are equal: a client that missed a change and its opposite would receive a position and no difference.
          let text = "\(number) " + String(repeating: "a", count: 400_000)
          try await store.write { try $0.set(id, ["name": .string(text)]) }
          try await Task.sleep(for: .milliseconds(5))
        }
        let head = try store.position
        let text = try await stream.read(through: "\"to\": \(head)")
        let count = text.split(separator: "event: difference").count - 1
        #expect(count > 0 && count < commitCount)
      }
    }
  }

  @Test func aClientThatReadsNothingIsCutOffAndTheLogSaysSo() async throws {
    let handler = InMemoryLogHandler()
    try await withServer(stall: .seconds(1), logger: Logger(label: "test") { _ in handler }) { store, server, port in
      let id = try await store.write { try $0.insert("Dish", ["name": "a", "kind": "a", "rank": 1]) }
      try await SocketStream.open("/api/changes/Dish?from=\(store.position)", port: port) { _ in
        while server.feeds.counts.streams == 0 { try await Task.sleep(for: .milliseconds(5)) }
        // Until the buffers of both sides are full.
        var number = 0
        while server.feeds.counts.streams > 0 {
          let text = "\(number) " + String(repeating: "a", count: 400_000)
          try await store.write { try $0.set(id, ["name": .string(text)]) }
          number += 1
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
    let notices = handler.entries.filter { $0.level == .notice }
    #expect(notices.map(\.message) == ["an answer was cut: the client received nothing for 1 s"])
    #expect(notices.first?.metadata["client"]?.description.contains("127.0.0.1") == true)
  }

  /// - Parameter stall: How long a client may read nothing: by default longer than any machine is busy.
  private func withServer(
    stall: Duration = .seconds(600), logger: Logger = Logger(label: "test"),
    _ body: @Sendable (Store, DaybookServer, _ port: Int) async throws -> Void
  ) async throws {
    try await withTemporaryStore(FeedTestModel.model) { store in
      let (ports, found) = AsyncStream.makeStream(of: Int.self)
      var configuration = ServerConfiguration(port: 0)
      configuration.stallTimeLimit = stall
      let server = try DaybookServer(store: store, configuration: configuration, logger: logger) { found.yield($0) }
      let running = Task { try await server.run() }
      let port = try #require(await ports.first { _ in true })
      try await body(store, server, port)
      running.cancel()
      try await running.value
      try await waitUntilNothingIsFollowed(server)
    }
  }

  private func waitUntilNothingIsFollowed(_ server: DaybookServer) async throws {
    for _ in 0..<1_000 where server.feeds.counts != (0, 0) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(server.feeds.counts == (0, 0))
  }
}

#endif
