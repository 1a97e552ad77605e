#if Server

import HTTPTypes
import Hummingbird
import Logging

/// All operations of a server.
struct RouteTable: Sendable {
  let routes: [Route]
  private let policy: AccessPolicy

  init(_ routes: [Route], _ policy: AccessPolicy) {
    self.routes = routes
    self.policy = policy
  }

  /// Adds the operations to a router: those with GET answer HEAD, too.
  func add(to router: Router<ServerContext>) {
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        try await answer(request, context, route)
      }
      guard route.method == .get else { continue }
      router.on(RouterPath(route.path), method: .head) { request, context in
        // A stream is never begun, and has no length. Hummingbird's own answers to HEAD state that it is 0.
        let answer = try await answer(request, context, route)
        return Response(
          status: answer.status, headers: answer.headers, body: ResponseBody { writer in try await writer.finish(nil) })
      }
    }
  }

  private func answer(_ request: Request, _ context: ServerContext, _ route: Route) async throws -> Response {
    do {
      try policy.check(route.access, request, context.credential)
      let request = try ServerRequest(request, context, of: route, within: policy.configuration.fetchTimeLimit)
      return try await route.answer(request)
    } catch {
      throw Problem.translating(error, in: route.place) ?? error
    }
  }

  /// - Throws: `Problem` with the status 414 for a target that is too long, 421 for another host.
  func checkTarget(_ request: Request) throws {
    let (length, limit) = (request.head.path?.utf8.count ?? 0, policy.configuration.targetLimit)
    guard length <= limit else {
      throw Problem(.uriTooLong, "The path and query have \(length) bytes; at most \(limit) are read.")
    }
    try policy.checkHost(request)
  }

  /// Returns who sends a request.
  func credential(of request: Request) -> Credential { policy.credential(of: request) }

  /// The streams that end with their tokens and sessions.
  var openStreams: OpenStreams { policy.openStreams }

  /// Returns the methods that a path has; none for an unknown path.
  func methods(of path: String) -> [HTTPRequest.Method] {
    let segments = path.split(separator: "/", omittingEmptySubsequences: true)
    var methods: [HTTPRequest.Method] = []
    for route in routes {
      let parts = route.path.split(separator: "/", omittingEmptySubsequences: true)
      guard parts.count == segments.count, zip(parts, segments).allSatisfy({ $0.first == "{" || $0 == $1 }) else {
        continue
      }
      for method in route.method == .get ? [.get, .head] : [route.method] where !methods.contains(method) {
        methods.append(method)
      }
    }
    return methods
  }
}

/// Answers requests that failed with problem documents.
struct ProblemMiddleware: RouterMiddleware {
  let table: RouteTable

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    do {
      try table.checkTarget(request)
      var context = context
      context.credential = table.credential(of: request)
      context.openStreams = table.openStreams
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      return try missing(request).response(from: request, context: context)
    } catch {
      if let problem = Problem.translating(error, in: .url) {
        problem.log(to: context.logger)
        return try problem.response(from: request, context: context)
      }
      // What went wrong inside is for the log alone.
      context.logger.error("request failed", metadata: ["error": "\(error)"])
      return try Problem(.internalServerError, "The server failed; its log says why.")
        .response(from: request, context: context)
    }
  }

  private func missing(_ request: Request) -> Problem {
    let methods = table.methods(of: request.uri.path)
    guard !methods.isEmpty else {
      return Problem(
        .notFound, "There is nothing at \(request.uri.path).", advice: "/openapi.json describes what there is.")
    }
    var problem = Problem(
      .methodNotAllowed, "\(request.uri.path) has no method \(request.method.rawValue).")
    problem.headers[.allow] = methods.map(\.rawValue).joined(separator: ", ")
    return problem
  }
}

#endif
