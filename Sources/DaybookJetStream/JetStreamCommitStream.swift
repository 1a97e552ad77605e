#if JetStream

import CNATS
import Daybook
import DaybookEngine
import DaybookModel
import Foundation

/// A stream of JetStream, through libnats.
///
/// All calls are synchronous ones of libnats, on the threads of the store. The connection is made by the first call.
final class JetStreamCommitStream: CommitStream {
  private struct State {
    var connection: NATSConnection?
    /// How many connections were made before the present one.
    var formerCount = 0
    var isClosed = false
    var reports: [ObjectID: NodeReport] = [:]
  }

  private let address: JournalAddress
  private let state = Locked(State())
  /// Held while a thread waits for reports.
  private let listening = Locked(())

  init(_ address: JournalAddress) {
    self.address = address
  }

  var connectionCount: Int {
    state.withLock { state in state.connection.map { state.formerCount + $0.count } ?? 0 }
  }

  var reports: [NodeReport] { state.withLock { Array($0.reports.values) } }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.connection = nil
    }
  }

  /// Returns the connection, which is made if it does not exist.
  ///
  /// - Throws: ``StreamUnavailable`` if no server answers.
  private func connected(_ limit: Duration) throws -> NATSConnection {
    try state.withLock { state in
      if state.isClosed { throw StreamUnavailable("the store was closed") }
      let connection: NATSConnection
      if let former = state.connection, former.isGivenUp {
        state.formerCount += former.count
        state.connection = nil
      }
      if let present = state.connection {
        connection = present
      } else {
        connection = try NATSConnection(address, waiting: limit)
        state.connection = connection
      }
      guard connection.isConnected else { throw StreamUnavailable("the connection was lost") }
      return connection
    }
  }

  func publish(_ bytes: [UInt8], after sequence: UInt64, waiting limit: Duration) -> PublishOutcome {
    let connection: NATSConnection
    do {
      connection = try connected(limit)
    } catch {
      return .unsent((error as? StreamUnavailable)?.reason ?? "\(error)")
    }
    return address.stream.withCString { stream in
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      options.MaxWait = max(limit.milliseconds, 1)
      options.ExpectStream = stream
      // libnats sends the number only if it is above 0, so an empty stream is expected by its subject.
      options.ExpectLastSeq = sequence
      options.ExpectNoMessage = sequence == 0
      var answer: UnsafeMutablePointer<jsPubAck>?
      var code = jsErrCode(rawValue: 0)
      let status = js_Publish(
        &answer, connection.jetStream, address.subject, bytes, CInt(clamping: bytes.count), &options, &code)
      defer { jsPubAck_Destroy(answer) }
      return JetStreamCommitStream.outcome(status, code, answer)
    }
  }

  private static func outcome(
    _ status: natsStatus, _ code: jsErrCode, _ answer: UnsafeMutablePointer<jsPubAck>?
  ) -> PublishOutcome {
    if status == NATS_OK, let answer {
      // The server compares no sequence for a message that it takes for a repeated one.
      if answer.pointee.Duplicate { return .unknown("the server took the message for a repeated one") }
      return .acknowledged(answer.pointee.Sequence)
    }
    if code == JSStreamWrongLastSequenceErr { return .refused }
    let reason = NATSConnection.text(of: status)
    // Without a subscriber of the subject there is no stream that could have the message.
    return status == NATS_NO_RESPONDERS || status == NATS_MAX_PAYLOAD ? .unsent(reason) : .unknown(reason)
  }

  func messages(from first: UInt64, count: Int, waiting limit: Duration) throws -> StreamMessages {
    let connection = try connected(limit)
    let requests = (first..<first + UInt64(count)).map { #"{"seq":\#($0)}"# }
    let answers = try connection.answers(to: requests, on: "$JS.API.STREAM.MSG.GET.\(address.stream)", limit)
    var messages = StreamMessages()
    for (index, answer) in answers.enumerated() {
      guard let answer else { break }
      do {
        guard let bytes = try EncodedMessage.bytes(in: answer, first + UInt64(index)) else {
          messages.endStream = true
          break
        }
        messages.bytes.append(bytes)
      } catch {
        // What came is of use, and the rest is requested again.
        if index == 0 { throw error }
        break
      }
    }
    return messages
  }

  func report(_ report: NodeReport) { send(report.bytes) }

  func askForReports() { send([]) }

  /// Sends bytes to the other nodes; without a connection nothing is sent.
  private func send(_ bytes: [UInt8]) {
    guard let connection = state.withLock({ $0.connection }), connection.isConnected else { return }
    _ = natsConnection_Publish(connection.connection, address.reportSubject, bytes, CInt(clamping: bytes.count))
  }

  func waitForSignal(atMost limit: Duration) -> StreamSignal {
    guard limit > .zero else { return .nothing }
    guard let connection = state.withLock({ $0.connection }) else {
      Thread.sleep(forTimeInterval: limit / .seconds(1))
      return .nothing
    }
    return listening.withLock {
      var message: OpaquePointer?
      guard natsSubscription_NextMsg(&message, connection.reports, max(limit.milliseconds, 1)) == NATS_OK, let message
      else { return .nothing }
      defer { natsMsg_Destroy(message) }
      let bytes = message.natsBytes
      if bytes.isEmpty { return .question }
      // What is no report comes from another program, and is ignored.
      guard let report = try? NodeReport(bytes) else { return .nothing }
      state.withLock { $0.reports[report.node] = report }
      return .report
    }
  }
}

