#if Server

import HTTPTypes
import Hummingbird

/// Adds to each answer the fields that instruct browsers to be strict with it, and to ask before they use it again.
struct HeadersMiddleware<Context: RequestContext>: RouterMiddleware {
  let policy: AccessPolicy

  /// Whether a browser asks if a page of another origin may send a request (Fetch standard, "CORS-preflight request").
  private func isPreflight(_ request: Request) -> Bool {
    request.method == .options && request.headers[.accessControlRequestMethod] != nil
      && policy.sharedOrigin(request) != nil
  }

  private static var preflightAnswer: Response {
    Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: "GET, HEAD, POST",
        .accessControlAllowHeaders: "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
        .accessControlMaxAge: "600",
      ])
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = isPreflight(request) ? Self.preflightAnswer : try await next(request, context)
    for field in StrictFields.all where response.headers[field.name] == nil { response.headers.append(field) }
    if !policy.configuration.allowedOrigins.isEmpty {
      response.headers.append(HTTPField(name: .vary, value: "Origin"))
      if let origin = policy.sharedOrigin(request) {
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "ETag"
      }
    }
    return response
  }
}

#endif
