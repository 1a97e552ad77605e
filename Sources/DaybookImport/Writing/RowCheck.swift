#if Import

import DaybookModel

/// Reads all rows of an import once, before anything is written: what breaks the rules, and what is stored in another form.
///
/// Uniqueness is not compared here: the store does it, and SQLite has done it for its own constraints.
struct RowCheck {
  /// The broken rules, in the order in which they were found.
  private(set) var violations: [Violation] = []
  /// The values that are not stored as the source has them.
  private(set) var values: [ValueReport] = []
  /// The number of objects of each entity of the imported model.
  private(set) var objectCounts: [String: Int] = [:]
  private var places: [Key: Int] = [:]
  private var valuePlaces: [Key: Int] = [:]

  private struct Key: Hashable {
    let field: SourceField
    let text: String
  }

  /// Reads the rows.
  ///
  /// - Parameter progress: Called with the number of objects that were read.
  init(_ routes: ImportRoutes, in model: Model, progress: (Int) -> Void) throws {
    var count = 0
    for route in routes.entities {
      let attributes = RowCheck.required(route, in: model)
      try route.source.forEachObject(of: route.sourceEntity) { object in
        try check(object, route, attributes)
        count += 1
        objectCounts[route.target, default: 0] += 1
        progress(count)
      }
    }
    for link in routes.links { try checkRequired(link, routes, model) }
    for route in routes.entities { checkMissing(route, routes, model) }
  }

  // MARK: Objects

  /// Returns the required attributes of an entity without a default, with the fields of the imported model.
  private static func required(_ route: EntityRoute, in model: Model) -> [(name: String, field: SourceField)] {
    return model.attributes(of: route.name).filter { !$0.isOptional && $0.derivation == nil && $0.defaultValue.isNull }
      .map { attribute in
        let field = route.fields.compactMap { $0 }.first { $0.name == attribute.name }?.target
        return (attribute.name, field ?? SourceField(route.target, attribute.name))
      }
  }

  private mutating func check(
    _ object: SourceObject, _ route: EntityRoute, _ required: [(name: String, field: SourceField)]
  ) throws {
    let values = try route.values(of: object)
    let name = route.source.objectName(object.key)
    for (attribute, field) in required where values.values[attribute]?.isNull ?? true {
      add(Violation(field: field, kind: .required, count: 1, first: name))
    }
    for field in route.fields {
      guard let field, !field.rules.isEmpty, let value = values.values[field.name] else { continue }
      for rule in field.rules where !rule.allows(value) {
        add(Violation(field: field.target, kind: .rule(rule.rule.summary(as: field.type)), count: 1, first: name))
      }
    }
    for change in values.changes {
      report(
        change.place, change.reason, name, became: change.became.isNull ? "null" : String(change.became.text.prefix(80))
      )
    }
    for fault in object.faults {
      guard let field = route.fields.compactMap({ $0 }).first(where: { $0.source == fault.field }) else { continue }
      report(field.target, fault.kind.reason, name, was: fault.was, became: fault.kind.replacement)
    }
  }

  private mutating func report(
    _ field: SourceField, _ reason: String, _ first: String, was: String? = nil, became: String
  ) {
    let key = Key(field: field, text: reason)
    if let place = valuePlaces[key] {
      values[place].count += 1
      return
    }
    // A reason can have the value in it, and a report has a limit.
    guard values.count < RowCheck.maximumReportCount else { return }
    valuePlaces[key] = values.count
    values.append(ValueReport("\(field): \(reason)", count: 1, first: first, was: was, became: became))
  }

  /// The limit on the lines of values in a report.
  private static let maximumReportCount = 10_000

  private mutating func add(_ violation: Violation) {
    let key = Key(field: violation.field, text: "\(violation.kind)")
    if let place = places[key] {
      violations[place].count += violation.count
    } else {
      places[key] = violations.count
      violations.append(violation)
    }
  }

  // MARK: Links

  /// Finds the objects without a target of a required relationship, on either side of the links.
  private mutating func checkRequired(_ link: LinkRoute, _ routes: ImportRoutes, _ model: Model) throws {
    guard let declared = model.entity(link.entity)?.relationship(link.name) else { return }
    if !declared.isMany, !declared.isOptional {
      try checkSources(of: link, link.target, entity: link.entity, routes, model, isTarget: false)
    }
    guard let inverse = link.inverse, !inverse.isToMany,
      model.entity(link.targetEntity)?.relationship(inverse.name)?.isOptional == false
    else {
      return
    }
    try checkSources(of: link, inverse.target, entity: link.targetEntity, routes, model, isTarget: true)
  }

  /// Finds the required relationships whose links the source lacks.
  private mutating func checkMissing(_ route: EntityRoute, _ routes: ImportRoutes, _ model: Model) {
    guard let count = objectCounts[route.target], count > 0 else { return }
    for entity in model.lineage(of: route.name) {
      for relationship in entity.relationships where !relationship.isMany && !relationship.isOptional {
        let isRead = routes.links.contains { link in
          link.entity == entity.name && link.name == relationship.name
            || link.targetEntity == entity.name && link.inverse?.name == relationship.name
        }
        if isRead { continue }
        let field = SourceField(route.target, relationship.name)
        add(Violation(field: field, kind: .required, count: count, first: nil))
      }
    }
  }

  /// - Parameter isTarget: Whether the required side is the one to which the written relationship leads.
  private mutating func checkSources(
    of link: LinkRoute, _ field: SourceField, entity: String, _ routes: ImportRoutes, _ model: Model, isTarget: Bool
  ) throws {
    let routes = routes.entities.filter { $0.source.name == link.source.name && model.isKind($0.name, of: entity) }
    // As many bytes as a key has for each row, for one relationship at a time.
    var linked: Set<SourceKey.Number> = []
    _ = try link.source.forEachLink(of: link.field) { found in
      linked.insert((isTarget ? found.target : found.source).number)
    }
    guard linked.count < routes.reduce(0, { $0 + objectCounts[$1.target, default: 0] }) else { return }
    for route in routes {
      try link.source.forEachObject(of: route.sourceEntity) { object in
        guard !linked.contains(object.key.number) else { return }
        add(Violation(field: field, kind: .required, count: 1, first: link.source.objectName(object.key)))
      }
    }
  }
}

#endif