/// The stream itself.
extension JetStreamCommitStream {
  func create(serverCount: Int, waiting limit: Duration) throws {
    let connection = try connected(limit)
    var options = jsOptions()
    jsOptions_Init(&options)
    options.Wait = max(limit.milliseconds, 1)
    var code = jsErrCode(rawValue: 0)
    let status = address.stream.withCString { stream in
      address.subject.withCString { subject in
        var subjects: [UnsafePointer<CChar>?] = [subject]
        return subjects.withUnsafeMutableBufferPointer { subjects in
          var settings = jsStreamConfig()
          jsStreamConfig_Init(&settings)
          settings.Name = stream
          settings.Subjects = subjects.baseAddress
          settings.SubjectsLen = 1
          settings.Retention = js_LimitsPolicy
          settings.Discard = js_DiscardNew
          settings.Storage = js_FileStorage
          settings.Replicas = Int64(clamping: serverCount)
          settings.DenyDelete = true
          settings.DenyPurge = true
          return js_AddStream(nil, connection.jetStream, &settings, &options, &code)
        }
      }
    }
    // A stream that exists with other settings is judged by its settings.
    if status != NATS_OK, code == JSStreamNameExistErr { return }
    if status != NATS_OK, code == JSStreamInvalidConfig || code == JSStreamReplicasNotSupportedErr {
      throw StoreError(.badRequest, "The servers refuse the stream \(address): \(NATSConnection.text(of: status)).")
    }
    try NATSConnection.check(status)
  }

  /// How long servers of a cluster that know no stream are asked again: after they were started, the first leader that they elect
  /// may answer before it has read what streams there are.
  private static let settlingLimit = Duration.seconds(10)

  func state(waiting limit: Duration) throws -> StreamState {
    let settled = ContinuousClock.now + min(limit, address.servers.count > 1 ? Self.settlingLimit : .zero)
    let connection = try connected(limit)
    var options = jsOptions()
    jsOptions_Init(&options)
    options.Wait = max(limit.milliseconds, 1)
    var found: UnsafeMutablePointer<jsStreamInfo>?
    var code = jsErrCode(rawValue: 0)
    while true {
      let status = js_GetStreamInfo(&found, connection.jetStream, address.stream, &options, &code)
      guard code == JSStreamNotFoundErr else {
        try NATSConnection.check(status)
        break
      }
      guard ContinuousClock.now < settled else {
        throw StoreError(.notFound, "The servers have no stream \(address).", advice: .createInStream)
      }
      Thread.sleep(forTimeInterval: 0.1)
      code = jsErrCode(rawValue: 0)
    }
    guard let found else { throw StreamUnavailable("libnats returned no state of the stream") }
    defer { jsStreamInfo_Destroy(found) }
    let info = found.pointee
    guard let settings = info.Config else { throw StreamUnavailable("the stream has no settings") }
    if let fault = fault(of: settings.pointee, info) {
      throw StoreError(
        .badRequest, "The stream \(address) could lose commits: \(fault).",
        advice: "Change that setting, or let Daybook create the stream.")
    }
    let leader = info.Cluster.flatMap { $0.pointee.Leader }.map { String(cString: $0) }
    return StreamState(
      created: info.Created, lastSequence: info.State.LastSeq,
      maximumMessageSizeInBytes: connection.maximumMessageSizeInBytes,
      serverCount: Int(clamping: settings.pointee.Replicas), leader: leader, server: connection.server)
  }

  /// Returns the setting with which the stream could drop messages, or take others than commits; `nil` without such a
  /// setting.
  private func fault(of settings: jsStreamConfig, _ info: jsStreamInfo) -> String? {
    let subjects = (0..<Int(settings.SubjectsLen)).compactMap { settings.Subjects?[$0].map { String(cString: $0) } }
    let checks: [(isGood: Bool, fault: String)] = [
      (subjects == [address.subject], "its subjects are \(subjects), not only \(address.subject)"),
      (settings.Storage == js_FileStorage, "it is in memory"),
      (settings.Retention == js_LimitsPolicy, "it removes messages that were read"),
      (settings.MaxMsgs <= 0, "it has at most \(settings.MaxMsgs) messages"),
      (settings.MaxMsgsPerSubject <= 0, "it has at most \(settings.MaxMsgsPerSubject) messages a subject"),
      (settings.MaxBytes <= 0, "it has at most \(settings.MaxBytes) bytes"),
      (settings.MaxAge <= 0, "messages have an age limit"),
      (settings.Discard == js_DiscardNew, "it discards old messages when it is full"),
      (settings.MaxMsgSize <= 0, "messages have at most \(settings.MaxMsgSize) bytes"),
      (!settings.NoAck, "it does not acknowledge"),
      (settings.Mirror == nil && settings.SourcesLen == 0, "it copies other streams"),
      (settings.DenyDelete, "messages can be deleted"),
      (settings.DenyPurge, "it can be purged"),
      (!settings.AllowDirect, "messages are read from servers that may be behind"),
      (info.State.FirstSeq <= 1, "its first messages are gone"),
    ]
    return checks.first { !$0.isGood }?.fault
  }
}

#endif
