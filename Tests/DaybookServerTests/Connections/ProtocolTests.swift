#if Server

import DaybookTestSupport
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import DaybookServer

/// The rules of the standards for requests and connections, over the handlers of a connection without a socket.
///
/// ``ProtocolTests/lines`` has the lines that one request shows. The others need time, a store or a socket:
///
/// | RFC | line | test |
/// |---|---|---|
/// | 9110 15.5.9 | 408 for a request that is never complete | `aRequestThatIsNeverCompleteIsAnsweredWith408` |
/// | 9112 2.2 | an empty line begins no request | `anEmptyLineBeginsNoRequest` |
/// | 9112 8 | a body that ends early is 400 | `aBodyThatEndsEarlyIsAnsweredWith400` |
/// | 9110 10.1.1 | 100 or 413 before the body is sent | `RequestLimitTests.aBodyThatIsTooLargeIsRefusedBeforeItIsSent` |
/// | 9110 13.1.2 | 304 for a known tag | `ReadingRoutesTests.anAnswerHasATagUntilTheStoreChanges` |
/// | 9110 13.2.1 | no 304 for what would not be 200 | `ReadingRoutesTests.aTagDoesNotHideWhatIsWrong` |
/// | 9110 9.3.2 | HEAD of a stream has no length | `FeedStreamTests.theHeaderOfAStreamBeginsNone` |
/// | 9110 7.4 | 421 for another host | `SecurityTests.aNameThatIsNotThisServersIsMisdirected` |
/// | 6454 5 | a port is a part of an origin | `SecurityTests.aSessionIsBegunByATokenAndNeedsItsOrigin` |
/// | 2046 5.1.1 | text before and after the parts of a form | `WritingTests.aFormMayHaveTextAroundItsPartsAndSpacesAfterItsBoundaries` |
/// | 8996 | no TLS 1.0 and 1.1 | `Tests/HTTP/test_tls.py` |
/// | 8446 4.6.3 | a stream lasts over an update of keys | `Tests/HTTP/test_tls.py` |
@Suite(.hangLimit) struct ProtocolTests {
  /// A line of the table.
  struct Line: Sendable, CustomTestStringConvertible {
    /// The section of RFC 9110, 9112 or 6585 that requires it.
    let section: String
    let request: String
    /// The statuses of all answers.
    let statuses: [Int]
    /// Texts that the answers have, in their bytes.
    var has: [String] = []
    var lacks: [String] = []
    /// Whether the last answer ends the connection.
    var ends = false

    var testDescription: String { "RFC \(section): \(request.prefix(60).debugDescription)" }
  }

  private static let host = "Host: localhost\r\n"

