import Daybook
import DaybookModel
import DaybookTools
import Hummingbird

/// The operations that read the store once.
struct ReadingRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var routes: [Route] {
    [stats, model, activity, diff] + FetchRoutes(state).routes + ObjectRoutes(state).routes
      + CommitRoutes(state).routes + [TreeRoute(state).route, ValueRoute(state).route]
  }

  private var stats: Route {
    Route(
      method: .get, path: "/api/stats", summary: "Sizes, counts, readers and projections of the store.",
      answers: [RouteAnswer(.ok, "application/json", .map(.any))]
    ) { _ in
      Response(try await state.blocking { try $0.statistics().json })
    }
  }

  private var model: Route {
    Route(
      method: .get, path: "/api/model", summary: "The model at a position.", parameters: [.at, .ifNoneMatch],
      answers: [RouteAnswer(.ok, "application/json", .map(.any))]
    ) { request in
      try await state.answer(request, checking: { _ in }) { reader, _ in Array(reader.model.text.utf8) }
    }
  }

  private var activity: Route {
    Route(
      method: .get, path: "/api/activity", summary: "Commits and events by day, author and entity.",
      parameters: [.ifNoneMatch],
      answers: [RouteAnswer(.ok, "application/json", .map(.any))]
    ) { request in
      try await state.blocking { store in
        let activity = try store.activity()
        let mark = try store.read { try $0.mark(at: activity.position) }
        return request.unchanged(at: mark) ?? Response(activity.json, headers: mark.headers())
      }
    }
  }

  private var diff: Route {
    Route(
      method: .get, path: "/api/diff/{entity}", summary: "The difference of a request's result between two positions.",
      parameters: [.entity] + Parameter.request + [
        Parameter("from", .position, "The old position; 0 is the state before everything."),
        Parameter("to", .position, "The new position, which may be earlier; the head if it is left out."), .ifNoneMatch,
      ], answers: [RouteAnswer(.ok, "application/json", .shared(.difference))]
    ) { request in
      guard let from = request.position("from") else {
        throw Problem(.badRequest, "The parameter “from” is missing.", parameter: "from")
      }
      // A difference is of all rows unless a window is asked for.
      var wanted = try request.fetchRequest()
      if request["limit"] == nil { wanted.limit = nil }
      let to = request.position("to") ?? .head
      return try await state.answer(request) { [wanted] reader in
        try reader.check(wanted)
        return (from: try from.resolve(in: reader), to: try to.resolve(in: reader))
      } json: { [wanted] reader, span in
        try reader.difference(of: wanted, from: span.from, to: span.to).json
      }
    }
  }
}
