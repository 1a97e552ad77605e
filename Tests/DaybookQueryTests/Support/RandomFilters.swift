import DaybookTestSupport
import Foundation

@testable import DaybookModel
@testable import DaybookQuery

/// Random objects and filters over them, with many nulls and many ties.
struct Randomness {
  /// Similar strings: in case, accent, form, number, or a long prefix.
  static let strings: [String] = [
    "", "a", "A", "ab", "aB", "b", "é", "e\u{301}", "É", "file9", "file10", "file010", "a\0b", "a\u{10FFFF}", "ﬀ", "ß",
    String(repeating: "x", count: 492), String(repeating: "x", count: 600), String(repeating: "x", count: 600) + "a",
    String(repeating: "x", count: 600) + "b", "*", "a*", "?",
  ]

  static let paths: [(AttributeType, [String])] = [
    (.string, ["name", "title", "file", "type.name", "ingredients.@min.name", "ingredients.@max.name"]),
    (
      .integer,
      ["servings", "ingredientCount", "cover.year", "tags.@count", "ingredients.@sum.amount", "type.recipes.@count"]
    ),
    (.double, ["price", "ingredients.@avg.amount", "ingredients.@sum.weight", "ingredients.@max.weight"]),
    (.decimal, ["cost", "ingredients.@sum.cost", "ingredients.@min.cost"]),
    (.boolean, ["vegan"]),
    (.date, ["cookedAt", "createdAt", "changedAt"]),
    (.uuid, ["code", "id", "type", "cover", "type.id"]),
  ]

  static let manyPaths: [(AttributeType, [String])] = [
    (.string, ["ingredients.name", "tags.name", "type.recipes.name", "tags.recipes.title"]),
    (.integer, ["ingredients.amount", "tags.recipes.servings"]),
    (.double, ["ingredients.weight"]),
    (.uuid, ["tags", "ingredients", "tags.id", "tags.recipes.type"]),
  ]

  /// The paths of other entities, for conditions on related objects.
  static let otherPaths: [String: [(AttributeType, [String])]] = [
    "Ingredient": [
      (.string, ["name", "recipe.title", "recipe.type.name"]),
      (.integer, ["amount", "recipe.servings", "recipe.tags.@count"]), (.double, ["weight"]), (.decimal, ["cost"]),
      (.uuid, ["id", "recipe"]),
    ],
    "Tag": [
      (.string, ["name", "recipes.@max.name"]), (.integer, ["recipes.@count", "recipes.@sum.servings"]),
      (.uuid, ["id"]),
    ],
  ]

  static let otherManyPaths: [String: [(AttributeType, [String])]] = [
    "Ingredient": [(.string, ["recipe.tags.name", "recipe.ingredients.name"])],
    "Tag": [(.string, ["recipes.name"]), (.integer, ["recipes.servings", "recipes.ingredients.amount"])],
  ]

  /// The paths of each entity to related objects, and the entity of these.
  static let relatedPaths: [String: [(path: String, entity: String)]] = [
    "Recipe": [
      ("ingredients", "Ingredient"), ("tags", "Tag"), ("type.recipes", "Recipe"), ("tags.recipes", "Recipe"),
    ],
    "Ingredient": [("recipe.tags", "Tag"), ("recipe.ingredients", "Ingredient"), ("recipe.type.recipes", "Recipe")],
    "Tag": [("recipes", "Recipe"), ("recipes.ingredients", "Ingredient")],
  ]

  static func value(_ type: AttributeType, _ generator: inout SeededRandom) -> Value {
    switch type {
    case .string: .string(generator.pick(strings))
    case .integer: .integer(generator.pick([-1, 0, 1, 2, 3, 4, .max, .min]))
    case .double: .double(generator.pick([-1, 0, 0.1, 0.5, 1, 2.5, 3, .infinity]))
    case .decimal: .decimal(generator.pick([-1, 0, 1, 2, 3].map { Decimal($0) } + [Decimal(string: "2.5")!]))
    case .boolean: .boolean(generator.isOneIn(2))
    case .date: .date(Timestamp(microseconds: Int64(generator.number(-3..<4)) * 86_400_000_000))
    case .uuid: .uuid(ObjectID(high: 0, low: UInt64(generator.number(1..<40))))
    case .data, .codable: .data([UInt8(generator.number(0..<3))])
    }
  }

  /// Returns a world in which each value is missing with one chance in four.
  static func world(_ model: ResolvedModel = Kitchen.resolved, _ generator: inout SeededRandom) -> World {
    var world = World(model)
    var counts = ["Recipe": generator.number(1..<25)]
    for name in ["RecipeType", "Ingredient", "Tag", "Photo"] { counts[name] = generator.number(0..<6) }
    var numbers = Array(1...60).shuffled(using: &generator)
    for entity in model.entities {
      for _ in 0..<(counts[entity.name] ?? 0) {
        var values: [String: Value] = [:]
        for attribute in entity.attributes where !generator.isOneIn(4) {
          values[attribute.name] = value(attribute.type, &generator)
        }
        for name in ["createdAt", "changedAt"] { values[name] = value(.date, &generator) }
        _ = world.add(entity.name, id: ObjectID(high: 0, low: UInt64(numbers.removeLast())), values)
      }
    }
    relate(&world, &generator)
    return world
  }

