import Daybook
import DaybookModel

extension Blame {
  /// The output of `blame --json`.
  package var json: JSONValue {
    .object([
      ("id", .string(object.description)), ("entity", .string(entity)), ("position", position.json),
      ("lines", .array(lines.map(\.json))),
    ])
  }
}

private extension Blame.Line {
  var json: JSONValue {
    .object([
      (isLink ? "link" : "attribute", .string(name)), ("value", value.json(as: type)), ("position", position.json),
      ("author", author.map { .string($0) } ?? .null), ("message", message.map { .string($0) } ?? .null),
      ("recordedAt", .string(recordedAt.description)),
      ("happenedAt", happenedAt.map { .string($0.description) } ?? .null),
    ])
  }
}
