import Daybook

extension Console {
  /// Prints what a write command answers: the new object's identity if there is one, else the position.
  func printPosition(_ position: Position, id: ObjectID? = nil, json: Bool) throws {
    guard json else { return try print(id?.description ?? position.description) }
    var members: [(key: String, value: JSONValue)] = [("position", position.json)]
    if let id { members.append(("id", .string(id.description))) }
    try print(.object(members))
  }
}

extension Position {
  /// The number, as JSON.
  var json: JSONValue { .integer(Int64(clamping: number)) }
}
