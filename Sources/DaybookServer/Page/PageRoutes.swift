#if Server

import DaybookModel
import DaybookPage
import Hummingbird

/// The page and its files, which need no token: they hold nothing of the store.
struct PageRoutes {
  private let state: ServerState
  private let policy: AccessPolicy

  init(_ state: ServerState, _ policy: AccessPolicy) {
    (self.state, self.policy) = (state, policy)
  }

  var routes: [Route] {
    PageFile.all.map(Self.route) + [session]
  }

  /// The last part of the store's path, which people know it by.
  private var storeName: String { state.store.path.split(separator: "/").last.map(String.init) ?? "" }

  /// What the page offers: forms only where the server writes, and a sign-in where it has tokens.
  private var session: Route {
    let schema = Schema.object(
      [
        ("writing", .boolean), ("signedIn", .boolean), ("hasTokens", .boolean), ("choosesName", .boolean),
        ("imports", .boolean),
      ],
      optional: [("name", .text), ("store", .text)])
    return Route(
      method: .get, path: "/page/session", summary: "Whether the server writes, and who is signed in.", access: .open,
      answers: [RouteAnswer(.ok, "application/json", schema)]
    ) { [state, policy, storeName] request in
      let principal = request.context.principal
      let mayWrite = state.configuration.allowsWriting && (principal.map { $0.role == .write } ?? !policy.isClosed)
      var members: [(key: String, value: JSONValue)] = [
        ("writing", .boolean(mayWrite)), ("signedIn", .boolean(principal != nil)),
        ("hasTokens", .boolean(policy.sessions != nil)), ("choosesName", .boolean(policy.sessions?.haveNames ?? false)),
        ("imports", .boolean(mayWrite && ServerState.importsFiles)),
      ]
      if let principal { members.append(("name", .string(principal.name))) }
      // The name is for clients that may read the store.
      if principal != nil || !policy.isClosed { members.append(("store", .string(storeName))) }
      return Response(.object(members), headers: [.cacheControl: "no-store"])
    }
  }

  /// Compressed once for all servers of a process.
  private static let answers: [String: PageAnswer] = Dictionary(
    uniqueKeysWithValues: PageFile.all.map { ($0.name, PageAnswer($0)) })

  private static func route(_ file: PageFile) -> Route {
    let isPage = file.name == "index.html"
    return route(file, answers[file.name] ?? PageAnswer(file), at: isPage ? "/" : "/page/\(file.name)")
  }

  /// The modules and styles of the page without the page itself, for pages of applications.
  static var modules: [Route] { PageFile.all.filter { $0.name != "index.html" }.map(route) }

  /// Returns the operation that answers with a file.
  static func route(_ file: PageFile, at path: String) -> Route { route(file, PageAnswer(file), at: path) }

  private static func route(_ file: PageFile, _ answer: PageAnswer, at path: String) -> Route {
    Route(
      method: .get, path: path, summary: path == "/" ? "The page." : "A file of the page.", access: .open,
      answers: [RouteAnswer(.ok, file.mediaType, .text)]
    ) { request in
      answer.response(to: request.request)
    }
  }
}

#endif
