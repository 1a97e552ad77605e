#if Import

/// The numbers of the entities in a store, from `Z_PRIMARYKEY`, and the entities that one side lacks.
package struct EntityNumbers: Hashable, Sendable {
  package private(set) var numbers: [String: Int64] = [:]
  /// The entities of the model that the store lacks.
  package private(set) var missing: [String] = []
  /// The names of the store's entities that the model lacks.
  package private(set) var extra: [String] = []
  private var names: [Int64: String] = [:]

  /// The first number of the entities of persistent history, which are not in the model.
  package static let historyStart: Int64 = 16_000

  /// Matches the entities of a model with the rows of `Z_PRIMARYKEY`.
  ///
  /// After a migration in place, a row can have the former name of an entity, which is then the model's renaming
  /// identifier. Where a former name is the name of another entity, names alone are ambiguous, so the order decides:
  /// Core Data numbers entities by name, each straight before its subentities.
  package init(_ lookup: SourceLookup, rows: [(number: Int64, name: String)]) {
    let rows = rows.filter { $0.number < EntityNumbers.historyStart }
    let ordered = EntityNumbers.order(of: lookup)
    let sorted = rows.sorted { $0.number < $1.number }
    let isInOrder =
      ordered.count == sorted.count
      && zip(ordered, sorted).allSatisfy { $0.name == $1.name || $0.renamingIdentifier == $1.name }
    if isInOrder {
      for (entity, row) in zip(ordered, sorted) { numbers[entity.name] = row.number }
    } else {
      match(lookup, rows)
    }
    for (name, number) in numbers { names[number] = name }
    missing = lookup.model.entities.map(\.name).filter { numbers[$0] == nil }
    let taken = Set(numbers.values)
    extra = sorted.filter { !taken.contains($0.number) }.map(\.name)
  }

  private mutating func match(_ lookup: SourceLookup, _ rows: [(number: Int64, name: String)]) {
    let byName = Dictionary(rows.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<Int64> = []
    for entity in lookup.model.entities {
      guard let number = byName[entity.name] else { continue }
      numbers[entity.name] = number
      taken.insert(number)
    }
    for entity in lookup.model.entities where numbers[entity.name] == nil {
      guard let former = entity.renamingIdentifier, let number = byName[former], !taken.contains(number) else {
        continue
      }
      numbers[entity.name] = number
      taken.insert(number)
    }
  }

  /// Returns the entities as Core Data numbers them.
  package static func order(of lookup: SourceLookup) -> [SourceEntity] {
    var children: [String: [SourceEntity]] = [:]
    for entity in lookup.model.entities { children[entity.parent ?? "", default: []].append(entity) }
    for (parent, list) in children { children[parent] = list.sorted { CompiledModelReader.precedes($0.name, $1.name) } }
    var (ordered, waiting): ([SourceEntity], [SourceEntity]) = ([], (children[""] ?? []).reversed())
    while let entity = waiting.popLast() {
      ordered.append(entity)
      waiting += (children[entity.name] ?? []).reversed()
    }
    return ordered
  }

  /// Returns the entity with a number, or `nil` for a number that the model lacks.
  package func entity(_ number: Int64) -> String? { names[number] }

  /// Returns the number of an entity, or `nil` if the store lacks it.
  package subscript(_ entity: String) -> Int64? { numbers[entity] }
}

#endif
