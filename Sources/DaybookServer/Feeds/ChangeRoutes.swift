#if Server

import Daybook
import DaybookModel
import DaybookTools
import Hummingbird

/// The operations that follow requests: one, or several in lock-step.
struct ChangeRoutes {
  private let state: ServerState
  private let hub: FeedHub

  init(_ state: ServerState, _ hub: FeedHub) {
    (self.state, self.hub) = (state, hub)
  }

  var routes: [Route] { [one, several] }

  static let eventStream = RouteAnswer(.ok, "text/event-stream", .text)

  static let count = Parameter("count", .number(0...Int.max), "End the stream after this many differences.")
  private static let everyCommit = Parameter(
    "everyCommit", .flag, "Whether each commit is a difference of its own, also if several came at once.")

  private var one: Route {
    Route(
      method: .get, path: "/api/changes/{entity}", summary: "The differences of a request's result, as they occur.",
      parameters: [.entity] + Parameter.request
        + [
          .cursor, .cursorHeader, FetchRoutes.counts, ChangeRoutes.everyCommit,
          ChangeRoutes.count,
        ],
      answers: [ChangeRoutes.eventStream]
    ) { request in
      let followed = FollowedRequests(
        requests: [try request.fetchRequest()], isNumbered: false, listsCounts: [request.flag("counts")],
        granularity: request.flag("everyCommit") ? .everyCommit : .coalesced)
      return try await answer(request, followed)
    }
  }

  private var several: Route {
    Route(
      method: .get, path: "/api/changes", summary: "The differences of several requests, which step together.",
      parameters: [
        Parameter(
          "follow", .text, "A request: the entity, and its parameters after a question mark.", isRepeatable: true),
        .cursor, .cursorHeader, FetchRoutes.counts, ChangeRoutes.everyCommit,
        ChangeRoutes.count,
      ], answers: [ChangeRoutes.eventStream]
    ) { request in
      let texts = request.all("follow")
      guard (1...JointRequest.maximumCount).contains(texts.count) else {
        throw Problem(
          .badRequest, "\(texts.count) requests cannot be followed together.",
          advice: "Give 1 to \(JointRequest.maximumCount) parameters “follow”.", parameter: "follow")
      }
      let parts = try texts.enumerated().map { index, text in
        try ChangeRoutes.placing(index) { try FollowedRequest(text) }
      }
      let followed = FollowedRequests(
        requests: parts.map(\.request), isNumbered: true,
        listsCounts: parts.map { $0.hasCounts || request.flag("counts") },
        granularity: request.flag("everyCommit") ? .everyCommit : .coalesced)
      return try await answer(request, followed)
    }
  }

  /// Runs a closure that reads one of several requests.
  ///
  /// - Throws: `Problem` that names which request it is, and which parameter in it.
  private static func placing<Result>(_ index: Int?, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      guard let index, var problem = Problem.translating(error, in: .url) else { throw error }
      problem.members.append(("request", .integer(Int64(index))))
      if let inner = problem.parameter { problem.members.append(("within", .string(inner))) }
      problem.parameter = "follow"
      throw problem
    }
  }

  private func answer(_ request: ServerRequest, _ followed: FollowedRequests) async throws -> Response {
    // What is wrong with a request must be reported before the stream begins.
    try await state.blocking(for: request) { store in
      try store.read { reader in
        for (index, request) in followed.requests.enumerated() {
          try ChangeRoutes.placing(followed.isNumbered ? index : nil) { try reader.check(request) }
        }
      }
    }
    return try await hub.answer(request, .requests(followed), endingAfter: request.number("count"))
  }
}

/// A request as a value of the parameter `follow`: `Recipe?where=...&sort=name`.
private struct FollowedRequest {
  let request: FetchRequest
  let hasCounts: Bool

  init(_ text: String) throws {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? String(parts[1]) : ""
    let values = try ParameterValues(query, of: Parameter.request + [FetchRoutes.counts])
    request = try FetchRequest(entity: FormText.decoded(parts[0])) { values[$0] }
    hasCounts = values["counts"].first == "true"
  }
}

#endif
