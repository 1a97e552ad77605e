#if Server

import Daybook
import DaybookTools
import HTTPTypes
import Hummingbird
import NIOCore

/// A request whose parameters are known to its route.
package struct ServerRequest: Sendable {
  package let request: Request
  let context: ServerContext
  /// How long one answer, or one event of a stream, may take to make.
  let timeLimit: Duration
  /// The values of the parameters of path and query.
  private let values: ParameterValues

  /// Reads the parameters.
  ///
  /// - Throws: `Problem` with the status 400, as ``ParameterValues/init(_:of:)``.
  init(_ request: Request, _ context: ServerContext, of route: Route, within timeLimit: Duration) throws {
    self.request = request
    self.context = context
    self.timeLimit = timeLimit
    var values = try ParameterValues(request.uri.query ?? "", of: route.queryParameters)
    let segments = request.uri.path.split(separator: "/")
    for (part, segment) in zip(route.path.split(separator: "/"), segments) where part.first == "{" {
      values[String(part.dropFirst().dropLast())] = [try FormText.decoded(segment)]
    }
    self.values = values
  }

  /// Returns the value of a parameter, or `nil` if it was left out.
  package subscript(name: String) -> String? { values[name].first }

  /// Returns all values of a parameter.
  func all(_ name: String) -> [String] { values[name] }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  func flag(_ name: String) -> Bool { self[name] == "true" }

  func position(_ name: String) -> PositionText? { self[name].flatMap { PositionText($0) } }

  func time(_ name: String) -> Timestamp? { self[name].flatMap { Timestamp($0) } }
}

extension ServerRequest {
  /// The media type of the body in lower case, without parameters; empty without one.
  var mediaType: String {
    let type = request.headers[.contentType] ?? ""
    return type.split(separator: ";").first.map { $0.trimmingWhitespace().lowercased() } ?? ""
  }

  /// The problem of a body with a media type that the operation does not read.
  func unsupportedMediaType(advice: String) -> Problem {
    let isMissing = request.headers[.contentType]?.isEmpty ?? true
    return Problem(
      .unsupportedMediaType, isMissing ? "The body has no Content-Type." : "A body of \(mediaType) is not understood.",
      advice: advice)
  }

  /// Whether the headers announce a body.
  var announcesBody: Bool {
    request.headers[.transferEncoding] != nil || request.headers[.contentLength].map { $0 != "0" } ?? false
  }

  /// Reads the body.
  ///
  /// A client that waits for `100 Continue` is asked to send it, unless it announces too much.
  ///
  /// - Parameters:
  ///   - limit: The most bytes.
  ///   - name: What the body is, for the problem.
  /// - Throws: `Problem` with the status 413; ``IncompleteRequest`` if the client does not send all of it.
  func body(upTo limit: Int, _ name: String) async throws -> ByteBuffer {
    func tooLarge() -> Problem {
      Problem(.contentTooLarge, "The \(name) is larger than \(limit) bytes.", advice: "Write it in several commits.")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge() }
    if request.headers[.expect] != nil { context.channel.triggerUserOutboundEvent(BodyWanted(), promise: nil) }
    do {
      return try await request.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw tooLarge()
    }
  }

  /// The address of the client's machine; of IPv6 the network, because a machine has many addresses of it.
  var clientAddress: String {
    context.channel.remoteAddress.map(ServerRequest.machine) ?? ""
  }

  /// Returns the machine at an address, or the network of IPv6 that it belongs to.
  static func machine(at address: SocketAddress) -> String {
    guard case .v6(let socket) = address, let text = address.ipAddress else { return address.ipAddress ?? "" }
    let bytes = withUnsafeBytes(of: socket.address.sin6_addr) { Array($0) }
    // An address of IPv4 that is written as one of IPv6 (RFC 4291, 2.5.5.2).
    if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] { return text }
    return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// Returns the answer without a body for a client that has the answer at a commit already, or `nil` for others.
  func unchanged(at cursor: FeedCursor, isFixed: Bool = false) -> Response? {
    guard request.headers.matchTag("\"\(cursor)\"") else { return nil }
    var headers = cursor.headers(isFixed: isFixed)
    headers[.vary] = "Accept-Encoding"
    return Response(status: .notModified, headers: headers)
  }
}

#endif
