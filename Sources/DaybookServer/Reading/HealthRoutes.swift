#if Server

import Daybook
import DaybookModel
import Hummingbird

/// The operations by which a supervisor asks whether the server lives, and whether it can answer.
struct HealthRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var routes: [Route] {
    let answers = [RouteAnswer(.ok, "application/json", .object([("status", .text)]))]
    return [
      Route(
        method: .get, path: "/health/live", summary: "Whether the server runs.", access: .open, answers: answers
      ) { _ in Response(["status": "live"], headers: [.cacheControl: "no-store"]) },
      Route(
        method: .get, path: "/health/ready", summary: "Whether the store can be read, and is still at its path.",
        access: .open, answers: answers
      ) { request in
        do {
          let head = try await state.blocking(for: request) { store in
            try store.checkPlace()
            return try store.position
          }
          return Response(["status": "ready", "head": head.json], headers: [.cacheControl: "no-store"])
        } catch let error as StoreError {
          var problem = Problem(.serviceUnavailable, "The store cannot be read.")
          problem.cause = "\(error)"
          throw problem
        }
      },
    ]
  }
}

#endif
