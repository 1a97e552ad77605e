#if Server

import Daybook
import DaybookModel
import DaybookTools
import Hummingbird

/// The operation that reads the tree of the store, as `daybook tree` shows it.
struct TreeRoute {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  /// The most levels of one answer.
  static let maximumDepth = 100
  /// The most nodes of one answer.
  static let maximumCount = 10_000

  var route: Route {
    Route(
      method: .get, path: "/api/tree", summary: "The children of an object, or the objects without a parent.",
      parameters: [
        Parameter("root", .object, "The object; if it is left out, all objects without a parent are at the top."),
        Parameter("depth", .number(1...TreeRoute.maximumDepth), "How many levels to show; 1 if it is left out."), .at,
        .ifNoneMatch,
      ], answers: [RouteAnswer(.ok, "application/json", .shared(.tree))]
    ) { request in
      let depth = request.number("depth") ?? 1
      return try await state.answer(request) { reader in
        try request["root"].map { try reader.existing($0) }
      } json: { reader, root in
        let nodes = try reader.treeLevels(below: root, depth: depth, atMost: TreeRoute.maximumCount)
        return .object([("position", reader.position.json), ("nodes", .array(nodes.map(\.json)))])
      }
    }
  }
}

private extension ObjectBranch {
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .string(id.description)), ("entity", .string(entity)), ("name", .string(name)),
      ("childCount", .integer(Int64(childCount))),
    ]
    if let children { members.append(("children", .array(children.map(\.json)))) }
    return .object(members)
  }
}

#endif
