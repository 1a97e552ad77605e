import DaybookEngine
import DaybookModel

/// The fields of structs that repeat what their entities inherit.
enum InheritedFields {
  /// Removes the fields that an ancestor has too.
  ///
  /// - Throws: `StoreError` with the code `badModel` for a field that differs from the ancestor's in its type, in whether
  ///   it is optional, or in where it leads.
  static func remove(from model: inout Model) throws {
    let declared = model
    for (number, entity) in declared.entities.enumerated() {
      for ancestor in declared.lineage(of: entity.name).dropLast() {
        try remove(fieldsOf: ancestor, from: &model.entities[number])
      }
    }
  }

  private static func remove(fieldsOf ancestor: Entity, from entity: inout Entity) throws {
    for field in ancestor.attributes {
      guard let index = entity.attributes.firstIndex(where: { $0.name == field.name }) else { continue }
      let own = entity.attributes.remove(at: index)
      guard own.type == field.type, own.isOptional == field.isOptional, own.derivation == field.derivation else {
        throw mismatch(entity, own.name, ancestor)
      }
    }
    for field in ancestor.relationships {
      guard let index = entity.relationships.firstIndex(where: { $0.name == field.name }) else { continue }
      let own = entity.relationships.remove(at: index)
      guard own.target == field.target, own.isMany == field.isMany, own.isOptional == field.isOptional else {
        throw mismatch(entity, own.name, ancestor)
      }
    }
    if entity.nameAttribute == ancestor.nameAttribute { entity.nameAttribute = nil }
  }

  private static func mismatch(_ entity: Entity, _ name: String, _ ancestor: Entity) -> StoreError {
    StoreError(
      .badModel, "\(entity.name).\(name) is not what \(entity.name) inherits from \(ancestor.name).",
      advice: "Declare it as \(ancestor.name) does, or under another name.")
  }
}