  static let lines: [Line] = [
    // Requests that are answered.
    Line(
      section: "9112 2.2", request: "\r\n\r\nGET /a HTTP/1.1\r\n\(host)\r\n", statuses: [200], has: ["/a localhost"]),
    Line(
      section: "9112 9.3.2", request: "GET /a HTTP/1.1\r\n\(host)\r\nGET /b HTTP/1.1\r\n\(host)\r\n",
      statuses: [200, 200], has: ["/a localhost", "/b localhost"]),
    Line(
      section: "9112 2.2",
      request: "POST /a HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nab\r\nGET /b HTTP/1.1\r\n\(host)\r\n",
      statuses: [200, 200]),
    Line(
      section: "9112 7.1", request: "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
      statuses: [200]),
    Line(
      section: "9112 7.1.2",
      request: "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n", statuses: [200]),
    Line(section: "9112 3.2", request: "GET /a HTTP/1.1\r\nhOST: localhost\r\n\r\n", statuses: [200]),
    // The body of an answer ends where its header specifies.
    Line(
      section: "9112 6.3", request: "GET /length HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      has: ["content-length: 5", "\r\n\r\nbytes"], lacks: ["transfer-encoding"]),
    Line(
      section: "9112 6.1", request: "GET /a HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      has: ["transfer-encoding: chunked", "0\r\n\r\n"]),
    Line(
      section: "9110 9.3.2", request: "HEAD /length HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      has: ["content-length: 5"],
      lacks: ["bytes"]),
    Line(
      section: "9110 8.6", request: "HEAD /a HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      lacks: ["content-length", "/a localhost"]),
    Line(
      section: "9110 15.4.5", request: "GET /304 HTTP/1.1\r\n\(host)\r\n", statuses: [304],
      lacks: ["content-length", "transfer-encoding"]),
    Line(
      section: "9110 15.3.5", request: "GET /204 HTTP/1.1\r\n\(host)\r\n", statuses: [204],
      lacks: ["content-length", "transfer-encoding"]),
    // Connections.
    Line(
      section: "9112 9.6", request: "GET /a HTTP/1.1\r\n\(host)Connection: close\r\n\r\n", statuses: [200],
      has: ["connection: close"], ends: true),
    Line(
      section: "9110 7.6.1", request: "GET /a HTTP/1.1\r\n\(host)Connection: keep-alive, Close\r\n\r\n",
      statuses: [200],
      has: ["connection: close"], ends: true),
    Line(
      section: "9110 7.6.1", request: "GET /a HTTP/1.1\r\n\(host)Connection: TE\r\nConnection: CLOSE\r\n\r\n",
      statuses: [200], has: ["connection: close"], ends: true),
    Line(
      section: "9112 9.6",
      request: "GET /a HTTP/1.1\r\n\(host)Connection: close\r\n\r\nGET /b HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      lacks: ["/b"], ends: true),
    Line(
      section: "9112 9.3", request: "GET /a HTTP/1.0\r\n\(host)\r\n", statuses: [200],
      has: ["HTTP/1.1 200", "connection: close"], lacks: ["transfer-encoding"], ends: true),
    Line(
      section: "9112 3.2", request: "GET /a HTTP/1.0\r\n\r\n", statuses: [200], has: ["/a localhost:"], ends: true),
    // Targets and hosts.
    Line(
      section: "9112 3.2.2", request: "GET http://other.example:81/a?b=1 HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      has: ["/a?b=1 other.example:81"]),
    Line(
      section: "9112 3.2.2", request: "GET HTTP://other.example HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      has: ["/ other.example"]),
    Line(
      section: "9112 3.2.2", request: "GET http://other.example?b HTTP/1.1\r\n\(host)\r\n", statuses: [200],
      has: ["/?b other.example"]),
    Line(section: "9112 3.2", request: "GET /a HTTP/1.1\r\n\r\n", statuses: [400], ends: true),
    Line(section: "9112 3.2", request: "GET /a HTTP/1.1\r\n\(host)\(host)\r\n", statuses: [400], ends: true),
    Line(section: "9112 3.2", request: "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n", statuses: [400], ends: true),
    Line(section: "9112 3.2", request: "GET /a HTTP/1.1\r\nHost:\r\n\r\n", statuses: [400], ends: true),
    Line(section: "9112 3.2.1", request: "GET a HTTP/1.1\r\n\(host)\r\n", statuses: [400], ends: true),
    Line(section: "9112 3.2.4", request: "GET * HTTP/1.1\r\n\(host)\r\n", statuses: [400], ends: true),
    Line(
      section: "9112 3.2.4", request: "OPTIONS * HTTP/1.1\r\n\(host)\r\n", statuses: [200], has: ["* localhost"]),
    Line(
      section: "9110 15.5.6", request: "CONNECT other.example:443 HTTP/1.1\r\n\(host)\r\n", statuses: [405],
      has: ["allow: GET, HEAD, POST"], ends: true),
    // 505 is for a server that reads a version which it does not support; the parser here reads no others.
    Line(section: "9110 15.6.6", request: "GET /a HTTP/2.0\r\n\(host)\r\n", statuses: [400], ends: true),
    // What is malformed.
    Line(section: "9112 2.2", request: "\u{0}\u{1}\r\n\r\n", statuses: [400], ends: true),
    Line(section: "9112 5", request: "GET /a HTTP/1.1\r\n\(host)no colon\r\n\r\n", statuses: [400], ends: true),
    Line(section: "9112 5.1", request: "GET /a HTTP/1.1\r\nHost : localhost\r\n\r\n", statuses: [400], ends: true),
    Line(
      section: "9112 6.3", request: "POST /a HTTP/1.1\r\n\(host)Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
      statuses: [400], ends: true),
    Line(
      section: "9112 6.3", request: "POST /a HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", statuses: [400], ends: true
    ),
    Line(
      section: "9112 6.1",
      request: "POST /a HTTP/1.1\r\n\(host)Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      statuses: [400], ends: true),
    Line(
      section: "9112 6.1", request: "POST /a HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      statuses: [400], ends: true),
    Line(
      section: "9112 6.1", request: "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      statuses: [501], ends: true),
    Line(
      section: "9112 7.1", request: "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
      statuses: [400],
      ends: true),
    Line(
      section: "9112 7.1", request: "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n",
      statuses: [400], ends: true),
    Line(
      section: "9112 7.1",
      request: "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
      statuses: [400], ends: true),
    Line(
      section: "6585 5", request: "GET /a HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 17_000))\r\n\r\n",
      statuses: [431], ends: true),
    Line(
      section: "6585 5",
      request: "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n"
        + String(repeating: "X: \(String(repeating: "a", count: 1_000))\r\n", count: 20) + "\r\n", statuses: [431],
      ends: true),
    Line(
      section: "9112 9.3.2", request: "GET /a HTTP/1.1\r\n\(host)\r\nrubbish\r\n\r\n", statuses: [200, 400], ends: true),
    // A client that waits before it sends its body.
    Line(
      section: "9110 10.1.1",
      request: "POST /a HTTP/1.1\r\n\(host)Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n", statuses: [100]),
    Line(
      section: "9110 10.1.1",
      request: "POST /early HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
      statuses: [413], has: ["connection: close"], ends: true),
    Line(
      section: "9110 10.1.1", request: "POST /a HTTP/1.0\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
      statuses: [200], ends: true),
    Line(
      section: "9110 10.1.1", request: "GET /a HTTP/1.1\r\n\(host)Expect: 100-continue\r\n\r\n", statuses: [200]),
  ]

  @Test(arguments: lines) func aRequestIsAnsweredAsTheStandardSays(_ line: Line) throws {
    let connection = try TestConnection()
    try connection.receive(line.request)
    try check(line, connection)
  }

  /// The same requests in pieces: no line depends on how its bytes arrive.
  @Test(arguments: lines) func aRequestInPiecesIsAnsweredTheSame(_ line: Line) throws {
    try SeededRandom.run { random in
      let connection = try TestConnection()
      var rest = Array(line.request.utf8)[...]
      while !rest.isEmpty {
        let piece = rest.prefix(random.number(1...max(1, rest.count / 3)))
        try connection.receive(String(decoding: piece, as: UTF8.self))
        rest = rest.dropFirst(piece.count)
      }
      try check(line, connection)
    }
  }

  private func check(_ line: Line, _ connection: TestConnection) throws {
    let text = connection.sent
    let statuses = text.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    #expect(statuses == line.statuses, "\(text)")
    // RFC 9110 5.1: the case of a field's name does not matter.
    let lowercase = text.lowercased()
    for part in line.has { #expect(lowercase.contains(part.lowercased()), "\(part) in \(text)") }
    for part in line.lacks { #expect(!lowercase.contains(part.lowercased()), "\(part) in \(text)") }
    #expect(connection.isOutputEnded == line.ends, "\(text)")
    guard let status = statuses.last, status >= 400, status != 413 else { return }
    // An answer of the connection is like all others.
    for part in ["application/problem+json", "\"status\": \(status)", "nosniff", "no-referrer", "default-src 'self'"] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(text.contains("Date: ") && lowercase.contains("connection: close"))
  }

  @Test func aRequestThatIsNeverCompleteIsAnsweredWith408() throws {
    for text in ["GET /a HTTP/1.1\r\nHost: local", "POST /a HTTP/1.1\r\n\(Self.host)Content-Length: 9\r\n\r\na"] {
      let connection = try TestConnection()
      connection.advance(.seconds(15))
      try connection.receive(text)
      connection.advance(.seconds(29))
      #expect(connection.sent.isEmpty)
      connection.advance(.seconds(1))
      #expect(connection.sent.hasPrefix("HTTP/1.1 408") && connection.sent.contains("\"status\": 408"))
      #expect(connection.isOutputEnded && !connection.isClosed)
      connection.advance(.seconds(2))
      #expect(connection.isClosed)
    }
  }

  @Test func anEmptyLineBeginsNoRequest() throws {
    let connection = try TestConnection()
    try connection.receive("GET /never HTTP/1.1\r\n\(Self.host)\r\n")
    // An update of the keys of TLS arrives as no bytes.
    for bytes in ["\r\n", ""] { try connection.receive(bytes) }
    connection.advance(.hours(1))
    #expect(!connection.isClosed && connection.sent.isEmpty)
  }

  @Test func aHalfClosedClientGetsItsAnswer() throws {
    let connection = try TestConnection()
    try connection.receive("GET /never HTTP/1.1\r\n\(Self.host)\r\n")
    connection.endInput()
    #expect(!connection.isClosed)
    connection.answer()
    #expect(connection.sent.hasPrefix("HTTP/1.1 200") && connection.sent.hasSuffix("0\r\n\r\n"))
  }

  @Test func aBodyThatEndsEarlyIsAnsweredWith400() throws {
    let connection = try TestConnection()
    try connection.receive("POST /a HTTP/1.1\r\n\(Self.host)Content-Length: 100\r\n\r\ntok")
    connection.endInput()
    #expect(connection.sent.hasPrefix("HTTP/1.1 400"))
  }

  @Test func aShutdownEndsIdleConnectionsAndFinishesAnswers() throws {
    let idle = try TestConnection()
    idle.quiesce()
    #expect(idle.isClosed)
    let busy = try TestConnection()
    try busy.receive("GET /never HTTP/1.1\r\n\(Self.host)\r\n")
    busy.quiesce()
    busy.advance(.seconds(5))
    #expect(!busy.isClosed)
    busy.answer()
    #expect(busy.sent.contains("connection: close") && busy.isOutputEnded)
    let half = try TestConnection()
    try half.receive("POST /a HTTP/1.1\r\n\(Self.host)Content-Length: 9\r\n\r\na")
    half.quiesce()
    half.advance(.seconds(2))
    #expect(half.sent.hasPrefix("HTTP/1.1 503") && half.isOutputEnded)
    let endless = try TestConnection()
    try endless.receive("GET /never HTTP/1.1\r\n\(Self.host)\r\n")
    endless.quiesce()
    endless.advance(.seconds(9))
    #expect(endless.isClosed)
  }
}

/// A connection without a socket, with an operation that answers with the target and host of each request.
final class TestConnection {
  private let channel = EmbeddedChannel()
  private let recorder = CloseRecorder()
  private let operation = TestOperation()
  /// What the server has sent.
  private(set) var sent = ""

  init() throws {
    let limits = ConnectionLimits(
      request: .seconds(30), idle: .seconds(30), stall: .seconds(30), shutdown: .seconds(9))
    try channel.pipeline.syncOperations.addHandler(recorder)
    try ConnectionChannel(responder: { _, _, _ in }, limits: limits, headerLimit: 16 << 10)
      .addHandlers(to: channel, logger: Logger(label: "test"))
    try channel.pipeline.syncOperations.addHandler(operation)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 8_642)).wait()
  }

  var isOutputEnded: Bool { recorder.modes.contains { $0 == .output } }
  var isClosed: Bool { recorder.modes.contains { $0 == .all } }

  func receive(_ text: String) throws {
    channel.pipeline.fireChannelRead(ByteBuffer(string: text))
    channel.pipeline.fireChannelReadComplete()
    read()
  }

  func endInput() {
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    read()
  }

  func quiesce() {
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    read()
  }

  func advance(_ time: TimeAmount) {
    channel.embeddedEventLoop.advanceTime(by: time)
    read()
  }

  /// Answers the request for `/never`.
  func answer() {
    operation.answer()
    read()
  }

  private func read() {
    while let bytes = try? channel.readOutbound(as: ByteBuffer.self) { sent += String(buffer: bytes) }
  }
}

/// Notes how a connection is closed, in the place of a socket.
private final class CloseRecorder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  private(set) var modes: [CloseMode] = []

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    modes.append(mode)
    promise?.succeed()
  }
}

/// Answers requests, each when it is complete.
private final class TestOperation: ChannelInboundHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  private var context: ChannelHandlerContext?
  private var request: HTTPRequest?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      request = head
      // It refuses before it reads the body.
      if head.path == "/early" { return write(.contentTooLarge, [.contentLength: "0"], "") }
      context.triggerUserOutboundEvent(BodyWanted(), promise: nil)
    case .body: break
    case .end: if request?.path != "/never" { answer() }
    }
  }

  func answer() {
    guard let request else { return }
    switch request.path {
    case "/length": write(.ok, [.contentLength: "5"], "bytes")
    case "/204": write(.noContent, [.contentLength: "0"], "")
    case "/304": write(.notModified, [.contentLength: "0"], "")
    default: write(.ok, [:], "\(request.path ?? "") \(request.authority ?? "")")
    }
    self.request = nil
  }

  private func write(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: String) {
    guard let context else { return }
    context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
    if !body.isEmpty { context.write(wrapOutboundOut(.body(ByteBuffer(string: body))), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

#endif
