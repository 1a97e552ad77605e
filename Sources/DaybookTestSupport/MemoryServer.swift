import Daybook
import DaybookEngine
import DaybookModel
import Foundation

/// A server of replicated journals in the memory of the process, whose faults a test decides.
///
///     let server = MemoryServer()
///     let options = StoreOptions().replicated(on: server.address)
///     let one = try Replication.create(at: directory.path("one"), model: model, options: options)
///     let two = try Replication.join(at: directory.path("two"), options: options)
///     server.answerIsLost = { $0 == 7 }
///
/// It keeps the rules of a stream: a message is stored only after the one that its publisher expects.
package final class MemoryServer: Sendable {
  private struct State {
    var messages: [[UInt8]] = []
    var created: Int64 = 1
    var reports: [ObjectID: NodeReport] = [:]
    /// The signals that nodes sent, with the stream that sent them.
    var news: [(sender: ObjectIdentifier, kind: StreamSignal)] = []
    var connections = 1
    var isCut = false
    var isRemoved = false
    var publishedCount = 0
    var beforePublishing: (@Sendable (Int) -> Void)?
    var losesAnswer: (@Sendable (Int) -> Bool)?
    var losesMessage: (@Sendable (Int) -> Bool)?
    var refuses: (@Sendable (Int) -> Bool)?
    var answerCount = Int.max
  }

  private static let servers = Locked<[String: MemoryServer]>([:])
  private static let registered: Void = ReplicatedJournal.makeKnown(
    ReplicatedJournal(at: nil, schemes: ["memory"]) { address in
      guard let server = servers.withLock({ $0[address.stream] }) else {
        preconditionFailure("The server was released.")
      }
      return MemoryStream(server)
    })

  private let state = Locked(State())
  /// The address of the server's only stream.
  package let address: JournalAddress
  /// The largest message, in bytes.
  package let messageSizeInBytes: Int

  /// - Parameter address: The address of a server of an earlier process, whose messages are lost; `nil` for a new one.
  package init(messageSizeInBytes: Int = 1 << 20, replacing address: JournalAddress? = nil) throws {
    MemoryServer.registered
    self.address = try address ?? MemoryServer.makeAddress()
    self.messageSizeInBytes = messageSizeInBytes
    let address = self.address
    MemoryServer.servers.withLock { $0[address.stream] = self }
  }

  private static func makeAddress() throws -> JournalAddress {
    var address = try JournalAddress(parsing: "nats://memory/s\(UInt64.random(in: .min ... .max))")
    address.servers = ["memory://here:1"]
    return address
  }

  /// The messages of the stream.
  package var messages: [[UInt8]] { state.withLock { $0.messages } }

  /// Whether all connections are cut: nothing arrives, and nothing is answered.
  package var isCut: Bool {
    get { state.withLock { $0.isCut } }
    set {
      state.withLock { state in
        if state.isCut, !newValue { state.connections += 1 }
        state.isCut = newValue
      }
    }
  }

  /// Sets what is called before the n-th publication is judged, from 1; other nodes may write in it.
  package func beforePublishing(_ body: (@Sendable (Int) -> Void)?) { state.withLock { $0.beforePublishing = body } }

  /// Sets whether the n-th publication is stored and its answer lost.
  package func loseAnswer(_ isLost: (@Sendable (Int) -> Bool)?) { state.withLock { $0.losesAnswer = isLost } }

  /// Sets whether the n-th publication itself is lost.
  package func loseMessage(_ isLost: (@Sendable (Int) -> Bool)?) { state.withLock { $0.losesMessage = isLost } }

  /// Sets whether the n-th publication is refused though the stream ends as its publisher expects.
  package func refuse(_ isRefused: (@Sendable (Int) -> Bool)?) { state.withLock { $0.refuses = isRefused } }

  /// Sets how many of the messages that are requested at once come in time.
  package func limitAnswers(to count: Int) { state.withLock { $0.answerCount = count } }

  /// Adds the report of a node that is not in this process.
  package func add(_ report: NodeReport) {
    state.withLock { state in
      state.reports[report.node] = report
      state.news.append((ObjectIdentifier(self), .report))
    }
  }

  /// Adds the question of a node that is not in this process.
  package func ask() { state.withLock { $0.news.append((ObjectIdentifier(self), .question)) } }

  /// The number of reports and questions so far.
  package var newsCount: Int { state.withLock { $0.news.count } }

  /// The number of publications so far, the refused ones included.
  package var publishedCount: Int { state.withLock { $0.publishedCount } }

  /// Loses the messages after a number, as servers may that are restarted.
  ///
  /// - Parameter endsConnections: Whether the nodes were connected to the servers that were restarted last.
  package func truncate(to count: Int, endsConnections: Bool = true) {
    state.withLock { state in
      state.messages.removeLast(max(0, state.messages.count - count))
      if endsConnections { state.connections += 1 }
    }
  }

  /// Replaces the stream by a new one without messages.
  package func recreate() {
    state.withLock { state in
      state.messages = []
      state.created += 1
      state.connections += 1
      state.isRemoved = false
    }
  }

  /// Removes the stream.
  package func remove() {
    state.withLock { state in
      state.isRemoved = true
      state.connections += 1
    }
  }

  /// Adds a message without any rule, as a foreign program could.
  package func add(_ message: [UInt8]) { state.withLock { $0.messages.append(message) } }

  fileprivate var isRemoved: Bool { state.withLock { $0.isRemoved } }
  fileprivate var answerCount: Int { state.withLock { $0.answerCount } }
  fileprivate var connectionCount: Int { state.withLock { $0.isCut ? 0 : $0.connections } }
  fileprivate var reports: [NodeReport] { state.withLock { Array($0.reports.values) } }

  fileprivate func check() throws {
    if isCut { throw StreamUnavailable("the connection is cut") }
  }

  fileprivate var presentState: StreamState {
    state.withLock { state in
      StreamState(
        created: state.created, lastSequence: UInt64(state.messages.count),
        maximumMessageSizeInBytes: messageSizeInBytes)
    }
  }

  fileprivate func message(at sequence: UInt64) -> [UInt8]? {
    state.withLock { state in
      guard let number = Int(exactly: sequence), (1...).contains(number), number <= state.messages.count else {
        return nil
      }
      return state.messages[number - 1]
    }
  }

  fileprivate func publish(_ bytes: [UInt8], after sequence: UInt64) -> PublishOutcome {
    if isCut { return .unsent("the connection is cut") }
    let (number, hook) = state.withLock { state in
      state.publishedCount += 1
      return (state.publishedCount, state.beforePublishing)
    }
    hook?(number)
    return state.withLock { state in
      precondition(bytes.count <= messageSizeInBytes, "A publisher keeps to the size of messages.")
      if state.losesMessage?(number) ?? false { return .unknown("the message was lost") }
      guard UInt64(state.messages.count) == sequence, state.refuses?(number) != true else { return .refused }
      state.messages.append(bytes)
      if state.losesAnswer?(number) ?? false { return .unknown("the answer was lost") }
      return .acknowledged(sequence + 1)
    }
  }

  fileprivate func note(_ report: NodeReport, from sender: MemoryStream) {
    state.withLock { state in
      state.reports[report.node] = report
      state.news.append((ObjectIdentifier(sender), .report))
    }
  }

  fileprivate func ask(from sender: MemoryStream) {
    state.withLock { $0.news.append((ObjectIdentifier(sender), .question)) }
  }

  /// Returns the first signal after a number of them that others than a stream sent, and the number of all up to it.
  fileprivate func news(after count: Int, for stream: MemoryStream) -> (kind: StreamSignal, count: Int)? {
    state.withLock { state in
      guard !state.isCut else { return nil }
      let index = state.news[count...].firstIndex { $0.sender != ObjectIdentifier(stream) }
      return index.map { (state.news[$0].kind, $0 + 1) }
    }
  }
}

