import HTTPTypes
import Hummingbird

/// One operation of the interface: what a request may look like, who may send it, and what answers it.
///
/// The router, the check of parameters, the `Allow` header, and the description in OpenAPI follow from the list of routes.
struct Route: Sendable {
  /// Who may send a request.
  enum Access: Sendable {
    /// No token is needed.
    case open
    case read
    case write
  }

  /// A parameter of the query, or of the path where its name stands there in braces.
  struct Parameter: Sendable {
    let name: String
    let summary: String
    var isRepeatable = false
  }

  let method: HTTPRequest.Method
  /// The path, with parameters in braces: `/api/fetch/{entity}`.
  let path: String
  let summary: String
  var access = Access.read
  var parameters: [Parameter] = []
  let answer: @Sendable (ServerRequest) async throws -> Response
}

/// A request whose parameters were checked.
struct ServerRequest: Sendable {
  let request: Request
  let context: ServerContext
  /// The values of the parameters of path and query, by name; a parameter that is not repeatable has one.
  let values: [String: [String]]

  /// Returns the value of a parameter, or `nil` if it was left out.
  subscript(name: String) -> String? { values[name]?.first }
}
