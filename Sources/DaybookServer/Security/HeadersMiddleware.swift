import HTTPTypes
import Hummingbird

/// Adds to each answer what tells browsers to be strict with it.
struct HeadersMiddleware<Context: RequestContext>: RouterMiddleware {
  let policy: AccessPolicy

  private static var strict: HTTPFields {
    [
      .contentSecurityPolicy:
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
      .xContentTypeOptions: "nosniff", HTTPField.Name("Referrer-Policy") ?? .xContentTypeOptions: "no-referrer",
    ]
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    for field in Self.strict where response.headers[field.name] == nil { response.headers.append(field) }
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
