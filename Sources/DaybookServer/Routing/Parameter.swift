#if Server

import Daybook
import DaybookTools

/// A parameter of an operation: a part of the path where its name stands there in braces, else of the query, or a field of
/// the header.
package struct Parameter: Sendable {
  /// What a value may be.
  package enum Kind: Sendable {
    case text
    /// One of some words.
    case choice([String])
    case number(ClosedRange<Int>)
    /// `true` or `false`.
    case flag
    /// A number, `head`, or a time.
    case position
    case time
    /// A name with the text of its value.
    case assignment
    /// A UUID, or a part of one that only one object has.
    case object
    case uuid
    /// The id of an event, or a position.
    case cursor
  }

  /// Where a parameter stands.
  package enum Place: Sendable {
    case pathOrQuery
    case header
  }

  let name: String
  let kind: Kind
  let summary: String
  var isRepeatable = false
  var place = Place.pathOrQuery

  package init(
    _ name: String, _ kind: Kind, _ summary: String, isRepeatable: Bool = false, place: Place = .pathOrQuery
  ) {
    self.place = place
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRepeatable = isRepeatable
  }

  /// The JSON schema of one value.
  var schema: JSONValue {
    switch kind {
    case .text, .object: ["type": "string"]
    case .uuid: ["type": "string", "format": "uuid"]
    case .cursor:
      [
        "type": "string",
        "pattern": "^[0-9]{1,18}(-[0-9a-f]{8})?(-T-?[0-9]{1,18})?(~[A-Za-z0-9_-]{1,64}\\.[0-9]{1,20}\\.[0-9]{1,20})*$",
        "examples": ["7", "7-0a1b2c3d", "7-0a1b2c3d-T1767323045000000", "7-0a1b2c3d~author-months.1.2"],
      ]
    case .choice(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
    case .number(let range):
      range.upperBound == .max
        ? ["type": "integer", "minimum": .integer(Int64(range.lowerBound))]
        : [
          "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
          "maximum": .integer(Int64(range.upperBound)),
        ]
    case .flag: ["type": "boolean"]
    case .position:
      [
        "type": "string", "anyOf": [["pattern": "^[0-9]{1,18}$"], ["enum": ["head"]], ["format": "date-time"]],
        "examples": ["7", "head", "2026-01-02T03:04:05Z"],
      ]
    case .time: ["type": "string", "format": "date-time", "examples": ["2026-01-02T03:04:05Z"]]
    case .assignment: ["type": "string", "pattern": "^[^=]+=", "examples": ["text=cake"]]
    }
  }
}

/// Parameters that several operations have.
extension Parameter {
  static let entity = Parameter("entity", .text, "The name of the entity.")
  package static let sha256 = Parameter("sha256", .text, "The SHA-256 of the bytes, in 64 hexadecimal digits.")
  static let id = Parameter("id", .object, "The object: its UUID, or a part that no other object has.")
  static let at = Parameter(
    "at", .position, "Read the store as it was: a position, head, or a time, which is that of the last commit by then.")

  static let cursor = Parameter(
    "from", .cursor, "What the client has seen: the id of an event, or a position. The header Last-Event-ID wins.")

  static let cursorHeader = Parameter(
    "Last-Event-ID", .cursor, "As from: the id of the last event that the client received.", place: .header)

  static let ifNoneMatch = Parameter(
    "If-None-Match", .text, "The tag of an answer that the client has: it is answered with 304 if it is the same.",
    place: .header)

  static let variable = Parameter(
    "variable", .assignment, "The text that a variable of the filter stands for, such as text=cake for $text.",
    isRepeatable: true)

  static let request = [
    Parameter("where", .text, "A filter: servings >= 4 AND COUNT(ingredients WHERE amount > 2) >= 3."),
    .variable,
    Parameter("only", .flag, "Whether objects of the entity's children are left out."),
    Parameter(
      "group", .text,
      "A key path by which objects are grouped, such as type.name or createdAt.month; the rows are groups then. Up to four; "
        + "an empty one for one group of all objects.", isRepeatable: true),
    Parameter("having", .text, "With group: a filter over the shown values and the keys: sum:servings > 40."),
    Parameter(
      "order", .text, "With group: a key path by which the objects are ordered, for first:PATH and last:PATH.",
      isRepeatable: true),
    Parameter(
      "sort", .text,
      "A key path to sort by, such as type.name, name:desc, due:nils-last or name:locale:sv, or recipe:in:ID by places; of "
        + "groups a shown value or a key, such as sum:servings:desc.",
      isRepeatable: true),
    Parameter(
      "section", .text,
      "A key path to make sections by, such as createdAt.day:desc, type.name:nils-last or name.initial:other-last; "
        + "of groups their first key."),
    Parameter(
      "sectionOrder", .text,
      "Names of sections in the order wanted, separated by commas, a name with a comma in double quotes.",
      isRepeatable: true),
    Parameter(
      "show", .text,
      "Key paths to show, separated by commas, such as name,type.name: the values are added to each object, and a change "
        + "of one of them, and of no other value, is an update. With group: the values of each group, such as "
        + "count,total = sum:servings.", isRepeatable: true),
    Parameter("timezone", .text, "Where days, weeks, months and years begin; UTC if it is left out."),
    Parameter("limit", .number(0...FetchLimits.maximum), "The most rows; 100 if it is left out."),
    Parameter("offset", .number(0...Int.max), "How many rows to leave out at the start."),
  ]

  static let commitFilter = [
    Parameter("object", .object, "Only commits with an event that names this object."),
    Parameter("entity", .text, "Only commits with an event of this entity."),
    Parameter("kind", .choice(CommitKinds.names), "Only commits with an event of this kind."),
    Parameter("event", .text, "Only commits with a recorded event of this name."),
    Parameter("author", .text, "Only commits whose author contains this."),
    Parameter("message", .text, "Only commits whose message contains this."),
    Parameter("correlation", .text, "Only commits with this correlation."),
    Parameter("ignoreCase", .flag, "Whether the case of author and message is ignored."),
    Parameter("since", .time, "Only commits that happened at this time or later."),
    Parameter("until", .time, "Only commits that happened at this time or earlier."),
    Parameter("where", .text, "A filter over event.ATTRIBUTE and metadata.KEY."),
    .variable,
    Parameter("eventsOnly", .flag, "Whether the events that do not meet the conditions are left out."),
  ]
}

/// The numbers of objects that one answer may have.
enum FetchLimits {
  /// The limit of a request without one.
  static let standard = 100
  static let maximum = 10_000
}

extension Parameter {
  /// - Throws: `Problem` with the status 400 for a value that is not of the parameter's kind.
  func check(_ value: String) throws {
    let expected: String
    switch kind {
    // The operation reads the others itself, which may be fields of the header.
    case .text, .object, .uuid, .cursor: return
    case .choice(let words):
      if words.contains(value) { return }
      expected = "one of \(words.joined(separator: ", "))"
    case .number(let range):
      if let number = Int(value), value.utf8.allSatisfy({ (48...57).contains($0) || $0 == 45 }), range.contains(number)
      {
        return
      }
      let bound = range.upperBound == .max ? "" : " to \(range.upperBound)"
      expected = "a number from \(range.lowerBound)\(bound)"
    case .flag:
      if value == "true" || value == "false" { return }
      expected = "true or false"
    case .position:
      if PositionText(value) != nil { return }
      expected = "a number, head, or a time such as 2026-01-02T03:04:05Z"
    case .time:
      if Timestamp(value) != nil { return }
      expected = "a time such as 2026-01-02T03:04:05Z"
    case .assignment:
      if Assignment(value) != nil { return }
      expected = "a name with its text, such as text=cake"
    }
    throw Problem(.badRequest, "“\(value)” is not \(expected).", parameter: name)
  }
}

#endif
