#if Server

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
      bodies: [("application/x-www-form-urlencoded", .object([("token", .text)], optional: [("name", .text)]))],
      answers: [RouteAnswer(.ok, "application/json", answer)], place: .body
    ) { request in
      try policy.checkOrigin(of: request.request, isRequired: true)
      guard let sessions = policy.sessions else {
        throw Problem(.forbidden, "This server has no tokens.", advice: "Reading needs none.")
      }
      let form = try LoginForm(await request.body(upTo: SessionRoutes.formLimit, "form"))
      guard let session = try sessions.begin(with: form.token, as: form.name) else {
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
}

/// The fields by which a session begins.
private struct LoginForm {
  let token: String
  /// The author of what the session writes; `nil` if the field is absent or empty.
  let name: String?

  private static let maximumNameSizeInBytes = 200

  /// - Throws: `Problem` with the status 400.
  init(_ form: ByteBuffer) throws {
    var fields: [String: String] = [:]
    for (name, value) in try FormText.parameters(of: String(buffer: form)) {
      guard ["token", "name"].contains(name), fields.updateValue(value, forKey: name) == nil else {
        throw Problem(.badRequest, "The form has the fields “token” and “name”, each once.", parameter: name)
      }
    }
    guard let token = fields["token"] else {
      throw Problem(.badRequest, "The form has no field “token”.", parameter: "token")
    }
    self.token = token
    let name = Substring(fields["name", default: ""]).trimmingWhitespace()
    guard name.utf8.count <= LoginForm.maximumNameSizeInBytes,
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw Problem(
        .badRequest, "The name has more than \(LoginForm.maximumNameSizeInBytes) bytes, or control characters.",
        parameter: "name")
    }
    self.name = name.isEmpty ? nil : String(name)
  }
}

#endif
