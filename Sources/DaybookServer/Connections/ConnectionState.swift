#if Server

import NIOCore

/// What is under way on a connection, and what is to be done when.
///
/// It has no clock and does nothing: it is notified of what happens, and ``next(at:)`` returns what to do.
struct ConnectionState {
  /// A request whose answer is not complete.
  struct Exchange {
    /// Whether the client wants, or only understands, one answer for the connection.
    var closes = false
    /// Whether the client knows HTTP/1.0 alone, which has no chunks.
    var isOld = false
    /// Whether the answer has no body, whatever its fields specify.
    var isHead = false
    /// Whether the client waits for `100 Continue` before it sends its body.
    var expectsContinue = false
    fileprivate var isAnswering = false

    init(closes: Bool = false, isOld: Bool = false, isHead: Bool = false, expectsContinue: Bool = false) {
      (self.closes, self.isOld, self.isHead, self.expectsContinue) = (closes, isOld, isHead, expectsContinue)
    }
  }

  /// Why a request is refused before it reaches an operation.
  enum Refusal {
    /// It was not sent in time.
    case late
    /// The server ends, and the client sends nothing more of it.
    case ending
    case problem(Problem)
  }

  /// Why a connection is closed.
  enum Closing: Equatable {
    /// All was sent that was to be sent, or no request came.
    case complete
    /// The client received nothing for a time, and an answer was cut.
    case stalled(TimeAmount)
    /// The rest of a request did not come while its answer was under way, and the answer was cut.
    case refused
    /// The server ended while an answer was under way.
    case ended
  }

  enum Action {
    /// Nothing, until a time; `nil` for no end.
    case wait(until: NIODeadline?)
    /// Answer a request that is not complete, as the last answer.
    case refuse(Refusal, isHead: Bool, isBodyDue: Bool)
    /// Send the end of the output, and receive until the client closes, too.
    case endOutput
    case close(Closing)
  }

  private let limits: ConnectionLimits
  /// The requests that are not answered, the oldest first.
  private var exchanges: [Exchange] = []
  /// Whether the head of the last of them has come, and its end has not.
  private var isBodyDue = false
  /// When the first byte of a request came whose end has not come.
  private var receivingSince: NIODeadline?
  private var lastReceived: NIODeadline
  /// When the last answer was complete and sent.
  private var idleSince: NIODeadline
  /// The pieces that were given to the socket, and wait there.
  private var unsentCount = 0
  private var lastProgress: NIODeadline
  private var acknowledged: UInt64?
  private var endingSince: NIODeadline?
  private var refusal: (reason: Refusal, isHead: Bool)?
  /// Whether the last answer is complete.
  private(set) var isFinishing = false
  private var lingerSince: NIODeadline?
  private var isInputClosed = false
  private var isClosed = false

  init(_ limits: ConnectionLimits, at now: NIODeadline) {
    self.limits = limits
    (lastReceived, idleSince, lastProgress) = (now, now, now)
  }

  /// Whether what the client sends is still read.
  var isReceiving: Bool { !isFinishing && refusal == nil }

  /// How long nothing of what waits to be sent may be received.
  private var stall: TimeAmount { endingSince == nil ? limits.stall : limits.shutdownStall }

  /// The time from one question for ``acknowledge(_:at:)`` to the next, while bytes wait to be sent.
  var progressInterval: TimeAmount { .nanoseconds(max(stall.nanoseconds / 4, 1)) }

  /// Whether bytes wait to be sent.
  var hasUnsent: Bool { unsentCount > 0 }

  /// Whether the next byte of the client begins a request.
  var isBetweenRequests: Bool { receivingSince == nil }

  // MARK: - The client

  mutating func receive(at now: NIODeadline) {
    lastReceived = now
    if receivingSince == nil { receivingSince = now }
  }

  mutating func receiveHead(_ exchange: Exchange, at now: NIODeadline) {
    receive(at: now)
    exchanges.append(exchange)
    isBodyDue = true
  }

  mutating func receiveEnd() {
    isBodyDue = false
    receivingSince = nil
  }

  mutating func closeInput() { isInputClosed = true }

  /// Notes that what the client sends cannot be read on: it is answered after the requests before it.
  ///
  /// - Parameter isHead: Whether the faulty request is one whose answer has no body.
  mutating func refuse(_ reason: Refusal, isHead: Bool = false) {
    guard isReceiving else { return }
    refusal = (reason, isHead)
  }

