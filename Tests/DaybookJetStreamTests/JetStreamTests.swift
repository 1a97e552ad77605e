#if JetStream

import CNATS
import Daybook
import DaybookEngine
import DaybookJetStream
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

/// The replicated journal on real servers.
@Suite(.hangLimit, .serialized, .registersJetStream) struct JetStreamTests {
  private static let model = Model(entities: [
    Entity(
      name: "Note",
      attributes: [Attribute(name: "text", type: .string), Attribute(name: "data", type: .data, isOptional: true)])
  ])

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func options(_ timeLimit: Duration = .seconds(20), follows: Bool = false) -> StoreOptions {
    var options = StoreOptions()
    options.replication.timeLimit = timeLimit
    options.replication.follows = follows
    return options
  }

  private func create(_ servers: NATSServers, replicas: Int = 1) throws -> Store {
    try Replication.create(
      at: directory.path("one"), model: JetStreamTests.model, serverCount: replicas,
      options: options().replicated(on: JournalAddress(parsing: servers.address("notes"))))
  }

  private func join(_ servers: NATSServers, _ name: String = "two", follows: Bool = false) throws -> Store {
    try Replication.join(
      at: directory.path(name),
      options: options(follows: follows).replicated(on: JournalAddress(parsing: servers.address("notes"))))
  }

  private func note(_ text: String, in store: Store) throws {
    try store.write { _ = try $0.insert("Note", ["text": .string(text)]) }
  }

  private func count(_ store: Store) throws -> Int {
    try store.read { try $0.fetch(Request(entity: "Note")).rows.count }
  }

  private func wait(_ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !condition() {
      guard ContinuousClock.now < deadline else { throw Mismatch("The condition did not come to hold.") }
      Thread.sleep(forTimeInterval: 0.005)
    }
  }

  /// Closes and verifies two nodes, which must have the same commits.
  private func finish(_ one: Store, _ two: Store) throws {
    try one.replication?.wait()
    try two.replication?.wait()
    let heads = try [one, two].map { store in
      try store.files.withJournal { journal in try journal.header(at: journal.head()).hash }
    }
    #expect(heads[0] == heads[1])
    try closeAndVerify(one)
    try closeAndVerify(two)
  }

  @Test(arguments: [1, 3]) func nodesShareOneJournal(serverCount: Int) async throws {
    let servers = try NATSServers(count: serverCount)
    let one = try create(servers, replicas: serverCount)
    try note("a", in: one)
    let two = try join(servers, follows: true)
    #expect(try count(two) == 1)
    // Conflicts: both nodes write at the same time, and each write runs until it is the next one.
    try await withThrowingTaskGroup { group in
      for number in 0..<60 {
        let store = number.isMultiple(of: 2) ? one : two
        group.addTask { _ = try await store.write { try $0.insert("Note", ["text": .string("\(number)")]) } }
      }
      try await group.waitForAll()
    }
    try note("last", in: one)
    try wait { try count(two) == 62 }
    // A commit in several messages, with a large value.
    let data = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let id = try await two.write { try $0.insert("Note", ["text": "large", "data": .data(data)]) }
    try one.replication?.wait()
    guard case .large(let value)? = try one.read({ try $0.get(id)?["data"] }) else {
      throw Mismatch("The value is not there.")
    }
    #expect(try value.requireSource().bytes(of: value) == data)
    let status = try #require(try one.replication?.status())
    #expect(status.stream?.serverCount == serverCount)
    #expect(status.stream?.lag == 0)
    #expect(status.others.map(\.id) == [try two.replication?.status().node.id])
    try finish(one, two)
  }

