/// The rules of entities, attributes and relationships that existed before.
extension ModelEvolution {
  mutating func compareRules(of declared: Entity, _ former: ResolvedEntity) {
    guard declared.rules != former.rules else { return }
    let quoted = { (rules: [String]) in rules.map { "“\($0)”" } }
    noteRules(of: declared.name, former.tag, from: quoted(former.rules), to: quoted(declared.rules))
  }

  /// Adds the steps of changed rules.
  ///
  /// - Parameters:
  ///   - tag: The tag of what has the rules.
  ///   - old: The former rules, as text.
  ///   - new: The declared ones.
  mutating func noteRules(of place: String, _ tag: Tag, from old: [String], to new: [String]) {
    let (removed, added) = (old.filter { !new.contains($0) }, new.filter { !old.contains($0) })
    steps += removed.map { "remove the rule \($0) of \(place)" }
    steps += added.map { "add the rule \($0) of \(place)" }
    // The same rules in another order are the same rules.
    if removed.isEmpty, added.isEmpty { steps.append("reorder the rules of \(place)") }
    if !added.isEmpty { changedRules.insert(tag) }
  }
}
