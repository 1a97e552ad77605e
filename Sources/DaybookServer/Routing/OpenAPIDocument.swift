#if Server

import DaybookModel
import DaybookTools
import HTTPTypes

/// The description of all operations, in OpenAPI 3.1.
///
/// It is made of the routes that the router is made of, so that the two cannot differ.
struct OpenAPIDocument {
  let routes: [Route]
  /// The path that all operations are under; empty for none.
  var prefix = ""

  var json: JSONValue {
    var paths: [(key: String, value: JSONValue)] = []
    for route in routes {
      let operation = (key: route.method.rawValue.lowercased(), value: OpenAPIDocument.operation(route))
      if let index = paths.firstIndex(where: { $0.key == route.path }), let members = paths[index].value.members {
        paths[index].value = .object(members + [operation])
      } else {
        paths.append((route.path, .object([operation])))
      }
    }
    return .object([
      ("openapi", "3.1.0"),
      (
        "info",
        [
          "title": "Daybook", "version": .string(DaybookVersion.current),
          "description":
            "A store of objects with its whole history: reading at any position, differences, feeds, writing.",
        ]
      ),
      ("servers", [["url": .string(prefix.isEmpty ? "/" : prefix)]]), ("paths", .object(paths)),
      ("components", OpenAPIDocument.components),
    ])
  }

  private static var components: JSONValue {
    [
      "schemas": .object(SharedSchema.allCases.map { ($0.rawValue, $0.schema.json) }),
      "securitySchemes": [
        "token": ["type": "http", "scheme": "bearer"],
        "session": ["type": "apiKey", "in": "cookie", "name": "daybook-session"],
      ],
    ]
  }

  private static func operation(_ route: Route) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [("summary", .string(route.summary))]
    if !route.parameters.isEmpty {
      members.append(("parameters", .array(route.parameters.map { parameter($0, isInPath: route.isInPath($0.name)) })))
    }
    if !route.bodies.isEmpty {
      members.append(("requestBody", ["required": true, "content": content(route.bodies)]))
    }
    var answers: [(key: String, value: JSONValue)] = route.answers.map { answer in
      (
        "\(answer.status.code)",
        ["description": .string(answer.status.reasonPhrase), "content": content([(answer.type, answer.schema)])]
      )
    }
    if route.parameters.contains(where: { $0.name == Parameter.ifNoneMatch.name }) {
      answers.append(("304", ["description": "The answer is the one that the client has."]))
    }
    answers.append(
      (
        "default",
        [
          "description": "The request cannot be answered.",
          "content": content([("application/problem+json", .shared(.problem))]),
        ]
      ))
    members.append(("responses", .object(answers)))
    // An empty requirement: a server without tokens asks for none.
    members.append(
      ("security", route.access == .open ? [] : [["token": []], ["session": []], [:]]))
    return .object(members)
  }

  private static func parameter(_ parameter: Parameter, isInPath: Bool) -> JSONValue {
    .object([
      ("name", .string(parameter.name)),
      ("in", parameter.place == .header ? "header" : isInPath ? "path" : "query"), ("required", .boolean(isInPath)),
      ("description", .string(parameter.summary)),
      ("schema", parameter.isRepeatable ? ["type": "array", "items": parameter.schema] : parameter.schema),
    ])
  }

  private static func content(_ parts: [(type: String, schema: Schema)]) -> JSONValue {
    .object(parts.map { ($0.type, ["schema": $0.schema.json]) })
  }
}

#endif
