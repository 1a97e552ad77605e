extension Entity {
  var members: JSONMembers {
    var members: JSONMembers = []
    members.add("name", name)
    members.add("renamedFrom", renamedFrom)
    members.add("nameAttribute", nameAttribute)
    members.add("attributes", list: attributes.map { .object($0.members) })
    members.add("relationships", list: relationships.map { .object($0.members) })
    addViews(to: &members)
    return members
  }

  func addViews(to members: inout JSONMembers) {
    members.add("unique", list: unique.map { .array($0.map(JSONValue.string)) })
    members.add("indexes", list: indexes.map { .array($0.terms.map { .string($0.text) }) })
  }
}
