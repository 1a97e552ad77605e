extension Relationship {
  var members: JSONMembers {
    var members: JSONMembers = []
    members.add("name", name)
    members.add("renamedFrom", renamedFrom)
    members.add("to", target)
    members.add("many", isMany)
    members.add("optional", isOptional)
    members.add("ordered", isOrdered)
    members.add("inverse", inverse)
    if deleteRule != .nullify { members.add("onDelete", deleteRule.rawValue) }
    return members
  }
}
