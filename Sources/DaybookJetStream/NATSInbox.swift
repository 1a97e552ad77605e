#if JetStream

import CNATS
import DaybookEngine
import DaybookModel

/// A subscription for the answers to several requests that are on their way at once.
///
/// It is used by one thread at a time, and again and again: a subscription costs each server of a cluster a message.
final class NATSInbox: @unchecked Sendable {
  private let subject: String
  private let subscription: OpaquePointer
  /// The number of the requests that were sent last; answers to earlier ones come too late.
  private var round: UInt64 = 0

  /// - Throws: ``StreamUnavailable``.
  init(_ connection: OpaquePointer) throws {
    var inbox: UnsafeMutablePointer<CChar>?
    try NATSConnection.check(natsInbox_Create(&inbox))
    defer { natsInbox_Destroy(inbox) }
    guard let inbox else { throw StreamUnavailable("libnats returned no inbox") }
    subject = String(cString: inbox)
    var subscription: OpaquePointer?
    try NATSConnection.check(natsConnection_SubscribeSync(&subscription, connection, "\(subject).*"))
    guard let subscription else { throw StreamUnavailable("libnats returned no subscription") }
    self.subscription = subscription
  }

  /// Ends the subscription of a connection that is closed; the inbox is not used after that.
  func close() { natsSubscription_Destroy(subscription) }

  /// Sends requests, and returns their answers; see ``NATSConnection/answers(to:on:_:)``.
  func answers(
    to requests: [String], on target: String, of connection: OpaquePointer, _ limit: Duration
  ) throws -> [[UInt8]?] {
    round += 1
    for (index, request) in requests.enumerated() {
      try NATSConnection.check(
        natsConnection_PublishRequest(
          connection, target, "\(subject).\(round)-\(index)", request, CInt(clamping: request.utf8.count)))
    }
    var answers: [[UInt8]?] = Array(repeating: nil, count: requests.count)
    var missingCount = requests.count
    let deadline = ContinuousClock.now + limit * 2
    while missingCount > 0 {
      var message: OpaquePointer?
      let rest = max(min(limit, deadline - .now).milliseconds, 1)
      let status = natsSubscription_NextMsg(&message, subscription, rest)
      guard status == NATS_OK, let message else {
        if answers[0] != nil { break }
        try NATSConnection.check(status)
        throw StreamUnavailable("libnats returned no message")
      }
      defer { natsMsg_Destroy(message) }
      guard let index = index(of: message), answers.indices.contains(index), answers[index] == nil else { continue }
      guard !natsMsg_IsNoResponders(message) else { throw StreamUnavailable("no server keeps the stream") }
      answers[index] = message.natsBytes
      missingCount -= 1
    }
    return answers
  }

  /// Returns which of the present requests a message answers, or `nil` if it answers an earlier one.
  private func index(of message: OpaquePointer) -> Int? {
    guard let subject = natsMsg_GetSubject(message) else { return nil }
    let numbers = String(cString: subject).split(separator: ".").last?.split(separator: "-") ?? []
    guard numbers.count == 2, UInt64(numbers[0]) == round else { return nil }
    return Int(numbers[1])
  }
}

#endif
