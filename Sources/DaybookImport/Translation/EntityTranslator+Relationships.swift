#if Import

import DaybookModel

extension EntityTranslator {
  mutating func translate(_ relationship: SourceRelationship) {
    let place = field(relationship.name)
    if let reason = dropReason(of: relationship) {
      var field = FieldReport(relationship.name)
      field.dropReason = reason
      report.relationships.append(field)
      return
    }
    guard let name = names.name(of: place), let target = names.name(ofEntity: relationship.destination) else { return }
    var declaration = Relationship(
      name: name, target: target, inverse: inverseName(of: relationship), isMany: relationship.isToMany,
      isOptional: !relationship.isToMany && isOptional(relationship),
      isOrdered: relationship.isToMany && isOrdered(relationship), deleteRule: deleteRule(of: relationship))
    addCounts(of: relationship, to: &declaration)
    entity.relationships.append(
      TranslatedRelationship(
        source: place, declaration: declaration, renamingIdentifier: relationship.renamingIdentifier))
    report.relationships.append(FieldReport(relationship.name, as: name))
  }

  private func dropReason(of relationship: SourceRelationship) -> String? {
    if relationship.isTransient { return "transient, so it is never stored" }
    if lookup.entity(relationship.destination) == nil {
      return "its destination “\(relationship.destination)” is not in the model"
    }
    if names.name(ofEntity: relationship.destination) == nil { return "its destination is not imported" }
    return nil
  }

  /// Returns the name of the inverse in the store; empty for a one-way relationship.
  private mutating func inverseName(of relationship: SourceRelationship) -> String {
    let place = field(relationship.name)
    if let inverse = mutualInverse(of: relationship), let name = names.name(of: inverse.field) { return name }
    if let declared = relationship.inverse {
      change(
        "the inverse \(declared)", to: "a one-way relationship",
        why: "\(relationship.destination).\(declared) does not lead back",
        place.description)
    }
    reportHiddenRule(of: relationship)
    return ""
  }

  /// Returns the inverse that leads back and is stored.
  private func mutualInverse(
    of relationship: SourceRelationship
  ) -> (field: SourceField, relationship: SourceRelationship)? {
    guard let inverse = lookup.mutualInverse(of: field(relationship.name)), !inverse.relationship.isTransient,
      inverse.field.entity == relationship.destination, inverse.relationship.destination == source.name
    else {
      return nil
    }
    return inverse
  }

  private mutating func reportHiddenRule(of relationship: SourceRelationship) {
    let rule = relationship.hiddenInverseDeleteRule
    guard rule == .cascade || rule == .deny || rule == .noAction else { return }
    // The delete of a target that a required link needs is refused, as by the rule.
    if rule != .cascade, !relationship.isToMany, !relationship.isOptional { return }
    change(
      "\(rule.name) from \(relationship.destination)", to: "Nullify",
      why: "a one-way relationship has no rule of its targets; --inverses declares the way back",
      field(relationship.name).description)
  }

  private mutating func isOptional(_ relationship: SourceRelationship) -> Bool {
    if relationship.isOptional { return true }
    guard options.relaxed.contains(field(relationship.name)) else { return false }
    change("required", to: "optional", why: "rows have no target of it", field(relationship.name).description)
    return true
  }

  /// Returns whether the order is kept: of two ordered sides only the first one's.
  private mutating func isOrdered(_ relationship: SourceRelationship) -> Bool {
    guard relationship.isOrdered else { return false }
    if lookup.isMirrored(field(relationship.name)) {
      change(
        "ordered", to: "unordered", why: "a relationship that is its own inverse has no order",
        field(relationship.name).description)
      return false
    }
    guard let inverse = mutualInverse(of: relationship), inverse.relationship.isOrdered, inverse.relationship.isToMany,
      lookup.isDeclared(inverse.field, before: field(relationship.name))
    else {
      return true
    }
    change(
      "ordered", to: "unordered", why: "a link has one order, and \(inverse.field) is declared first",
      field(relationship.name).description)
    return false
  }

  private mutating func deleteRule(of relationship: SourceRelationship) -> DeleteRule {
    switch relationship.deleteRule {
    case .nullify: return .nullify
    case .cascade: return .cascade
    case .deny: return .deny
    case .noAction:
      change("No Action", to: "Nullify", why: "Daybook has no dangling links", field(relationship.name).description)
      return .nullify
    }
  }

  private mutating func addCounts(of relationship: SourceRelationship, to declaration: inout Relationship) {
    guard relationship.isToMany else { return }
    let place = field(relationship.name).description
    if relationship.maximumCount > 0 { declaration.most = relationship.maximumCount }
    let least = max(relationship.minimumCount, relationship.isOptional ? 0 : 1)
    guard least > 0 else { return }
    let isKept =
      !relationship.isOptional && relationship.minimumCount > 1 && !options.relaxed.contains(field(relationship.name))
      && (declaration.most.map { $0 >= least } ?? true)
    guard !isKept else {
      declaration.least = least
      return
    }
    change(
      "at least \(least)", to: "any number", why: "objects may be inserted before their links", place)
  }
}

#endif
