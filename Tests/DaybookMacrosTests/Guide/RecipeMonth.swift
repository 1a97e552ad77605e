#if Macros

import DaybookMacros

// The derived entity of the article about entities by hand.

struct RecipeMonth {
  var type: RecipeType.ID
  var month: String
  var recipes = 0
  var last: Timestamp?
}

nonisolated extension RecipeMonth: Derivable {
  typealias ID = EntityID<RecipeMonth>

  struct Fields: EntityFields {
    typealias Object = RecipeMonth
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var type: ToOneField<RecipeType> { ToOneField(fieldPath, "type") }
    var month: Field<String> { Field(fieldPath, "month") }
    var recipes: Field<Int> { Field(fieldPath, "recipes") }
    var last: Field<Timestamp?> { Field(fieldPath, "last") }
  }

  static var entity: DerivedEntity {
    get throws {
      DerivedEntity(
        Entity(
          name: "RecipeMonth",
          attributes: [
            try Attribute("month", as: String.self), try Attribute("recipes", as: Int.self, default: 0),
            try Attribute("last", as: Timestamp?.self),
          ],
          relationships: [Relationship("type", toOne: RecipeType.self, isOptional: false)]),
        key: ["type", "month"])
    }
  }

  static func key(type: RecipeType.ID, month: String) -> EntityKey<RecipeMonth> { EntityKey(type, month) }

  init(row: inout ObjectRow) throws {
    type = try row.target("type")
    month = try row.value("month")
    recipes = try row.value("recipes")
    last = try row.value("last")
  }

  func write(to values: inout ObjectValues) throws {
    values.relate("type", to: type)
    try values.set("month", month)
    try values.set("recipes", recipes)
    try values.set("last", last)
  }
}

#endif
