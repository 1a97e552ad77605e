#if Server

import Dispatch
import HTTPTypes
import Hummingbird
import Metrics

/// Counts and measures requests, under the names of Hummingbird's `MetricsMiddleware`.
///
/// That one (Hummingbird 2.28) counts as errors only what is thrown to it, and here all errors become answers before; and
/// it makes the counter of errors for each status, 200 too, so that all of them stay at zero.
struct RequestMetricsMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let start = DispatchTime.now()
    let active = Meter(
      label: "http.server.active_requests", dimensions: [("http.request.method", request.method.rawValue)])
    active.increment()
    do {
      var response = try await next(request, context)
      let (status, body) = (response.status, response.body)
      let (method, route) = (request.method, context.endpointPath ?? "Unknown")
      response.body = ResponseBody(contentLength: body.contentLength) { writer in
        defer {
          active.decrement()
          Self.note(method, route, status, since: start)
        }
        try await body.write(writer)
      }
      return response
    } catch {
      active.decrement()
      let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
      Self.note(request.method, context.endpointPath ?? "NotFound", status, since: start)
      throw error
    }
  }

  private static func note(
    _ method: HTTPRequest.Method, _ route: String, _ status: HTTPResponse.Status, since start: DispatchTime
  ) {
    let dimensions = [
      ("http.route", route), ("http.request.method", method.rawValue), ("http.response.status_code", "\(status.code)"),
    ]
    Counter(label: "hb.requests", dimensions: dimensions).increment()
    Timer(label: "http.server.request.duration", dimensions: dimensions, preferredDisplayUnit: .seconds)
      .recordNanoseconds(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds)
    guard status.code >= 400 else { return }
    let kind = [("http.route", route), ("http.request.method", method.rawValue), ("error.type", "\(status.code)")]
    Counter(label: "hb.request.errors", dimensions: kind).increment()
  }
}

#endif