  // MARK: - The answers

  /// Whether the client may be asked to send the body of the request that is answered next.
  mutating func takeExpectation() -> Bool {
    guard isReceiving, exchanges.count == 1, isBodyDue, exchanges[0].expectsContinue, !exchanges[0].isAnswering else {
      return false
    }
    exchanges[0].expectsContinue = false
    return true
  }

  /// Notes the head of an answer, and returns what it answers; it closes if it is the last one.
  mutating func beginAnswer() -> Exchange? {
    guard !isFinishing, !exchanges.isEmpty else { return nil }
    exchanges[0].isAnswering = true
    // What follows in the body of a request that was answered early cannot be distinguished from a request.
    if endingSince != nil || isBodyDue && exchanges.count == 1 { exchanges[0].closes = true }
    return exchanges[0]
  }

  /// The request whose answer has begun.
  var answering: Exchange? { exchanges.first.flatMap { $0.isAnswering && !isFinishing ? $0 : nil } }

  mutating func endAnswer(at now: NIODeadline) {
    guard !isFinishing, !exchanges.isEmpty else { return }
    let exchange = exchanges.removeFirst()
    idleSince = now
    if exchange.closes { isFinishing = true }
  }

  /// Notes that no answer follows any more.
  mutating func finish() { isFinishing = true }

  // MARK: - The socket

  mutating func enqueue(at now: NIODeadline) {
    if unsentCount == 0 { lastProgress = now }
    unsentCount += 1
  }

  mutating func send(at now: NIODeadline) {
    unsentCount -= 1
    lastProgress = now
    if unsentCount == 0 { idleSince = now }
  }

  /// Notes how many bytes the client's system has confirmed: of a large piece in the socket's buffer, this alone shows
  /// that it is read, however slowly.
  mutating func acknowledge(_ count: UInt64, at now: NIODeadline) {
    if acknowledged != count { lastProgress = now }
    acknowledged = count
  }

  /// Notes that the server ends: no request is taken any more.
  mutating func end(at now: NIODeadline) {
    guard endingSince == nil else { return }
    endingSince = now
    lastProgress = now
  }

  mutating func close() { isClosed = true }

  // MARK: - What to do

  mutating func next(at now: NIODeadline) -> Action {
    if isClosed { return .wait(until: nil) }
    var deadlines: [NIODeadline] = []
    if let endingSince {
      deadlines.append(endingSince + limits.shutdown)
      if now >= endingSince + limits.shutdown { return .close(.ended) }
    }
    if unsentCount > 0 {
      if now >= lastProgress + stall { return .close(.stalled(stall)) }
      deadlines.append(min(lastProgress + stall, now + progressInterval))
    }
    if isFinishing {
      if unsentCount == 0 {
        guard let lingerSince else {
          self.lingerSince = now
          return isInputClosed ? .close(.complete) : .endOutput
        }
        let end = min(max(lingerSince, lastReceived) + limits.linger, lingerSince + limits.request)
        if isInputClosed || now >= end { return .close(.complete) }
        deadlines.append(end)
      }
      return .wait(until: deadlines.min())
    }
    // Requests before the one that is being received.
    let before = exchanges.count - (isBodyDue ? 1 : 0)
    if before == 0 {
      if let refusal { return refuse(refusal.reason, refusal.isHead) }
      if let receivingSince {
        let end = max(receivingSince, idleSince) + limits.request
        if now >= end { return refuse(.late, false) }
        deadlines.append(end)
        if let endingSince {
          let end = max(lastReceived, endingSince) + limits.shutdownStall
          if now >= end { return refuse(.ending, false) }
          deadlines.append(end)
        }
      } else if exchanges.isEmpty, unsentCount == 0 {
        if endingSince != nil || now >= idleSince + limits.idle { return .close(.complete) }
        deadlines.append(idleSince + limits.idle)
      }
    }
    return .wait(until: deadlines.min())
  }

  private mutating func refuse(_ reason: Refusal, _ isHead: Bool) -> Action {
    let (exchange, isDue) = (exchanges.first, isBodyDue)
    // An answer that has begun cannot become another one.
    if exchange?.isAnswering == true { return .close(.refused) }
    (exchanges, isBodyDue, receivingSince, refusal, isFinishing) = ([], false, nil, nil, true)
    return .refuse(reason, isHead: isHead || exchange?.isHead == true, isBodyDue: isDue)
  }
}

#endif
