import DaybookMacros
import DaybookModel
import DaybookServer
import Hummingbird

/// The operations of an application on its lists and actions.
struct ApplicationRoutes {
  private let application: Application
  private let store: Store

  init(_ application: Application, _ store: Store) {
    (self.application, self.store) = (application, store)
  }

  var routes: [Route] { [list, preview, action] }

  private static let answer = RouteAnswer(.ok, "application/json", .map(.any))

  private var list: Route {
    Route(
      method: .get, path: "/lists/{list}", summary: "The request of one of the application's lists.",
      parameters: [
        Parameter("list", .text, "The name of the list."),
        Parameter("input", .text, "What the list is of, as a JSON object."),
      ], answers: [ApplicationRoutes.answer]
    ) { [application] request in
      let name = request["list"] ?? ""
      guard let list = application.lists.first(where: { $0.name == name }) else {
        throw StoreError(.notFound, "There is no list “\(name)”.")
      }
      return Response(try list.request(Input(JSONValue(parsing: request["input"] ?? "{}"))).json)
    }
  }

  private static let name = Parameter("action", .text, "The name of the action.")

  private func named(_ name: String?) throws -> Action {
    guard let action = application.actions.first(where: { $0.name == name }) else {
      throw StoreError(.notFound, "There is no action “\(name ?? "")”.")
    }
    return action
  }

  private var action: Route {
    Route(
      method: .post, path: "/actions/{action}", summary: "Performs an action as one commit.", access: .write,
      parameters: [ApplicationRoutes.name],
      bodies: [("application/json", .object([], optional: [("input", .any), ("author", .text)]))],
      answers: [RouteAnswer(.created, "application/json", .object([("position", .integer)]))], place: .body
    ) { [store] request in
      let action = try named(request["action"])
      let body = try await FormRoutes.body(request)
      let input = try Input(body.json("input"))
      let author = body.json("author").stringValue
      let position = try await request.blocking {
        try Problem.findingObjects {
          try store.commit(CommitInfo(author: author, message: action.name)) { try action.body($0, input) }.position
        }
      }
      return Response(["position": position.json], status: .created)
    }
  }

  /// A question before a delete knows what goes with it, because the store has tried.
  private var preview: Route {
    Route(
      method: .post, path: "/actions/{action}/preview",
      summary: "What an action would delete, by entity in the order of the events; writes nothing.", access: .write,
      parameters: [ApplicationRoutes.name],
      bodies: [("application/json", .object([], optional: [("input", .any)]))], answers: [ApplicationRoutes.answer],
      place: .body
    ) { [store] request in
      let action = try named(request["action"])
      let input = try Input(await FormRoutes.body(request).json("input"))
      let deleted = try await request.blocking {
        let context = try store.makeContext()
        try Problem.findingObjects { try context.edit { try action.body($0, input) } }
        return try context.preview().events.filter { $0.kind == .deleted }.map(\.entity)
      }
      var counts: [(entity: String, count: Int)] = []
      for entity in deleted {
        if counts.last?.entity == entity { counts[counts.count - 1].count += 1 } else { counts.append((entity, 1)) }
      }
      return Response([
        "deleted": .array(counts.map { ["entity": .string($0.entity), "count": .integer(Int64($0.count))] })
      ])
    }
  }
}