  @Test(arguments: [1, 3]) func messagesThatAreRequestedTogetherComeInOrder(serverCount: Int) throws {
    let servers = try NATSServers(count: serverCount)
    let one = try create(servers, replicas: serverCount)
    for number in 0..<80 { try note("\(number)", in: one) }
    let address = try JournalAddress(parsing: servers.address("notes"))
    let stream = try #require(options().stream(at: address))
    defer { stream.close() }
    let all = try (1...81).map { try #require(try stream.message(at: $0, waiting: .seconds(5))) }
    for (first, count) in [(1, 1), (1, 32), (40, 32), (70, 32), (81, 2), (82, 5), (500, 3)] {
      let expected = all.dropFirst(first - 1).prefix(count)
      let found = try stream.messages(from: UInt64(first), count: count, waiting: .seconds(5))
      #expect(found.bytes == Array(expected))
      #expect(found.endStream == (expected.count < count))
    }
    let two = try join(servers)
    #expect(try count(two) == 80)
    try finish(one, two)
  }

  @Test func aWriteGoesOnWhenTheLeaderIsKilled() throws {
    let servers = try NATSServers(count: 3)
    let one = try create(servers, replicas: 3)
    let two = try join(servers)
    try note("before", in: one)
    let leader = try #require(try one.replication?.status().stream?.leader?.dropFirst())
    servers.stop(try #require(Int(leader)))
    try note("without", in: two)
    try note("without, too", in: one)
    #expect(try one.replication?.status().stream?.leader != "s\(leader)")
    try two.replication?.wait()
    #expect(try count(two) == 3)
    try finish(one, two)
  }

  @Test func withoutServersANodeReadsAndGoesOnWhenTheyAreBack() throws {
    let servers = try NATSServers()
    let one = try create(servers)
    try note("a", in: one)
    one.close()
    servers.stop(0)
    let store = try Store(at: one.path, options: options(.milliseconds(300)))
    #expect(try count(store) == 1)
    let error = #expect(throws: StoreError.self) { try note("b", in: store) }
    #expect(error?.code == .unavailable)
    #expect(try store.replication?.status().stream == nil)
    store.close()
    try servers.start(0)
    let again = try Store(at: one.path, options: options())
    try note("c", in: again)
    let two = try join(servers)
    #expect(try count(two) == 2)
    try finish(again, two)
  }

  @Test func aServerThatStaysSilentHoldsNoWriteLongerThanItsLimit() throws {
    let servers = try NATSServers()
    try create(servers).close()
    let store = try Store(at: directory.path("one"), options: options(.seconds(1)))
    try note("before", in: store)
    servers.suspend(0)
    // libnats gives up the connection after four seconds, and makes another that is not answered.
    let end = ContinuousClock.now + .seconds(9)
    while ContinuousClock.now < end {
      let error = #expect(throws: StoreError.self) { try note("silence", in: store) }
      #expect(error?.code == .unavailable || error?.code == .unknownOutcome)
    }
    servers.resume(0)
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? note("after", in: store)) == nil {
      guard ContinuousClock.now < deadline else { throw Mismatch("The store does not write again.") }
    }
    try store.replication?.wait()
    try closeAndVerify(store)
  }

  @Test func ofTwoStoresForOneStreamTheSecondIsRefused() throws {
    let servers = try NATSServers()
    let one = try create(servers)
    let error = #expect(throws: StoreError.self) {
      try Replication.create(
        at: directory.path("other"), model: JetStreamTests.model,
        options: options().replicated(on: JournalAddress(parsing: servers.address("notes"))))
    }
    #expect(error?.code == .exists)
    #expect(!FileManager.default.fileExists(atPath: directory.path("other")))
    try closeAndVerify(one)
  }

  @Test func aStreamThatDoesNotExistCannotBeJoined() throws {
    let servers = try NATSServers()
    let error = #expect(throws: StoreError.self) { try join(servers) }
    #expect(error?.code == .notFound)
  }

  /// Changes one setting of a stream that is otherwise as the library makes it.
  private static let badSettings: [(name: String, change: @Sendable (inout jsStreamConfig) -> Void)] = [
    ("messages", { $0.MaxMsgs = 10 }), ("bytes", { $0.MaxBytes = 1_000_000 }),
    ("age", { $0.MaxAge = 60_000_000_000 }), ("memory", { $0.Storage = js_MemoryStorage }),
    ("discarding", { $0.Discard = js_DiscardOld }), ("deleting", { $0.DenyDelete = false }),
    ("purging", { $0.DenyPurge = false }), ("direct", { $0.AllowDirect = true }),
    ("retention", { $0.Retention = js_InterestPolicy }), ("size", { $0.MaxMsgSize = 1_000 }),
  ]

