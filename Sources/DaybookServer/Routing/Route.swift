#if Server

import HTTPTypes
import Hummingbird

/// One operation of the interface: what a request may look like, who may send it, and what answers it.
///
/// The router, the check of parameters, the `Allow` header, and the description in OpenAPI follow from the list of routes.
package struct Route: Sendable {
  let method: HTTPRequest.Method
  /// The path, with parameters in braces: `/api/fetch/{entity}`.
  var path: String
  let summary: String
  var access: Access
  /// The parameters of path and query.
  var parameters: [Parameter]
  /// The bodies that a request may have, by media type; none for most.
  var bodies: [(type: String, schema: Schema)]
  /// What answers it, beside problems.
  var answers: [RouteAnswer]
  /// Where the request has its names and values: decides whether what does not exist is 404 or 422.
  var place: Problem.Place
  let answer: @Sendable (ServerRequest) async throws -> Response

  package init(
    method: HTTPRequest.Method, path: String, summary: String, access: Access = .read, parameters: [Parameter] = [],
    bodies: [(type: String, schema: Schema)] = [],
    answers: [RouteAnswer] = [RouteAnswer(.ok, "application/json", .any)], place: Problem.Place = .url,
    answer: @escaping @Sendable (ServerRequest) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.summary = summary
    self.access = access
    self.parameters = parameters
    self.bodies = bodies
    self.answers = answers
    self.place = place
    self.answer = answer
  }

  /// Returns the operation with its path under another one.
  func mounted(at prefix: String) -> Route {
    var route = self
    route.path = path == "/" && !prefix.isEmpty ? prefix : prefix + path
    return route
  }

  /// Whether a parameter is a part of the path.
  func isInPath(_ name: String) -> Bool { path.contains("{\(name)}") }

  var queryParameters: [Parameter] { parameters.filter { $0.place == .pathOrQuery && !isInPath($0.name) } }
}

/// An answer of an operation as its description names it.
package struct RouteAnswer: Sendable {
  let status: HTTPResponse.Status
  let type: String
  let schema: Schema

  package init(_ status: HTTPResponse.Status, _ type: String, _ schema: Schema) {
    self.status = status
    self.type = type
    self.schema = schema
  }
}

#endif
