#if Server

import Daybook
import DaybookModel
import DaybookTools
import Hummingbird

/// The operations that follow the journal: its commits, and the tree of a relationship.
struct JournalStreamRoutes {
  private let state: ServerState
  private let hub: FeedHub

  init(_ state: ServerState, _ hub: FeedHub) {
    (self.state, self.hub) = (state, hub)
  }

  var routes: [Route] { [commits, tree] }

  private var commits: Route {
    Route(
      method: .get, path: "/api/commits/stream", summary: "The commits that meet conditions, as they are made.",
      parameters: [.cursor, .cursorHeader, ChangeRoutes.count] + Parameter.commitFilter,
      answers: [ChangeRoutes.eventStream]
    ) { request in
      let filter = try await state.blocking(for: request) { store in
        let filter = try request.commitFilter(in: store)
        // What is wrong with it must be reported before the stream begins.
        _ = try store.explain(filter)
        return filter
      }
      let subject = FeedSubject.commits(filter, matchingEventsOnly: request.flag("eventsOnly"))
      return try await hub.answer(request, subject, endingAfter: request.number("count"))
    }
  }

  private var tree: Route {
    Route(
      method: .get, path: "/api/tree/stream", summary: "The differences of a tree, as they occur.",
      parameters: [
        Parameter("relationship", .text, "The relationship of an entity to itself; needed if the model has several."),
        Parameter("root", .object, "The object at the top; if it is left out, all objects without a parent."),
        Parameter(
          "depth", .number(0...TreeRoute.maximumDepth), "How many levels below the top; all if it is left out."),
        .cursor, .cursorHeader, ChangeRoutes.count,
      ], answers: [ChangeRoutes.eventStream]
    ) { request in
      let followed = try await state.blocking(for: request) { store in
        try store.read { try FollowedTree(request, $0, of: store) }
      }
      return try await hub.answer(request, .tree(followed), endingAfter: request.number("count"))
    }
  }
}

#endif