  @Test func aStreamThatCouldLoseMessagesIsRefused() throws {
    let servers = try NATSServers()
    for (name, change) in JetStreamTests.badSettings {
      let address = try JournalAddress(parsing: servers.address("bad-\(name)"))
      try makeStream(address, change)
      let error = #expect(throws: StoreError.self, "\(name)") {
        try Replication.create(
          at: directory.path(name), model: JetStreamTests.model, options: options().replicated(on: address))
      }
      #expect(error?.code == .badRequest, "\(name)")
    }
    let good = try JournalAddress(parsing: servers.address("good"))
    try makeStream(good) { _ in }
    try closeAndVerify(
      Replication.create(
        at: directory.path("good"), model: JetStreamTests.model, options: options().replicated(on: good)))
  }

  private func makeStream(_ address: JournalAddress, _ change: (inout jsStreamConfig) -> Void) throws {
    var connection: OpaquePointer?
    var jetStream: OpaquePointer?
    defer {
      jsCtx_Destroy(jetStream)
      natsConnection_Destroy(connection)
    }
    guard natsConnection_ConnectTo(&connection, address.servers[0]) == NATS_OK,
      natsConnection_JetStream(&jetStream, connection, nil) == NATS_OK
    else { throw Mismatch("The server cannot be reached.") }
    let status = address.stream.withCString { stream in
      address.subject.withCString { subject in
        var subjects: [UnsafePointer<CChar>?] = [subject]
        return subjects.withUnsafeMutableBufferPointer { subjects in
          var settings = jsStreamConfig()
          jsStreamConfig_Init(&settings)
          (settings.Name, settings.Subjects, settings.SubjectsLen) = (stream, subjects.baseAddress, 1)
          (settings.Discard, settings.DenyDelete, settings.DenyPurge) = (js_DiscardNew, true, true)
          change(&settings)
          return js_AddStream(nil, jetStream, &settings, nil, nil)
        }
      }
    }
    guard status == NATS_OK else { throw Mismatch("The stream cannot be made.") }
  }

  @Test func aUserNeedsItsPassword() throws {
    let servers = try NATSServers { _ in "authorization { users: [{ user: anna, password: \"right\" }] }" }
    var address = try JournalAddress(parsing: servers.address("notes"))
    address.user = "anna"
    for (word, isRight) in [("wrong", false), ("right", true)] {
      let file = directory.path("\(word).txt")
      try "\(word)\n".write(toFile: file, atomically: true, encoding: .utf8)
      address.passwordFile = file
      let make = {
        try Replication.create(
          at: directory.path(word), model: JetStreamTests.model, options: options(.seconds(1)).replicated(on: address))
      }
      if isRight {
        let store = try make()
        try note("a", in: store)
        try closeAndVerify(store)
      } else {
        let error = #expect(throws: StoreError.self) { try make() }
        #expect(error?.code == .unavailable)
      }
    }
    address.credentialsFile = directory.path("missing")
    let error = #expect(throws: StoreError.self) {
      try Replication.join(at: directory.path("no"), options: options(.seconds(1)).replicated(on: address))
    }
    #expect(error?.code == .inputOutput)
  }

  /// Starts a server whose certificate is for the given names, and returns it with the file of its authority.
  private func encrypted(_ names: String) throws -> (servers: NATSServers, authority: String) {
    let authority = directory.path("authority.pem")
    let servers = try NATSServers { directory in
      let (key, certificate) = (directory.path("key.pem"), directory.path("certificate.pem"))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=nats", "-addext",
        "subjectAltName=\(names)", "-keyout", key, "-out", certificate,
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try FileManager.default.copyItem(atPath: certificate, toPath: authority)
      return "tls { cert_file: \"\(certificate)\", key_file: \"\(key)\" }"
    }
    return (servers, authority)
  }

  /// Whether a store can be made in a stream that has none.
  private func isReached(_ address: JournalAddress) throws -> Bool {
    let path = directory.path("store \(UUID())")
    do {
      let store = try Replication.create(
        at: path, model: JetStreamTests.model, options: options(.seconds(1)).replicated(on: address))
      try note("a", in: store)
      try closeAndVerify(store)
      return true
    } catch let error as StoreError where error.code == .unavailable {
      return false
    }
  }

  @Test func anEncryptedConnectionNeedsTheAuthorityOfTheServer() throws {
    let (servers, authority) = try encrypted("IP:127.0.0.1")
    var address = try JournalAddress(parsing: servers.address("notes", scheme: "tls"))
    #expect(try !isReached(address))
    address.authorityFile = authority
    #expect(try isReached(address))
  }

  @Test func aCertificateMustBeForTheServer() throws {
    let (servers, authority) = try encrypted("DNS:journal.example")
    var address = try JournalAddress(parsing: servers.address("notes", scheme: "tls"))
    address.authorityFile = authority
    address.serverName = "other.example"
    #expect(try !isReached(address))
    address.serverName = "journal.example"
    #expect(try isReached(address))
    address.serverName = nil
    address.stream = "more"
    address.servers = address.servers.map { $0.replacing("127.0.0.1", with: "localhost") }
    #expect(try !isReached(address))
  }

  @Test func aUserWithCredentialsIsLetIn() throws {
    let (account, stranger) = (NATSAccount(), NATSAccount())
    let servers = try NATSServers { _ in try account.settings }
    var address = try JournalAddress(parsing: servers.address("notes"))
    for (name, owner, isIn) in [("stranger", stranger, false), ("anna", account, true)] {
      let file = directory.path("\(name).creds")
      try owner.credentials(ofUser: name).write(toFile: file, atomically: true, encoding: .utf8)
      address.credentialsFile = file
      #expect(try isReached(address) == isIn, "\(name)")
    }
  }
}

#endif
