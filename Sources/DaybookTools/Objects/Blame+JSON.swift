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
      (isLink ? "link" : "attribute", .string(name)), ("value", value.json(as: type)),
      ("position", summary.position.json), ("author", summary.author.map { .string($0) } ?? .null),
      ("message", summary.message.map { .string($0) } ?? .null),
      ("recordedAt", .string(summary.recordedAt.description)),
      ("happenedAt", summary.happenedAt.map { .string($0.description) } ?? .null),
    ])
  }
}
