#if Server

/// The bodies of writes: lines of operations, as `daybook apply` reads them.
extension SharedSchema {
  private typealias Members = [(String, Schema)]

  /// An operation with information about its commit, or a commit of several operations.
  static var writtenLine: Schema {
    let more: Members = [
      ("message", .optionalText), ("when", .optional(.map(.any))), ("commitID", .optional(.parameter(.uuid))),
      ("happenedAt", .optional(.parameter(.time))), ("metadata", .optional(.map(.any))), ("causation", .any),
      ("correlation", .optionalText),
    ]
    let commit = Schema.object([("commit", .list(.shared(.operation)))], optional: more, isClosed: true)
    return .either([commit] + verbs(with: more))
  }

  /// One operation of a commit.
  static var writtenOperation: Schema { .either(verbs(with: [])) }

  /// Returns one schema for each verb, because each has other members, and refuses all that it does not need.
  ///
  /// - Parameter more: Members that each may have.
  private static func verbs(with more: Members) -> [Schema] {
    func verb(_ required: Members, _ optional: Members = []) -> Schema {
      .object(required, optional: optional + more, isClosed: true)
    }
    let values: Members = [("values", .optional(.map(.any)))]
    let targets = Schema.map(.either([.text, .list(.text), .null]))
    let insertion: Members =
      values + [
        ("id", .optional(.parameter(.uuid))), ("as", .optional(.pattern("^\\$."))),
        ("relate", .optional(targets)),
      ]
    let upsertion: Members = [("upsert", .text), ("key", .list(.text))]
    let link: Members = [("relationship", .text), ("to", .text)]
    let relate: Members = [("relate", .text)] + link
    return [
      verb([("insert", .text)], insertion),
      verb(upsertion, values + [("as", .optional(.pattern("^\\$."))), ("relate", .optional(targets))]),
      verb([("rename", .text), ("to", .text)]), verb([("set", .text)], values),
      verb([("delete", .text)]), verb([("record", .text), ("about", .text)], values),
      verb(relate, [("before", .text)]), verb(relate, [("after", .text)]), verb([("unrelate", .text)] + link),
    ]
  }
}

private extension Schema {
  static func optional(_ schema: Schema) -> Schema { .either([schema, .null]) }
}

#endif
