import DaybookModel

extension FilterResolver {
  /// Resolves the path to related objects, and the condition on each of them.
  func related(_ objects: Filter.RelatedObjects) throws(FilterFault) -> ResolvedFilter.RelatedObjects {
    guard outerScopes.count < Filter.maximumWhereDepth else {
      let message = "WHERE nests deeper than \(Filter.maximumWhereDepth)"
      throw FilterFault(message: message, place: objects.place)
    }
    let path = try find(objects.path)
    guard objects.path.aggregate == nil else {
      throw FilterFault(
        message: "WHERE follows a to-many relationship, and “@” computes a value",
        place: objects.path.places[objects.path.places.count - 1])
    }
    guard path.steps.last?.isMany == true, path.field == .id, path.steps.count == objects.path.names.count else {
      let name = objects.path.names.last ?? ""
      throw FilterFault(
        message: "WHERE follows a to-many relationship, and “\(name)” is not one",
        place: objects.path.places[objects.path.names.count - 1])
    }
    let inner = FilterResolver(
      finder: PathFinder(model: finder.model, entity: path.end, outerCount: finder.outerCount + path.steps.count),
      outerScopes: outerScopes + [objects.path.scope], now: now)
    return ResolvedFilter.RelatedObjects(path: path, condition: try inner.node(objects.condition), written: objects)
  }
}
