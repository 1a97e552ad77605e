#if Import

import DaybookModel

/// The order in which the objects of several commits are inserted: an object after the objects that it requires.
struct RequiredOrder {
  /// Entities whose objects are inserted together.
  struct Group: Hashable {
    /// The names in the store.
    var entities: [String]
    /// Whether the objects may be in several commits: an object requires no other one of the group.
    var isDivisible: Bool
  }

  let groups: [Group]

  /// - Parameters:
  ///   - entities: The names in the store, in the order of declaration.
  ///   - required: The entities that an entity's objects require.
  init(_ entities: [String], requiring required: [String: Set<String>]) {
    var (groups, done, rest): ([Group], Set<String>, [String]) = ([], [], entities)
    while !rest.isEmpty {
      let ready = rest.filter { required[$0, default: []].subtracting([$0]).isSubset(of: done) }
      if ready.isEmpty {
        // The rest is a cycle, with what depends on it.
        groups.append(Group(entities: rest, isDivisible: false))
        break
      }
      groups += ready.map { Group(entities: [$0], isDivisible: !required[$0, default: []].contains($0)) }
      done.formUnion(ready)
      rest.removeAll { ready.contains($0) }
    }
    self.groups = groups
  }

  /// Makes the order of an import.
  init(_ routes: ImportRoutes, in model: Model) {
    var (names, required): ([String], [String: Set<String>]) = ([], [:])
    for route in routes.entities where !names.contains(route.name) { names.append(route.name) }
    for name in names {
      for relationship in model.lineage(of: name).flatMap(\.relationships)
      where !relationship.isMany && !relationship.isOptional {
        required[name, default: []].formUnion(names.filter { model.isKind($0, of: relationship.target) })
      }
    }
    self.init(names, requiring: required)
  }
}

#endif
