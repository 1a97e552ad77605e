/// Names that properties cannot have.
package enum Names {
  package static let builtIn: Set<String> = ["id", "createdAt", "changedAt"]
  /// The words of the filter language, as in `ModelNames` of the model.
  package static let reserved: Set<String> = [
    "and", "or", "not", "in", "any", "all", "none", "some", "between", "like", "matches", "contains", "beginswith",
    "endswith", "true", "false", "nil", "null", "truepredicate", "falsepredicate", "infinity",
  ]
}
