#if Server

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
    [stats, model, activity, histogram, diff] + FetchRoutes(state).routes + ObjectRoutes(state).routes
      + CommitRoutes(state).routes + [TreeRoute(state).route, ValueRoute(state).route]
  }

  private var stats: Route {
    Route(
      method: .get, path: "/api/stats", summary: "Sizes, counts, readers and projections of the store.",
      answers: [RouteAnswer(.ok, "application/json", .map(.any))]
    ) { request in
      Response(try await state.blocking(for: request) { try $0.statistics().json })
    }
  }

  private var model: Route {
    Route(
      method: .get, path: "/api/model", summary: "The model at a position.", parameters: [.at, .ifNoneMatch],
      answers: [RouteAnswer(.ok, "application/json", .map(.any))]
    ) { request in
      let hasDerived = try await state.blocking(for: request) { store in
        try !store.read { try $0.listedEntities() }.isEmpty
      }
      // How far projections are behind changes without a commit.
      return try await state.answer(request, isTagged: !hasDerived, checking: { _ in }) { reader, _ in
        try reader.modelText().utf8.map { $0 }
      }
    }
  }

  private var activity: Route {
    Route(
      method: .get, path: "/api/activity", summary: "Commits and events by day, author and entity.",
      parameters: [
        .ifNoneMatch,
        Parameter(
          "sums", .flag, "Whether the answer has sums by day, and by author for the 100 with the most commits."),
      ], answers: [RouteAnswer(.ok, "application/json", .map(.any))]
    ) { request in
      try await state.blocking(for: request) { store in
        let activity = try store.activity()
        let cursor = try store.read { try $0.cursor(at: activity.position) }
        if let answer = request.unchanged(at: cursor) { return answer }
        let json = request.flag("sums") ? activity.sums : activity.json
        return Response(
          Array(json.text.utf8), type: "application/json", headers: cursor.headers(), answering: request.request)
      }
    }
  }

  private static let histogramSchema = Schema.object([
    ("position", .integer), ("models", .list(.integer)),
    ("bins", .list(.object([("from", .integer), ("to", .integer), ("events", .integer), ("time", .text)]))),
  ])

  private var histogram: Route {
    Route(
      method: .get, path: "/api/histogram",
      summary: "Events by spans of positions of equal length, and the positions of the models.",
      parameters: [
        Parameter("from", .position, "The first position."), Parameter("to", .position, "The last position."),
        Parameter("bins", .number(1...1_000), "The most spans; 240 if it is left out."), .ifNoneMatch,
      ], answers: [RouteAnswer(.ok, "application/json", ReadingRoutes.histogramSchema)]
    ) { request in
      try await state.answer(request) { reader in
        let first = try request.position("from")?.resolve(in: reader) ?? 1
        let last = try request.position("to")?.resolve(in: reader) ?? reader.position
        return (first: first, last: last)
      } json: { reader, span in
        try reader.histogram(from: span.first, through: span.last, binCount: request.number("bins") ?? 240).json
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
      return try await state.answer(request, of: .entity(wanted.entity)) { [wanted] reader in
        try reader.check(wanted)
        return (from: try from.resolve(in: reader), to: try to.resolve(in: reader))
      } json: { [wanted] reader, span in
        try reader.difference(of: wanted, from: span.from, to: span.to).json
      }
    }
  }
}

#endif
