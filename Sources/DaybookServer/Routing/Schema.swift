#if Server

import DaybookModel

/// A JSON schema of a body or an answer, as `/openapi.json` describes it.
package indirect enum Schema: Sendable {
  /// A value of any kind.
  case any
  case text
  case integer
  case boolean
  case null
  /// A number of a range.
  case number(ClosedRange<Int>)
  /// The number of a commit, `head`, or a time.
  case position
  /// A text as a parameter of a kind has it.
  case parameter(Parameter.Kind)
  case pattern(String)
  /// An object with these members; those after the first list may be missing, and others are refused if it is closed.
  case object([(String, Schema)], optional: [(String, Schema)] = [], isClosed: Bool = false)
  /// An object whose keys are data.
  case map(Schema)
  case list(Schema)
  case either([Schema])
  /// A schema that several operations share, by its name.
  case shared(SharedSchema)

  var json: JSONValue {
    switch self {
    case .any: [:]
    case .text: ["type": "string"]
    case .integer: ["type": "integer"]
    case .boolean: ["type": "boolean"]
    case .null: ["type": "null"]
    case .number(let range):
      [
        "type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound)),
      ]
    case .parameter(let kind): Parameter("", kind, "").schema
    case .pattern(let pattern): ["type": "string", "pattern": .string(pattern)]
    case .position: ["anyOf": [["type": "integer", "minimum": 0], Parameter("", .position, "").schema]]
    case .object(let members, let optional, let isClosed):
      .object(
        [
          ("type", "object"), ("properties", .object((members + optional).map { ($0.0, $0.1.json) })),
          ("required", .array(members.map { .string($0.0) })),
        ] + (isClosed ? [("additionalProperties", false)] : []))
    case .map(let schema): ["type": "object", "additionalProperties": schema.json]
    case .list(let schema): ["type": "array", "items": schema.json]
    case .either(let schemas): ["anyOf": .array(schemas.map(\.json))]
    case .shared(let schema): ["$ref": .string("#/components/schemas/\(schema.rawValue)")]
    }
  }

  package static let optionalText = Schema.either([.text, .null])
  static let optionalFlag = Schema.either([.boolean, .null])
}

/// The schemas with a name.
package enum SharedSchema: String, CaseIterable, Sendable {
  case object = "Object"
  case group = "Group"
  case result = "Result"
  case difference = "Difference"
  case commit = "Commit"
  case commits = "Commits"
  case node = "Node"
  case tree = "Tree"
  case blame = "Blame"
  case operation = "Operation"
  case line = "Line"
  case problem = "Problem"

  var schema: Schema {
    switch self {
    case .object:
      .object(
        [
          ("id", .text), ("entity", .text), ("createdAt", .text), ("changedAt", .text), ("values", .map(.any)),
          ("links", .map(.any)),
        ], optional: [("shown", .map(.any))])
    case .group: .object([("key", .map(.any)), ("values", .map(.any))])
    case .result:
      .object(
        [
          ("position", .integer),
          (
            "sections",
            .list(.object([("name", .text), ("objects", .list(.either([.shared(.object), .shared(.group)])))]))
          ), ("total", .integer),
        ], optional: [("counts", .list(.object([("name", .text), ("count", .integer)])))])
    case .difference:
      .object(
        [("from", .integer), ("to", .integer)],
        optional: [
          ("reset", .boolean), ("sections", .list(.map(.any))), ("rows", .list(.map(.any))),
          ("causes", .map(.list(.integer))),
        ])
    case .commit:
      .object(
        [
          ("position", .integer), ("commitID", .optionalText), ("recordedAt", .text), ("happenedAt", .optionalText),
          ("author", .optionalText), ("message", .optionalText), ("previousHash", .text), ("hash", .text),
        ],
        optional: [
          ("events", .list(.map(.any))), ("model", .map(.any)), ("metadata", .map(.any)), ("causation", .any),
          ("correlation", .text), ("undoes", .list(.integer)), ("redoes", .list(.integer)),
        ])
    case .commits: .object([("commits", .list(.shared(.commit))), ("next", .either([.integer, .null]))])
    case .node:
      .object(
        [("id", .text), ("entity", .text), ("name", .text), ("childCount", .integer)],
        optional: [("children", .list(.shared(.node)))])
    case .tree: .object([("position", .integer), ("nodes", .list(.shared(.node)))])
    case .blame:
      .object([("id", .text), ("entity", .text), ("position", .integer), ("lines", .list(.map(.any)))])
    case .problem:
      .object(
        [("title", .text), ("status", .integer), ("detail", .text)],
        optional: [
          ("advice", .text), ("parameter", .text), ("column", .integer), ("pointer", .text),
          ("failure", .map(.any)),
        ])
    case .operation: SharedSchema.writtenOperation
    case .line: SharedSchema.writtenLine
    }
  }
}

#endif
