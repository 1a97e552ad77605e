import Hummingbird

/// All operations of a server.
struct RouteTable {
  private let state: ServerState
  let routes: [Route]

  init(_ state: ServerState, _ routes: [Route]) {
    self.state = state
    self.routes = routes
  }

  /// Returns the router of the operations.
  func router() -> Router<ServerContext> {
    let router = Router(context: ServerContext.self)
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        try await route.answer(RouteTable.checked(request, context, route))
      }
    }
    return router
  }

  /// Returns a request with its parameters.
  ///
  /// - Throws: `Problem` for a parameter that the route does not have, or that is given twice.
  private static func checked(_ request: Request, _ context: ServerContext, _ route: Route) throws -> ServerRequest {
    var values: [String: [String]] = [:]
    for (name, value) in context.parameters { values[String(name)] = [String(value)] }
    for (name, value) in request.uri.queryParameters {
      let name = String(name)
      guard let parameter = route.parameters.first(where: { $0.name == name }) else {
        throw Problem(.badRequest, "There is no parameter “\(name)”.", parameter: name)
      }
      guard parameter.isRepeatable || values[name] == nil else {
        throw Problem(.badRequest, "The parameter “\(name)” is given twice.", parameter: name)
      }
      values[name, default: []].append(String(value))
    }
    return ServerRequest(request: request, context: context, values: values)
  }
}
