#if JetStream

import CNATS
import Daybook
import DaybookEngine
import DaybookModel
import Foundation

/// A connection to NATS servers, which libnats restores by itself when it is lost.
///
/// libnats allows all calls on all threads; the pointers are constant until the connection is released.
final class NATSConnection: @unchecked Sendable {
  let connection: OpaquePointer
  let jetStream: OpaquePointer
  /// The subscription to the reports of other nodes.
  let reports: OpaquePointer

  /// The least time for the handshake with a server.
  private static let leastTimeout = Duration.seconds(1)

  private let presence: ConnectionPresence
  private let servers: [String]
  /// The inboxes that no thread uses now.
  private let inboxes = Locked<[NATSInbox]>([])

  /// Connects to the first server that answers.
  ///
  /// - Throws: ``StreamUnavailable``; `StoreError` with the code `inputOutput` for a file that cannot be read.
  init(_ address: JournalAddress, waiting limit: Duration) throws {
    servers = address.servers
    let timeout = max(limit, NATSConnection.leastTimeout)
    // libnats gives a server that long for the connection, and once more for its answers.
    let handshakeLimit = timeout * 2
    presence = ConnectionPresence(servers, handshakesWithin: handshakeLimit)
    let options = try NATSConnection.options(address, timeout)
    defer { natsOptions_Destroy(options) }
    try NATSConnection.check(presence.observe(options))
    var connection: OpaquePointer?
    try EndlessHandshakes.ending(with: servers, after: handshakeLimit) {
      try NATSConnection.check(natsConnection_Connect(&connection, options))
    }
    presence.noteStart(of: connection)
    guard let connection else { throw StreamUnavailable("libnats returned no connection") }
    var jetStream: OpaquePointer?
    var reports: OpaquePointer?
    do {
      try NATSConnection.check(natsConnection_JetStream(&jetStream, connection, nil))
      try NATSConnection.check(natsConnection_SubscribeSync(&reports, connection, address.reportSubject))
      guard let jetStream, let reports else { throw StreamUnavailable("libnats returned no subscription") }
      (self.connection, self.jetStream, self.reports) = (connection, jetStream, reports)
    } catch {
      if let jetStream { jsCtx_Destroy(jetStream) }
      presence.noteEnd()
      natsConnection_Destroy(connection)
      throw error
    }
  }

  deinit {
    // The parts are not used after this, and libnats allows the calls on any thread.
    nonisolated(unsafe) let parts = Parts(
      connection: connection, jetStream: jetStream, reports: reports, inboxes: inboxes.withLock { $0 })
    let (servers, isLost) = (servers, presence.lostTime != nil)
    presence.noteEnd()
    guard isLost else { return parts.release() }
    // The thread that connects again may hold the lock of the connection for as long as a server is silent.
    Thread.detachNewThread {
      EndlessHandshakes.ending(with: servers, after: .zero) { parts.release() }
    }
  }

  private struct Parts {
    let connection: OpaquePointer
    let jetStream: OpaquePointer
    let reports: OpaquePointer
    let inboxes: [NATSInbox]

    func release() {
      // Before version 3.6, a message that comes while its subscription is destroyed ends the process with a signal
      // (github.com/nats-io/nats.c/issues/637): to a closed connection none comes.
      natsConnection_Close(connection)
      for inbox in inboxes { inbox.close() }
      natsSubscription_Destroy(reports)
      jsCtx_Destroy(jetStream)
      natsConnection_Destroy(connection)
    }
  }

  /// Whether a server answers at present; does not wait for libnats.
  var isConnected: Bool { presence.lostTime == nil }

  /// Whether libnats has tried to connect again for so long that a new connection is better.
  var isGivenUp: Bool { presence.lostTime.map { ContinuousClock.now - $0 > .seconds(3) } ?? false }

  /// How often libnats has connected: once at first, and each time that the connection was lost.
  var count: Int { presence.count }

