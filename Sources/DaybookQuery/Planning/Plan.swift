import DaybookModel

/// A plan for answering a request: the source of the rows, the tests, and the order.
///
/// An executor reads the rows of ``access`` in its order, drops the rows that do not meet ``residual``, passes them
/// through a ``RunSorter``, and applies the request's window. Each row of ``access`` is an object of the request's
/// entity, and comes once.
package struct Plan: Sendable {
  package enum Access: Sendable {
    /// All objects of the entity, by ascending id.
    case objects
    /// The objects of the entity among these, by ascending id, without duplicates.
    case identities([ObjectID])
    /// The object, if any, with these values in the fields of a constraint; none is null.
    case constraint(number: Int, values: [Value])
    /// The objects at the other end of a relationship of another entity, from each source.
    ///
    /// A source need not exist; no object comes from two.
    case links(relationship: RelationshipReference, sources: [ObjectID])
    /// The rows of the entity's index with this number, in these ranges of its keys.
    ///
    /// The ranges ascend and do not touch; backward, the last comes first, each from its end.
    case index(number: Int, ranges: [KeyRange], direction: Direction)
  }

  package enum Direction: Sendable { case forward, backward }

  package let access: Access
  /// The filter that a row must still meet, or `nil` for none.
  package let residual: ResolvedFilter?
  /// The number of the request's terms by which the rows are sorted.
  ///
  /// Rows that tie in these come in any order. Even with all terms the rows may be unordered: ids may still descend.
  package let orderedTermCount: Int
  /// Whether rows come in the request's order, including ids.
  ///
  /// Rows of one cut key and of the empty section are the exceptions.
  package let isOrdered: Bool
  /// Whether rows with a null section value must be sorted among themselves.
  ///
  /// An index has null and the empty string one after the other, and for the request they are one section.
  package let sortsEmptySection: Bool
  /// Whether reading can end as soon as the window is full.
  package let canStopEarly: Bool
  /// The text, formatted only on demand: each fetch creates a plan, and few are shown.
  let text: PlanText

  /// The line that `--explain` prints.
  package var explanation: String { text.text }
}

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
    case .index(let number, _, let direction):
      return index(entity.indexes[number]) + (direction == .backward ? ", backward" : "")
    }
  }

  private func index(_ index: ResolvedIndex) -> String {
    let terms = index.terms.map { name(of: $0.path) + ($0.isDescending ? ":desc" : "") }
    // The command prints this text, in which an index was called a view from the beginning.
    var text = "view \(entity.name)(\(terms.joined(separator: ", ")))"
    for term in index.terms.prefix(candidate.equalCount) { text += ", " + equality(of: term) }
    if candidate.narrowing != .none, candidate.equalCount < index.terms.count {
      let term = index.terms[candidate.equalCount]
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
