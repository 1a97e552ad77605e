import DaybookModel
import Hummingbird

/// The operation that describes all operations.
enum DescriptionRoute {
  /// Returns the routes with one that describes them and itself.
  static func adding(to routes: [Route]) -> [Route] {
    let answers = [RouteAnswer(.ok, "application/json", .map(.any))]
    let summary = "This description, in OpenAPI 3.1."
    let described =
      routes + [
        Route(method: .get, path: "/openapi.json", summary: summary, answers: answers) { _ in Response(.null) }
      ]
    let document = OpenAPIDocument(routes: described).json
    return routes + [
      Route(method: .get, path: "/openapi.json", summary: summary, answers: answers) { _ in Response(document) }
    ]
  }
}
