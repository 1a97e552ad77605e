import DaybookModel
import HTTPTypes
import Hummingbird
import NIOCore

/// The operations by which a browser exchanges a token for a session, and ends it.
struct SessionRoutes {
  private let policy: AccessPolicy

  /// The most bytes of a form with a token.
  private static let formLimit = 4 << 10

  init(_ policy: AccessPolicy) {
    self.policy = policy
  }

  var routes: [Route] { [login, logout] }

  private var login: Route {
    let answer = Schema.object([("name", .text), ("role", .text)])
    return Route(
      method: .post, path: "/login", summary: "Begins a session of a browser, for a token.", access: .open,
      bodies: [("application/x-www-form-urlencoded", .object([("token", .text)]))],
      answers: [RouteAnswer(.ok, "application/json", answer)], place: .body
    ) { request in
      try policy.checkOrigin(of: request.request, isRequired: true)
      guard let sessions = policy.sessions else {
        throw Problem(.forbidden, "This server has no tokens.", advice: "Reading needs none.")
      }
      let token = try await SessionRoutes.token(in: request)
      guard let session = sessions.begin(with: token) else {
        try sessions.noteFailedTry(from: request.clientAddress)
        var problem = Problem(.unauthorized, "The token is not known.")
        problem.headers[.wwwAuthenticate] = "Bearer"
        throw problem
      }
      return Response(
        ["name": .string(session.principal.name), "role": .string(session.principal.role.rawValue)],
        headers: [
          .setCookie: cookie(session.id, lifeInSeconds: Sessions.lifeInSeconds), .cacheControl: "no-store",
        ])
    }
  }

  private var logout: Route {
    Route(
      method: .post, path: "/logout", summary: "Ends the session of a browser.", access: .open,
      answers: [RouteAnswer(.ok, "application/json", .map(.any))], place: .body
    ) { request in
      try policy.checkOrigin(of: request.request, isRequired: true)
      if let id = AccessPolicy.sessionID(in: request.request) { policy.sessions?.end(id) }
      return Response([:], headers: [.setCookie: cookie("", lifeInSeconds: 0), .cacheControl: "no-store"])
    }
  }

  private func cookie(_ id: String, lifeInSeconds: Int) -> String {
    let secure = policy.configuration.isEncrypted ? "; Secure" : ""
    return "\(AccessPolicy.cookieName)=\(id); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(lifeInSeconds)\(secure)"
  }

  /// - Throws: `Problem` with the status 400 or 413.
  private static func token(in request: ServerRequest) async throws -> String {
    let buffer = try await request.body(upTo: formLimit, "form")
    let fields = try FormText.parameters(of: String(buffer: buffer))
    guard fields.count == 1, fields[0].name == "token" else {
      throw Problem(.badRequest, "The form has one field, “token”.", parameter: "token")
    }
    return fields[0].value
  }
}
