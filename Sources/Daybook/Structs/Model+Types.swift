import DaybookEngine
import DaybookModel

extension Model {
  /// Makes the model that structs describe.
  ///
  ///     let model = try Model(Recipe.self, RecipeType.self, Ingredient.self)
  ///     let store = try Store(at: "recipes.daybook", model: model)
  ///
  /// The entities are in the order given, which is their order in a model file as well. Structs that are named events
  /// follow them:
  ///
  ///     let model = try Model(Recipe.self, RecipeType.self, events: RecipeCooked.self)
  ///
  /// If an entity omits an inverse, it is the relationship of the other entity that names this one; otherwise the only
  /// relationship there that leads back and has no inverse yet. If there is none, the relationship is one-way.
  ///
  /// The struct of an entity with a parent repeats the fields that the entity inherits; the model has them at the parent
  /// alone.
  ///
  /// - Throws: `StoreError`: `badValue` for a default that cannot be stored, `badModel` if the inverse of a
  ///   relationship is ambiguous. Other faults of the model are found when it is used for a store.
  public init(_ types: any Storable.Type..., events: any Recordable.Type...) throws {
    try self.init(types, events: events)
  }

  /// Makes the model that a list of structs describes.
  public init(_ types: [any Storable.Type], events: [any Recordable.Type] = []) throws {
    self.init(entities: try types.map { try $0.entity }, events: try events.map { try $0.eventType })
    try InheritedFields.remove(from: &self)
    try InverseFinder.complete(&self)
  }
}

/// Determines the inverses that a model's entities omit.
private enum InverseFinder {
  static func complete(_ model: inout Model) throws {
    for entity in model.entities.indices {
      for number in model.entities[entity].relationships.indices {
        let relationship = model.entities[entity].relationships[number]
        guard relationship.inverse.isEmpty else { continue }
        let name = try inverse(of: relationship, from: model.entities[entity].name, in: model)
        guard let name else { continue }
        model.entities[entity].relationships[number].inverse = name
      }
    }
  }

  private static func inverse(of relationship: Relationship, from entity: String, in model: Model) throws -> String? {
    guard let target = model.entities.first(where: { $0.name == relationship.target }) else {
      throw StoreError(
        .badModel, "\(entity).\(relationship.name) leads to \(relationship.target), which is not in the model.",
        advice: "Give its type to the model as well.")
    }
    let back = target.relationships.filter {
      $0.target == entity && !(target.name == entity && $0.name == relationship.name)
    }
    let named = back.filter { $0.inverse == relationship.name }
    let candidates = named.isEmpty ? back.filter(\.inverse.isEmpty) : named
    guard candidates.count < 2 else {
      throw StoreError(
        .badModel,
        "The inverse of \(entity).\(relationship.name) in \(target.name) could be "
          + candidates.map(\.name).joined(separator: " or ") + ".",
        advice: "Choose one with “inverse:”.")
    }
    return candidates.first?.name
  }
}
