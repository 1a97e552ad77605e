import Daybook
import DaybookTools
import HTTPTypes
import Hummingbird

/// A request whose parameters are known to its route.
package struct ServerRequest: Sendable {
  package let request: Request
  let context: ServerContext
  /// The values of the parameters of path and query.
  private let values: ParameterValues

  /// Reads the parameters.
  ///
  /// - Throws: `Problem` with the status 400, as ``ParameterValues/init(_:of:)``.
  init(_ request: Request, _ context: ServerContext, of route: Route) throws {
    self.request = request
    self.context = context
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
  /// Returns the answer without a body for a client that has the answer at a commit already, or `nil` for others.
  func unchanged(at mark: CommitMark, isFixed: Bool = false) -> Response? {
    guard request.headers.matchTag("\"\(mark)\"") else { return nil }
    var headers = mark.headers(isFixed: isFixed)
    headers[.vary] = "Accept-Encoding"
    return Response(status: .notModified, headers: headers)
  }
}
