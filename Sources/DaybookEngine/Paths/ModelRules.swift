import DaybookModel
import DaybookQuery
import WorkLimits

/// The rules of a model in the form in which commits are checked, and the changes that can break each of them.
///
/// They are made once for a model. A rule that an older version of Daybook wrote always has this form, because ``faults``
/// are found before a model is written.
package final class ModelRules: Sendable {
  /// One rule of an entity's objects.
  package struct Rule: Sendable {
    package let entity: Int
    package let kind: Kind
    /// The tag of the attribute, the relationship or the entity that has the rule.
    package let tag: Tag
    /// The values on which it depends.
    package let paths: [ResolvedPath]
  }

  package enum Kind: Sendable {
    /// A rule of an attribute; a pattern is compiled.
    case attribute(Int, AttributeRule, RegularExpression?)
    /// A condition, with its text.
    case condition(String, ResolvedFilter)
    /// The least and the greatest number of targets of a to-many relationship.
    case targets(RelationshipReference, least: Int?, most: Int?)
  }

  /// A rule that a change may break, for the objects at the end of a path.
  struct Dependent: Sendable {
    let rule: Int
    /// Relationships to follow from the changed object; empty for the object itself.
    let inversePath: [RelationshipReference]
  }

  /// The rules of all entities.
  package let rules: [Rule]
  /// The faults of rules that cannot be compiled, and are left out.
  package let faults: [Fault]
  let dependents: [Dependency.Trigger: [Dependent]]

  package init(_ model: ResolvedModel) {
    var reader = RuleReader(model: model)
    for entity in model.entities where !entity.isRetired && entity.hasRules { reader.read(entity) }
    (rules, faults) = (reader.rules, reader.faults)
    var dependents: [Dependency.Trigger: [Dependent]] = [:]
    for (number, rule) in rules.enumerated() {
      let all = Set(rule.paths.flatMap { Dependency.recorded(of: $0, in: model) })
      for dependency in all.union([Dependency(.existence(entity: rule.entity))]) {
        let dependent = Dependent(rule: number, inversePath: dependency.inversePath)
        for trigger in dependency.trigger.triggers(in: model) { dependents[trigger, default: []].append(dependent) }
      }
    }
    self.dependents = dependents
  }

  /// Checks that all rules can be compiled.
  ///
  /// - Throws: All faults.
  package func check() throws(ModelError) {
    guard faults.isEmpty else { throw ModelError(faults) }
  }

  /// How long the comparison of all defaults with their rules may take.
  private static let defaultsTimeLimit = Duration.seconds(10)

  /// Checks that all rules can be compiled, and that the defaults of a new model meet them.
  ///
  /// - Parameter model: The model of the rules.
  /// - Throws: `ModelError` with all faults; `WorkLimitExceeded` if the caller's limit is exceeded.
  package func check(defaultsOf model: ResolvedModel) throws {
    var found = faults
    do {
      let limit = WorkLimit(ModelRules.defaultsTimeLimit, isCancelled: { false })
      try WorkLimit.$current.withValue(limit) {
        for rule in rules { if let fault = try rule.faultOfDefault(in: model) { found.append(fault) } }
      }
    } catch is WorkLimitExceeded {
      try WorkLimit.check()
      found.append(Fault("the model", "its defaults take too long to compare with their rules"))
    }
    guard found.isEmpty else { throw ModelError(found) }
  }
}

private extension ModelRules.Rule {
  /// Returns the fault of an attribute whose default breaks the rule.
  func faultOfDefault(in model: ResolvedModel) throws(WorkLimitExceeded) -> Fault? {
    guard case .attribute(let number, let rule, let expression) = kind else { return nil }
    let owner = model.entities[entity]
    let attribute = owner.attributes[number]
    guard try !rule.allows(attribute.defaultValue, expression) else { return nil }
    let value = attribute.defaultValue.json(as: attribute.type).text
    return Fault(
      "\(owner.name).\(attribute.name)", "the default \(value) breaks the rule \(rule.summary(as: attribute.type))")
  }
}

/// Compiles the rules of entities.
private struct RuleReader {
  let model: ResolvedModel
  var rules: [ModelRules.Rule] = []
  var faults: [Fault] = []

  mutating func read(_ entity: ResolvedEntity) {
    for number in entity.ownAttributes {
      for rule in entity.attributes[number].rules { read(rule, of: number, entity) }
    }
    for number in entity.ownRelationships {
      let relationship = entity.relationships[number]
      guard relationship.least != nil || relationship.most != nil else { continue }
      let reference = RelationshipReference(entity: entity.index, relationship: number)
      let step = ResolvedPath.Step(relationship: reference, target: relationship.target, isMany: true)
      add(
        .targets(reference, least: relationship.least, most: relationship.most), of: entity, relationship.tag,
        [ResolvedPath(start: entity.index, steps: [step], field: .id, type: .uuid)])
    }
    for text in entity.rules { read(text, of: entity) }
  }

  private mutating func add(
    _ kind: ModelRules.Kind, of entity: ResolvedEntity, _ tag: Tag, _ paths: [ResolvedPath]
  ) {
    rules.append(ModelRules.Rule(entity: entity.index, kind: kind, tag: tag, paths: paths))
  }

  private mutating func read(_ rule: AttributeRule, of number: Int, _ entity: ResolvedEntity) {
    let attribute = entity.attributes[number]
    var expression: RegularExpression?
    if case .pattern(let text) = rule {
      do {
        expression = try RegularExpression(searching: text)
      } catch {
        let place = "\(entity.name).\(attribute.name)"
        faults.append(Fault(place, "the pattern “\(text)” is not a regular expression: \(error)"))
        return
      }
    }
    let path = entity.path(to: .attribute(number))
    add(.attribute(number, rule, expression), of: entity, attribute.tag, [path])
  }

  private mutating func read(_ text: String, of entity: ResolvedEntity) {
    do {
      let filter = try ResolvedFilter(Filter(parsing: text), entity: entity.index, in: model)
      add(.condition(text, filter), of: entity, entity.tag, filter.paths)
    } catch {
      faults.append(Fault("\(entity.name).rule", "“\(text)”: \(error)"))
    }
  }
}
