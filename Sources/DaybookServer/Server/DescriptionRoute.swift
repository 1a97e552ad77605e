#if Server

import DaybookModel
import Hummingbird

/// The operation that describes all operations.
enum DescriptionRoute {
  /// Returns the routes with one that describes them and itself.
  ///
  /// - Parameter prefix: The path that all of them are under; empty for none.
  static func adding(to routes: [Route], under prefix: String) -> [Route] {
    let answers = [RouteAnswer(.ok, "application/json", .map(.any))]
    let summary = "This description, in OpenAPI 3.1."
    let described =
      routes + [
        Route(method: .get, path: "/openapi.json", summary: summary, answers: answers) { _ in Response(.null) }
      ]
    let document = OpenAPIDocument(routes: described, prefix: prefix).json
    return routes + [
      Route(method: .get, path: "/openapi.json", summary: summary, answers: answers) { _ in Response(document) }
    ]
  }
}

#endif
