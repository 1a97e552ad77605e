#if Import

import DaybookModel

/// The attributes that have the times at which an application created its objects.
struct CreationTimes {
  /// The place of the attribute among the values of each route's objects, in the order of the routes.
  private let places: [Int?]

  /// Finds the attributes.
  ///
  /// - Parameters:
  ///   - chosen: The names of the attributes by the name of an entity, whose descendants have them too, or by `*`, for each
  ///     entity with an attribute of that name.
  ///   - routes: The ways of all objects.
  /// - Throws: ``ImportError`` for an entity or an attribute that no source has, and for one that is no date.
  init(_ chosen: [String: String], _ routes: ImportRoutes) throws(ImportError) {
    var places = [Int?](repeating: nil, count: routes.entities.count)
    for (name, attribute) in chosen.sorted(by: { $0.key < $1.key }) {
      var isFound = false
      for (number, route) in routes.entities.enumerated() {
        let chain = route.source.lookup.chain(of: route.sourceEntity)
        guard name == "*" || chain.contains(name) || route.target == name else { continue }
        let fields = route.source.attributes(of: route.sourceEntity)
        guard let place = fields.firstIndex(where: { $0.field.name == attribute }) else { continue }
        guard fields[place].attribute.type == .date else {
          if name == "*" { continue }
          throw ImportError(.usage, "\(fields[place].field), which --created names, is no date; name another attribute")
        }
        (places[number], isFound) = (place, true)
      }
      guard isFound || routes.entities.isEmpty else {
        throw ImportError(
          .usage, "no source has a date \(name).\(attribute), which --created names; write ENTITY.ATTRIBUTE")
      }
    }
    self.places = places
  }

  /// Returns the time of an object, or `nil` if it has none.
  func time(of object: SourceObject, route: Int) -> Timestamp? {
    guard let place = places[route], case .value(.date(let time)) = object.values[place] else { return nil }
    return time
  }
}

#endif
