import DaybookModel

extension ResolvedPath {
  /// Returns the path that continues with another one, which begins where this one ends.
  func followed(by rest: ResolvedPath) -> ResolvedPath {
    ResolvedPath(start: start, steps: steps + rest.steps, field: rest.field, type: rest.type, order: rest.order)
  }
}
