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

  private static let count = Parameter("count", .number(1...Int.max), "End the stream after this many differences.")
  private static let everyCommit = Parameter(
    "everyCommit", .flag, "Whether each commit is a difference of its own, also if several came at once.")

  private var one: Route {
    Route(
      method: .get, path: "/api/changes/{entity}", summary: "The differences of a request's result, as they occur.",
      parameters: [.entity] + Parameter.request
        + [StreamCursor.parameter, FetchRoutes.counts, ChangeRoutes.everyCommit, ChangeRoutes.count],
      answers: [ChangeRoutes.eventStream]
    ) { request in
      let key = FeedChannel.Key(
        requests: [try request.fetchRequest()], hasCounts: request.flag("counts"), isJoint: false)
      return try await answer(request, key)
    }
  }

  private var several: Route {
    Route(
      method: .get, path: "/api/changes", summary: "The differences of several requests, which step together.",
      parameters: [
        Parameter(
          "follow", .text, "A request: the entity, and its parameters after a question mark.", isRepeatable: true),
        StreamCursor.parameter, FetchRoutes.counts, ChangeRoutes.everyCommit, ChangeRoutes.count,
      ], answers: [ChangeRoutes.eventStream]
    ) { request in
      let texts = request.all("follow")
      guard (1...JointRequest.maximumCount).contains(texts.count) else {
        throw Problem(
          .badRequest, "\(texts.count) requests cannot be followed together.",
          advice: "Give 1 to \(JointRequest.maximumCount) parameters “follow”.", parameter: "follow")
      }
      var hasCounts = request.flag("counts")
      let requests = try texts.map { text in
        let followed = try FollowedRequest(text)
        if followed.hasCounts { hasCounts = true }
        return followed.request
      }
      return try await answer(request, FeedChannel.Key(requests: requests, hasCounts: hasCounts, isJoint: true))
    }
  }

  private func answer(_ request: ServerRequest, _ key: FeedChannel.Key) async throws -> Response {
    let cursor = try StreamCursor(request)
    let limit = request.number("count") ?? .max
    let steps = request.flag("everyCommit")
    // What is wrong with a request must be said before the stream begins.
    try await state.blocking { store in
      try store.read { reader in
        for request in key.requests {
          try reader.requireEntity(request.entity)
          _ = try Problem.placing("where") { try reader.explain(request) }
        }
      }
    }
    return try EventStream(hub: hub, followsJournal: false).answer(request) { [hub, state] signal, sink in
      let subscriber = Subscriber(state: state, key: key, limit: limit)
      if steps { return try await subscriber.runStepwise(hub, signal, cursor, &sink) }
      try await subscriber.run(hub, signal, cursor, &sink)
    }
  }
}

/// A request as a value of the parameter `follow`: `Recipe?where=...&sort=name`.
private struct FollowedRequest {
  let request: FetchRequest
  let hasCounts: Bool

  init(_ text: String) throws {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var values: [String: [String]] = [:]
    let known = Parameter.request + [FetchRoutes.counts]
    for (name, value) in try FormText.parameters(of: parts.count > 1 ? String(parts[1]) : "") {
      guard let parameter = known.first(where: { $0.name == name }) else {
        throw Problem(.badRequest, "A followed request has no parameter “\(name)”.", parameter: "follow")
      }
      guard parameter.isRepeatable || values[name] == nil else {
        throw Problem(.badRequest, "A followed request gives “\(name)” twice.", parameter: "follow")
      }
      try parameter.check(value)
      values[name, default: []].append(value)
    }
    request = try FetchRequest(entity: FormText.decoded(parts[0])) { values[$0] ?? [] }
    hasCounts = values["counts"]?.first == "true"
  }
}