  private static func relate(_ world: inout World, _ generator: inout SeededRandom) {
    let (types, photos, tags) = (world.all("RecipeType"), world.all("Photo"), world.all("Tag"))
    for recipe in world.all("Recipe") {
      if let type = types.randomElement(using: &generator), !generator.isOneIn(4) {
        world.relate(recipe.id, "type", to: type.id)
      }
      for tag in tags where generator.isOneIn(3) { world.relate(recipe.id, "tags", to: tag.id) }
      if let photo = photos.randomElement(using: &generator), world[photo.id]?.one["recipe"] == nil {
        world.relate(recipe.id, "cover", to: photo.id)
      }
    }
    let recipes = world.all("Recipe")
    for ingredient in world.all("Ingredient") where !generator.isOneIn(5) {
      world.relate(generator.pick(recipes).id, "ingredients", to: ingredient.id)
    }
  }

  static func filter(depth: Int, of entity: String = "Recipe", _ generator: inout SeededRandom) -> Filter {
    guard depth > 0, !generator.isOneIn(3) else { return comparison(of: entity, &generator) }
    if generator.isOneIn(5) { return related(depth: depth - 1, of: entity, &generator) }
    let parts = (0..<generator.number(1..<4)).map { _ in filter(depth: depth - 1, of: entity, &generator) }
    switch generator.number(0..<7) {
    case 0: return !parts[0]
    case 1: return parts[0] && (generator.isOneIn(2) ? Filter.always : .never)
    case 2, 3: return .any(parts)
    default: return .all(parts)
    }
  }

  /// Returns a test of related objects, or of their number.
  private static func related(depth: Int, of entity: String, _ generator: inout SeededRandom) -> Filter {
    func counted() -> Filter.Operand {
      let (path, target) = generator.pick(relatedPaths[entity]!)
      return .count(path, where: filter(depth: depth, of: target, &generator))
    }
    let number = Filter.Operand.value(.integer(Int64(generator.number(0..<4))))
    switch generator.number(0..<6) {
    case 0: return Filter(counted(), generator.pick(orders), number)
    case 1: return Filter(number, generator.pick(orders), counted())
    case 2: return Filter(counted(), generator.pick(orders), counted())
    default:
      let (path, target) = generator.pick(relatedPaths[entity]!)
      let condition = filter(depth: depth, of: target, &generator)
      return Filter(generator.pick(Filter.Quantifier.allCases), of: path, where: condition)
    }
  }

  static func comparison(of entity: String = "Recipe", _ generator: inout SeededRandom) -> Filter {
    let isMany = generator.isOneIn(4)
    let (type, paths) = generator.pick(
      isMany ? otherManyPaths[entity] ?? manyPaths : otherPaths[entity] ?? self.paths)
    let path = Filter.Operand.path(generator.pick(paths))
    let quantifier = isMany ? generator.pick(Filter.Quantifier.allCases) : nil
    func literal() -> Value { generator.isOneIn(6) ? .null : value(type, &generator) }
    if type == .string, generator.isOneIn(2) {
      let operation = generator.pick([.beginsWith, .endsWith, .contains, .like] as [Filter.Operator])
      let options = Filter.Options(rawValue: generator.isOneIn(2) ? 0 : generator.number(0..<4))
      return Filter(path, operation, .value(value(.string, &generator)), options: options, quantifier: quantifier)
    }
    switch generator.number(0..<8) {
    case 0: return Filter(path, .between, .values([literal(), literal()]), quantifier: quantifier)
    case 1:
      let list = (0..<generator.number(0..<12)).map { _ in literal() }
      return Filter(path, .among, .values(list), quantifier: quantifier)
    case 2 where !isMany:
      return Filter(path, generator.pick(orders), .path(generator.pick(paths)), quantifier: quantifier)
    case 3 where type != .string: return Filter(.value(literal()), generator.pick(orders), path, quantifier: quantifier)
    default:
      let options = Filter.Options(rawValue: type == .string && generator.isOneIn(3) ? generator.number(0..<4) : 0)
      let operation = options.isEmpty ? generator.pick(orders) : generator.pick([.equal, .notEqual])
      return Filter(path, operation, .value(literal()), options: options, quantifier: quantifier)
    }
  }

  /// Returns a test that narrows a path, often to one value.
  static func narrowing(_ path: [String], _ model: ResolvedModel, _ generator: inout SeededRandom) -> Filter {
    let resolved = try? PathFinder(model: model, entity: 0).path(path)  // Indexes use names of the model.
    let type = resolved?.type ?? .string
    let operand = Filter.Operand.path(path.joined(separator: "."))
    func literal() -> Value { generator.isOneIn(8) ? .null : value(type, &generator) }
    let one = literal()
    switch generator.number(0..<8) {
    case 0, 1: return Filter(operand, .equal, .value(one))
    case 2: return Filter(operand, .among, .values([one]))
    case 3: return Filter(operand, .among, .values([one, literal(), one]))
    case 4: return Filter(operand, .between, .values([one, one]))
    case 5: return Filter(operand, .between, .values([one, literal()]))
    case 6 where type == .string:
      return Filter(operand, .beginsWith, .value(.string(generator.pick(["", "a", "A", "x", "file", "e"]))))
    default: return Filter(operand, generator.pick(orders), .value(one))
    }
  }

  private static let orders: [Filter.Operator] = [
    .equal, .equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]
}
