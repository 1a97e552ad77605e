import DaybookModel

/// Describes a plan in one line: the source of the rows, the tests, and the sorting.
///
///     view Recipe(type.name, name), equal type.name = "Dessert", prefix name; filter: servings >= 4; in order
///     scan Recipe (all objects); filter: note != nil; sort: name
struct PlanText: Sendable {
  let request: ResolvedRequest
  let model: ResolvedModel
  let facts: Facts
  let candidate: Candidate
  let residual: ResolvedFilter?
  let canStopEarly: Bool

  private var entity: ResolvedEntity { model.entities[request.entity] }

  var text: String {
    var parts = [access]
    if let residual { parts.append("filter: \(residual)") }
    parts.append(order)
    if canStopEarly { parts.append("ends early") }
    return parts.joined(separator: "; ")
  }

  private var access: String {
    switch candidate.access {
    case .objects: return "scan \(entity.name) (all objects)"
    case .identities(let ids): return "get \(entity.name) by id (\(ids.count))"
    case .constraint(let number, _):
      let fields = entity.constraints[number].fields.map { name(of: entity.path(to: $0)) }
      return "unique \(entity.name)(\(fields.joined(separator: ", ")))"
    case .links(let relationship, let sources):
      let owner = model.entities[relationship.entity].name
      return
        "links \(owner).\(model[relationship].name) of \(sources.count == 1 ? "\(sources[0])" : "\(sources.count)")"
    case .view(let number, _, let direction):
      return view(entity.views[number]) + (direction == .backward ? ", backward" : "")
    }
  }

  private func view(_ view: ResolvedView) -> String {
    let terms = view.terms.map { name(of: $0.path) + ($0.isDescending ? ":desc" : "") }
    var text = "view \(entity.name)(\(terms.joined(separator: ", ")))"
    for term in view.terms.prefix(candidate.equalCount) { text += ", " + equality(of: term) }
    if candidate.narrowing != .none, candidate.equalCount < view.terms.count {
      let term = view.terms[candidate.equalCount]
      let isPrefix = facts[term.path]?.prefix != nil && term.order == .codepoint
      text += (isPrefix ? ", prefix " : ", range ") + name(of: term.path)
    }
    return text
  }

  private func equality(of term: ResolvedTerm) -> String {
    let values = facts[term.path]?.values?.list ?? []
    guard values.count == 1 else { return "equal \(name(of: term.path)) in \(values.count) values" }
    var text = "equal \(name(of: term.path)) = "
    values[0].writeLiteral(to: &text)
    return text
  }

  private var order: String {
    let order = candidate.order
    if order.isComplete { return "in order" }
    let terms = request.terms.enumerated().map { sortText(of: $1, at: $0) }
    let all = terms.isEmpty ? "id" : terms.joined(separator: ", ")
    if order.termCount == 0 { return "sort: \(all)" }
    if order.termCount == terms.count { return "in order, sort ties: id" }
    let rest = terms[order.termCount...].joined(separator: ", ")
    return "in order of \(terms[..<order.termCount].joined(separator: ", ")), sort ties: \(rest)"
  }

  private func sortText(of term: ResolvedTerm, at index: Int) -> String {
    var text = name(of: term.path)
    if index == 0, let section = request.section, section.transform != .none {
      text += "." + section.transform.rawValue
    }
    return text + (term.isDescending ? ":desc" : "")
  }

  private func name(of path: ResolvedPath) -> String {
    var names: [String] = []
    var place = request.entity
    for step in path.steps {
      names.append(model[step.relationship].name)
      place = step.target
    }
    switch path.field {
    case .attribute(let number): names.append(model.entities[place].attributes[number].name)
    case .target(let number): names.append(model.entities[place].relationships[number].name)
    case .id: names.append("id")
    case .createdAt: names.append("createdAt")
    case .changedAt: names.append("changedAt")
    case .place(let number, _): names.append("place in \(model.entities[place].relationships[number].name)")
    }
    return names.joined(separator: ".")
  }
}
