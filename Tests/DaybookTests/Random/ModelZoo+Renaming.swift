import Daybook
import DaybookTestSupport

/// A part of a model that has been renamed, found again by its present name.
struct RenamedPart {
  enum Kind: CaseIterable { case entity, attribute, relationship }

  let kind: Kind
  /// The names before and after.
  let old: String
  let new: String
}

/// Renames of parts, and of everything in the model that names them.
extension ModelZoo {
  /// Renames a random part of a model.
  ///
  /// - Returns: What was renamed, or `nil` if the model has no such part.
  static func rename(to new: String, in model: inout Model, _ random: inout SeededRandom) -> RenamedPart? {
    let kind = random.pick(RenamedPart.Kind.allCases)
    let entity = random.pick(model.entities)
    let old: String
    switch kind {
    case .entity: old = entity.name
    case .attribute: old = random.pick(entity.attributes).name
    case .relationship:
      guard !entity.relationships.isEmpty else { return nil }
      old = random.pick(entity.relationships).name
    }
    let part = RenamedPart(kind: kind, old: old, new: new)
    return rename(part, of: entity.name, in: &model) ? part : nil
  }

  /// Gives a renamed part its former name again, if the model still has it and the name is free.
  static func renameBack(_ part: RenamedPart, in model: inout Model) -> Bool {
    let back = RenamedPart(kind: part.kind, old: part.new, new: part.old)
    for entity in model.entities {
      let isIt =
        switch part.kind {
        case .entity: entity.name == part.new
        case .attribute: entity.attributes.contains { $0.name == part.new }
        case .relationship: entity.relationships.contains { $0.name == part.new }
        }
      if isIt { return rename(back, of: entity.name, in: &model) }
    }
    return false
  }

  /// Exchanges the names of two attributes, by three models.
  static func exchangeNames(in model: Model, _ random: inout SeededRandom) -> [Model] {
    let entity = random.pick(model.entities)
    guard entity.attributes.count > 1 else { return [] }
    let first = random.number(0...(entity.attributes.count - 2))
    let (a, b) = (entity.attributes[first].name, entity.attributes[first + 1].name)
    var (present, models) = (model, [Model]())
    for (old, new) in [(a, "spare"), (b, a), ("spare", b)] {
      present = present.withoutFormerNames
      guard rename(RenamedPart(kind: .attribute, old: old, new: new), of: entity.name, in: &present) else { return [] }
      models.append(present)
    }
    return models
  }

  private static func rename(_ part: RenamedPart, of name: String, in model: inout Model) -> Bool {
    let former = model
    guard let number = model.entities.firstIndex(where: { $0.name == name }) else { return false }
    switch part.kind {
    case .entity:
      guard !model.entities.contains(where: { $0.name == part.new }) else { return false }
      (model.entities[number].name, model.entities[number].renamedFrom) = (part.new, part.old)
      for index in model.events.indices where model.events[index].about == part.old {
        model.events[index].about = part.new
      }
      for entity in model.entities.indices {
        if model.entities[entity].parent == part.old { model.entities[entity].parent = part.new }
        for index in model.entities[entity].relationships.indices
        where model.entities[entity].relationships[index].target == part.old {
          model.entities[entity].relationships[index].target = part.new
        }
      }
    case .attribute:
      let names = former.entities[number].attributes.map(\.name) + former.entities[number].relationships.map(\.name)
      guard !names.contains(part.new), let index = names.firstIndex(of: part.old) else { return false }
      model.entities[number].attributes[index].name = part.new
      model.entities[number].attributes[index].renamedFrom = part.old
      if former.entities[number].nameAttribute == part.old { model.entities[number].nameAttribute = part.new }
    case .relationship:
      let entity = former.entities[number]
      guard !(entity.attributes.map(\.name) + entity.relationships.map(\.name)).contains(part.new),
        let index = entity.relationships.firstIndex(where: { $0.name == part.old })
      else { return false }
      model.entities[number].relationships[index].name = part.new
      model.entities[number].relationships[index].renamedFrom = part.old
      let relationship = entity.relationships[index]
      if relationship.target == name, relationship.inverse == part.old {
        model.entities[number].relationships[index].inverse = part.new
      }
      for other in model.entities.indices where model.entities[other].name == relationship.target {
        for index in model.entities[other].relationships.indices
        where model.entities[other].relationships[index].name == relationship.inverse {
          model.entities[other].relationships[index].inverse = part.new
        }
      }
    }
    if part.kind != .entity { renameUses(of: part, of: name, in: &model, former) }
    guard valid(model.withoutFormerNames) else {
      model = former
      return false
    }
    return true
  }

  /// Renames a field in derivations, constraints and indexes.
  private static func renameUses(of part: RenamedPart, of name: String, in model: inout Model, _ former: Model) {
    let (kinds, whole) = (former.kinds(of: name), former.whole)
    func named(_ field: String, of entity: String) -> String {
      kinds.contains(entity) && field == part.old ? part.new : field
    }
    for (number, entity) in former.entities.enumerated() {
      func target(_ relationship: String) -> String {
        whole.entities[number].relationships.first { $0.name == relationship }?.target ?? ""
      }
      for index in entity.attributes.indices {
        guard let derivation = entity.attributes[index].derivation else { continue }
        func mapped(_ relationship: String, _ attribute: String) -> (String, String) {
          (named(relationship, of: entity.name), named(attribute, of: target(relationship)))
        }
        model.entities[number].attributes[index].derivation =
          switch derivation {
          case .count(let relationship): .count(relationship: named(relationship, of: entity.name))
          case .sum(let relationship, let source):
            .sum(relationship: mapped(relationship, source).0, attribute: mapped(relationship, source).1)
          case .minimum(let relationship, let source):
            .minimum(relationship: mapped(relationship, source).0, attribute: mapped(relationship, source).1)
          case .maximum(let relationship, let source):
            .maximum(relationship: mapped(relationship, source).0, attribute: mapped(relationship, source).1)
          }
      }
      model.entities[number].unique = entity.unique.map { $0.map { named($0, of: entity.name) } }
      model.entities[number].indexes = entity.indexes.map { index in
        Index(
          index.terms.map { term in
            var (path, place) = ([String](), whole.entities[number])
            for field in term.path {
              path.append(named(field, of: place.name))
              let next = place.relationships.first { $0.name == field }?.target
              place = whole.entities.first { $0.name == next } ?? place
            }
            return SortTerm(path: path, term.direction)
          })
      }
    }
  }
}

private extension Model {
  /// Returns the names of an entity and its descendants.
  func kinds(of name: String) -> Set<String> {
    Set(entities.map(\.name).filter { lineage(of: $0).contains { $0.name == name } })
  }
}
