import HTTPTypes
import Hummingbird

/// One operation of the interface: what a request may look like, who may send it, and what answers it.
///
/// The router, the check of parameters, the `Allow` header, and the description in OpenAPI follow from the list of routes.
struct Route: Sendable {
  let method: HTTPRequest.Method
  /// The path, with parameters in braces: `/api/fetch/{entity}`.
  let path: String
  let summary: String
  var access = Access.read
  /// The parameters of path and query.
  var parameters: [Parameter] = []
  /// The bodies that a request may have, by media type; none for most.
  var bodies: [(type: String, schema: Schema)] = []
  /// What answers it, beside problems.
  var answers = [RouteAnswer(.ok, "application/json", .any)]
  /// Where the request has its names and values: decides whether what does not exist is 404 or 422.
  var place: Problem.Place = .url
  let answer: @Sendable (ServerRequest) async throws -> Response

  /// Whether a parameter is a part of the path.
  func isInPath(_ name: String) -> Bool { path.contains("{\(name)}") }

  var queryParameters: [Parameter] { parameters.filter { !isInPath($0.name) } }
}

/// An answer of an operation as its description names it.
struct RouteAnswer: Sendable {
  let status: HTTPResponse.Status
  let type: String
  let schema: Schema

  init(_ status: HTTPResponse.Status, _ type: String, _ schema: Schema) {
    self.status = status
    self.type = type
    self.schema = schema
  }
}