  /// The URL of the server that answers.
  var server: String? {
    var buffer = [CChar](repeating: 0, count: 512)
    guard natsConnection_GetConnectedUrl(connection, &buffer, buffer.count) == NATS_OK else { return nil }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The largest message that the server takes, in bytes, headers included.
  var maximumMessageSizeInBytes: Int { Int(clamping: natsConnection_GetMaxPayload(connection)) }

  /// Sends requests, and returns their answers in the order of the requests; `nil` for one that did not come in time.
  ///
  /// - Parameter limit: How long an answer is awaited after the one before it; all of them, at most twice as long.
  /// - Throws: ``StreamUnavailable`` if the first request was not answered.
  func answers(to requests: [String], on subject: String, _ limit: Duration) throws -> [[UInt8]?] {
    let inbox = try inboxes.withLock { $0.popLast() } ?? NATSInbox(connection)
    // A thread that asks at the same time takes another one.
    defer { inboxes.withLock { $0.append(inbox) } }
    return try inbox.answers(to: requests, on: subject, of: connection, limit)
  }

  /// - Throws: ``StreamUnavailable`` with the text of libnats unless the status means success.
  static func check(_ status: natsStatus) throws {
    guard status != NATS_OK else { return }
    throw StreamUnavailable(text(of: status))
  }

  /// The description by libnats of the last error of this thread.
  static func text(of status: natsStatus) -> String {
    var last = status
    let detail = nats_GetLastError(&last).map { String(cString: $0) } ?? ""
    return detail.isEmpty ? String(cString: natsStatus_GetText(status)) : detail
  }
}

/// The options of a connection.
extension NATSConnection {
  private static func options(_ address: JournalAddress, _ timeout: Duration) throws -> OpaquePointer {
    var made: OpaquePointer?
    try check(natsOptions_Create(&made))
    guard let options = made else { throw StreamUnavailable("libnats returned no options") }
    do {
      try setServers(address.servers, options)
      try check(natsOptions_SetName(options, "daybook"))
      // libnats takes as long for each later attempt too, so a call near its limit must not decide on it.
      try check(natsOptions_SetTimeout(options, timeout.milliseconds))
      try check(natsOptions_SetAllowReconnect(options, true))
      try check(natsOptions_SetMaxReconnect(options, -1))
      try check(natsOptions_SetReconnectWait(options, 100))
      try check(natsOptions_SetReconnectJitter(options, 50, 50))
      try check(natsOptions_SetFailRequestsOnDisconnect(options, true))
      try check(natsOptions_SetNoEcho(options, true))
      // A server that was stopped, or a link that was cut, answers no ping.
      try check(natsOptions_SetPingInterval(options, 2_000))
      try check(natsOptions_SetMaxPingsOut(options, 2))
      try setIdentity(address, options)
      try setEncryption(address, options)
      return options
    } catch {
      natsOptions_Destroy(options)
      throw error
    }
  }

  private static func setServers(_ servers: [String], _ options: OpaquePointer) throws {
    var strings: [UnsafePointer<CChar>?] = servers.map { strdup($0).map { UnsafePointer($0) } }
    defer { for string in strings { free(UnsafeMutablePointer(mutating: string)) } }
    let count = CInt(clamping: strings.count)
    try check(natsOptions_SetServers(options, &strings, count))
  }

  private static func setIdentity(_ address: JournalAddress, _ options: OpaquePointer) throws {
    if let file = address.credentialsFile {
      try requireFile(file)
      try check(natsOptions_SetUserCredentialsFromFiles(options, file, nil))
    }
    guard let user = address.user else { return }
    try check(natsOptions_SetUserInfo(options, user, try address.passwordFile.map(password) ?? ""))
  }

  private static func setEncryption(_ address: JournalAddress, _ options: OpaquePointer) throws {
    guard address.authorityFile != nil || address.servers.contains(where: { $0.hasPrefix("tls:") }) else { return }
    try check(natsOptions_SetSecure(options, true))
    if let file = address.authorityFile {
      try requireFile(file)
      try check(natsOptions_LoadCATrustedCertificates(options, file))
    }
    if let name = address.expectedServerName { try check(natsOptions_SetExpectedHostname(options, name)) }
    if let certificate = address.certificateFile, let key = address.keyFile {
      try requireFile(certificate)
      try requireFile(key)
      try check(natsOptions_LoadCertificatesChain(options, certificate, key))
    }
  }

  private static func requireFile(_ path: String) throws {
    guard access(path, R_OK) == 0 else {
      throw StoreError(
        .inputOutput,
        "Cannot read \(path), which the address of the journal names: \(String(cString: strerror(errno))).")
    }
  }

  /// Returns the first line of a file.
  private static func password(inFile path: String) throws -> String {
    try requireFile(path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}

extension OpaquePointer {
  /// The bytes of a message of libnats.
  var natsBytes: [UInt8] {
    let count = Int(natsMsg_GetDataLength(self))
    guard count > 0, let start = natsMsg_GetData(self) else { return [] }
    return start.withMemoryRebound(to: UInt8.self, capacity: count) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }
}

extension Duration {
  /// The whole milliseconds.
  var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}

#endif
