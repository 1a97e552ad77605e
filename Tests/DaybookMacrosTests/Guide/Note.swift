#if Macros

import DaybookMacros

// The entity of the article about entities by hand.

struct Note {
  var text: String
  var recipe: Recipe.ID?
}

nonisolated extension Note: Storable {
  typealias ID = EntityID<Note>

  struct Fields: EntityFields {
    typealias Object = Note
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var text: Field<String> { Field(fieldPath, "text") }
    var recipe: ToOneField<Recipe> { ToOneField(fieldPath, "recipe") }
  }

  static var entity: Entity {
    get throws {
      Entity(
        name: "Note", attributes: [try Attribute("text", as: String.self)],
        relationships: [Relationship("recipe", toOne: Recipe.self, inverse: "notes", isOptional: true)])
    }
  }

  init(row: inout ObjectRow) throws {
    text = try row.value("text")
    recipe = try row.target("recipe")
  }

  func write(to values: inout ObjectValues) throws {
    try values.set("text", text)
    values.relate("recipe", to: recipe)
  }
}

#endif
