#if Import

import DaybookModel

/// The objects and links of a source: a file of Core Data, or the tables of a database.
///
///     for entity in source.lookup.model.entities {
///       try source.forEachObject(of: entity.name) { object in try insert(object) }
///     }
///     for field in source.relationships {
///       notes += try source.forEachLink(of: field) { link in try relate(link) }
///     }
///
/// Objects and links are read as a stream, so the memory does not grow with the source. Every call reads the same state,
/// and a call inside the closure of another one is allowed. The source is never changed.
package protocol ObjectSource {
  /// The file, for messages.
  var name: String { get }

  /// The model of the stored rows, which can be an older version than the one that an import creates.
  var lookup: SourceLookup { get }

  /// The identity of the source, from which the identities of objects follow; `nil` without one.
  var identity: ObjectID? { get }

  /// What does not fit the model, found without reading rows.
  func notes() throws -> [SourceNote]

  /// The number of objects of exactly each entity; an entity without a table has none.
  func objectCounts() throws -> [String: Int]

  /// The stored attributes of an entity's objects, inherited ones first.
  func attributes(of entity: String) -> [(field: SourceField, attribute: SourceAttribute)]

  /// The stored relationships, in the order of declaration.
  ///
  /// A relationship and its inverse are both in it, and have the same links in opposite directions.
  var relationships: [SourceField] { get }

  /// Calls `body` with each object of exactly an entity, in the order of their keys.
  func forEachObject(of entity: String, _ body: (SourceObject) throws -> Void) throws

  /// Calls `body` with each link of a relationship, sorted by source, then by order key, then by target.
  ///
  /// Links without an order key are after the others. A link of a relationship that is its own inverse comes once from
  /// each of its objects, and once from an object that it links with itself.
  ///
  /// - Returns: The links that are not read, or whose order is not certain.
  func forEachLink(of relationship: SourceField, _ body: (SourceLink) throws -> Void) throws -> [SourceNote]

  /// Returns the name of an object from which its identity is computed, such as `Recipe/p7`.
  func objectName(_ key: SourceKey) -> String
}

#endif
