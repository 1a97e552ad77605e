import DaybookTools
import Hummingbird

/// The operations that read the store once.
struct ReadingRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var routes: [Route] {
    [
      Route(method: .get, path: "/api/stats", summary: "Sizes, counts, readers and projections of the store.") { _ in
        Response(try await state.blocking { try $0.statistics().json })
      }
    ]
  }
}
