/// The closure in which the paths of a condition built in code begin.
///
///     Recipe.where { recipe in recipe.tags.any { $0.name == recipe.name } }   // refused
///
/// Inside of the closure of a condition on related objects, the compiler lets the fields of the outer object be named,
/// although the paths of that condition begin at a related object, so `recipe.name` would be the tag's own name. The
/// paths therefore have the scope of the closure whose parameter they begin with, and a filter is refused in which a
/// path has the scope of an outer closure.
package final class PathScope: Sendable {
  package init() {}
}

/// The scope of a path, or `nil` for a path of a text.
///
/// It is not part of the path's meaning, so all are equal.
package struct ScopeReference: Hashable, Sendable {
  package var scope: PathScope?

  package init(scope: PathScope? = nil) { self.scope = scope }

  package static func == (a: ScopeReference, b: ScopeReference) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
