/// Groups of an entity's objects that the store keeps up to date with every commit, as it keeps an index.
///
///     GroupDeclaration("recipesByType", by: ["type.name"], show: ["count", "sum:servings"])
///
/// A request that groups all objects of the entity by the same keys, and shows none but these values, is answered from
/// the kept groups: the first of them in order of their keys in O(log *g*) for *g* groups, not in O(*n*) for *n* objects.
/// The results are the same with and without it.
public struct GroupDeclaration: Hashable, Sendable {
  /// The name, which no other groups of the entity have. The steps of a changed model and messages have it.
  public var name: String
  /// The keys, from one to four: paths over to-one relationships, as in `type.name`, each with a transform behind it if
  /// values are grouped by it, as in `createdAt.month`. Days, weeks, months and years are in UTC.
  public var keys: [String]
  /// The values: `count`, and `sum`, `average`, `min`, `max`, `distinct`, `first` and `last` of a path, as in
  /// `sum:servings`. The first and the last are in the order of the objects' ids.
  public var values: [String]

  /// Creates a declaration with these keys and values.
  public init(_ name: String, by keys: [String], show values: [String] = ["count"]) {
    self.name = name
    self.keys = keys
    self.values = values
  }
}

extension GroupDeclaration {
  /// `recipesByType by [type.name], showing [count, sum:servings]`
  package var summary: String {
    "\(name) by [\(keys.joined(separator: ", "))], showing [\(values.joined(separator: ", "))]"
  }

  /// The most groups of an entity.
  static let maximumCount = 16
  /// The most keys.
  package static let maximumKeyCount = 4
  /// The most values.
  package static let maximumValueCount = 100
}