/// The connection of one process to a server in memory.
private final class MemoryStream: CommitStream {
  private let server: MemoryServer
  /// How many of the signals were received.
  private let heardCount: Locked<Int>

  init(_ server: MemoryServer) {
    self.server = server
    heardCount = Locked(server.newsCount)
  }

  var connectionCount: Int { server.connectionCount }
  var reports: [NodeReport] { server.isCut ? [] : server.reports }

  func create(serverCount: Int, waiting limit: Duration) throws { try server.check() }

  func state(waiting limit: Duration) throws -> StreamState {
    try server.check()
    if server.isRemoved { throw StoreError(.notFound, "There is no such stream.", advice: .createInStream) }
    return server.presentState
  }

  func publish(_ bytes: [UInt8], after sequence: UInt64, waiting limit: Duration) -> PublishOutcome {
    server.publish(bytes, after: sequence)
  }

  func messages(from first: UInt64, count: Int, waiting limit: Duration) throws -> StreamMessages {
    try server.check()
    let inTime = UInt64(min(count, server.answerCount))
    let found = (first..<first + inTime).map(server.message).prefix { $0 != nil }.compactMap { $0 }
    return StreamMessages(found, endStream: found.count < inTime)
  }

  func report(_ report: NodeReport) {
    if !server.isCut { server.note(report, from: self) }
  }

  func askForReports() {
    if !server.isCut { server.ask(from: self) }
  }

  func waitForSignal(atMost limit: Duration) -> StreamSignal {
    let deadline = ContinuousClock.now + limit
    while true {
      let kind: StreamSignal? = heardCount.withLock { count in
        guard let news = server.news(after: count, for: self) else { return nil }
        count = news.count
        return news.kind
      }
      if let kind { return kind }
      guard ContinuousClock.now < deadline else { return .nothing }
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  func close() {}
}
