#if Server

import Daybook
import Hummingbird

/// The operation that returns the bytes of a large value.
struct ValueRoute {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var route: Route {
    Route(
      method: .get, path: "/api/values/{sha256}",
      summary: "The bytes of a large value, by the SHA-256 that events and objects refer to it by.",
      parameters: [.sha256, .ifNoneMatch], answers: [RouteAnswer(.ok, "*/*", .text)]
    ) { [store = state.store] request in
      try await Response.largeValue(answering: request) { try store.largeValue($0) }
    }
  }
}

#endif
