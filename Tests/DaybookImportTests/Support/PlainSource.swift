#if Import

import DaybookModel

@testable import DaybookImport

/// A source in memory, whose rows a test changes between imports.
struct PlainSource: ObjectSource {
  struct Row: Equatable {
    var values: [String: SourceValue] = [:]
    /// The keys of the targets, by relationship; of a relationship and its inverse only one has them.
    var links: [String: [Int64]] = [:]
  }

  let lookup: SourceLookup
  var name = "plain"
  var identity: ObjectID? = ObjectID("11111111-2222-4333-8444-555555555555")
  /// Called before each pass over the objects of an entity; a test throws in it.
  var willRead: (String) throws -> Void = { _ in }
  /// The rows of each entity, by key.
  var rows: [String: [Int64: Row]] = [:]

  init(_ model: SourceModel) throws {
    lookup = try SourceLookup(model, origin: "the test's model")
  }

  func notes() throws -> [SourceNote] { [] }

  func objectCounts() throws -> [String: Int] { rows.mapValues(\.count) }

  func attributes(of entity: String) -> [(field: SourceField, attribute: SourceAttribute)] {
    lookup.attributes(of: entity).filter { $0.attribute.isStored && !$0.attribute.type.isComposite }
  }

  var relationships: [SourceField] {
    lookup.model.entities.flatMap { entity in entity.relationships.map { SourceField(entity.name, $0.name) } }
  }

  func forEachObject(of entity: String, _ body: (SourceObject) throws -> Void) throws {
    try willRead(entity)
    let fields = attributes(of: entity)
    for (key, row) in (rows[entity] ?? [:]).sorted(by: { $0.key < $1.key }) {
      try body(
        SourceObject(
          entity: entity, key: SourceKey(root: lookup.root(of: entity), row: key),
          values: fields.map { row.values[$0.attribute.name] ?? .null }, faults: []))
    }
  }

  func forEachLink(of field: SourceField, _ body: (SourceLink) throws -> Void) throws -> [SourceNote] {
    guard let relationship = lookup.relationship(field) else { return [] }
    for link in links(of: field, to: relationship.destination) { try body(link) }
    return []
  }

  /// Returns the rows of an entity and of its descendants.
  func allRows(of entity: String) -> [Int64: Row] {
    lookup.family(of: entity).reduce(into: [:]) { $0.merge(rows[$1] ?? [:]) { first, _ in first } }
  }

  /// Returns the links of a relationship, which it or its inverse has.
  private func links(of field: SourceField, to destination: String) -> [SourceLink] {
    if lookup.isMirrored(field) { return mutualLinks(of: field) }
    var links: [SourceLink] = []
    for (key, row) in allRows(of: field.entity).sorted(by: { $0.key < $1.key }) {
      for (place, target) in (row.links[field.name] ?? []).enumerated() {
        links.append(link(field.entity, key, destination, target, place))
      }
    }
    guard links.isEmpty, let inverse = lookup.mutualInverse(of: field) else { return links }
    for (key, row) in allRows(of: destination).sorted(by: { $0.key < $1.key }) {
      for target in row.links[inverse.field.name] ?? [] {
        links.append(link(field.entity, target, destination, key, 0))
      }
    }
    return links.sorted { a, b in a.source == b.source ? a.target < b.target : a.source < b.source }
  }

  /// Returns the links of a relationship that is its own inverse from both ends, whichever row has them.
  private func mutualLinks(of field: SourceField) -> [SourceLink] {
    var pairs: Set<[Int64]> = []
    for (key, row) in allRows(of: field.entity) {
      for target in row.links[field.name] ?? [] { pairs.formUnion([[key, target], [target, key]]) }
    }
    return pairs.sorted { $0.lexicographicallyPrecedes($1) }.map { link(field.entity, $0[0], field.entity, $0[1], 0) }
  }

  private func link(_ entity: String, _ key: Int64, _ other: String, _ target: Int64, _ place: Int) -> SourceLink {
    SourceLink(
      source: SourceKey(root: lookup.root(of: entity), row: key),
      target: SourceKey(root: lookup.root(of: other), row: target), order: Int64(place))
  }

  func objectName(_ key: SourceKey) -> String {
    if case .row(let number) = key.number { "\(key.root)/p\(number)" } else { "" }
  }

  /// Returns the identity of a row in the store.
  func id(_ entity: String, _ key: Int64) -> ObjectID {
    ObjectID(name: "\(lookup.root(of: entity))/p\(key)", in: identity ?? .zero)
  }
}

#endif
