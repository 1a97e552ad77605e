import DaybookTestSupport
import Testing

@testable import DaybookModel

/// Chains of random models: tags and numbers keep their meaning over all changes.
@Suite(.hangLimit) struct RandomEvolutionTests {
  @Test func numbersAndTagsKeepTheirMeaning() throws {
    var random = SeededRandom(seed: Seeds.one)
    let roundCount = Rounds.of(150)
    var changeCount = 0
    for _ in 0..<roundCount {
      var resolved = try ResolvedModel(creating: randomModel(using: &random))
      for _ in 0..<12 {
        let next = randomModel(using: &random)
        guard let change = try? resolved.evolved(to: next) else { continue }
        if change.isEmpty {
          #expect(sorted(resolved.model) == sorted(next), "seed \(random.seed)")
          continue
        }
        changeCount += 1
        check(resolved, change, seed: random.seed)
        #expect(sorted(change.model.model) == sorted(next), "seed \(random.seed)")
        #expect(try change.model.evolved(to: next).isEmpty, "seed \(random.seed)")
        resolved = try ResolvedModel(stored: JSONValue(parsing: change.model.storedJSON.text))
        #expect(resolved.summary == change.model.summary, "seed \(random.seed)")
      }
    }
    #expect(changeCount > roundCount * 4 / 3)
  }

  private func check(_ before: ResolvedModel, _ change: ModelChange, seed: UInt64) {
    let after = change.model
    #expect(after.checkInvariants() == [], "seed \(seed)")
    #expect(after.nextTag >= before.nextTag)
    for (old, new) in zip(before.entities, after.entities) {
      #expect(old.tag == new.tag && (!old.isRetired || new.isRetired), "seed \(seed)")
      for (old, new) in zip(old.attributes, new.attributes) {
        #expect(old.tag == new.tag && old.name == new.name && old.type == new.type, "seed \(seed)")
        #expect(old.valueWhenMissing == new.valueWhenMissing && (!old.isRetired || new.isRetired), "seed \(seed)")
        #expect(old.derivation == new.derivation, "seed \(seed)")
      }
      for (old, new) in zip(old.relationships, new.relationships) {
        #expect(old.tag == new.tag && old.name == new.name && old.target == new.target, "seed \(seed)")
        #expect(old.inverse == new.inverse && old.isOwner == new.isOwner && old.isMany == new.isMany, "seed \(seed)")
      }
      #expect(old.attributes.count <= new.attributes.count && old.relationships.count <= new.relationships.count)
    }
    #expect(before.entities.count <= after.entities.count)
    // An index that keeps its tag keeps its terms; removed indexes are listed.
    let oldIndexes = Dictionary(uniqueKeysWithValues: before.entities.flatMap { $0.indexes.map { ($0.tag, $0.terms) } })
    let newIndexes = Dictionary(uniqueKeysWithValues: after.entities.flatMap { $0.indexes.map { ($0.tag, $0.terms) } })
    for (tag, terms) in newIndexes { #expect(oldIndexes[tag] == terms || oldIndexes[tag] == nil, "seed \(seed)") }
    #expect(Set(change.removedIndexTags) == Set(oldIndexes.keys).subtracting(newIndexes.keys), "seed \(seed)")
    let added = Set(change.newIndexes.map { after.entities[$0.entity].indexes[$0.index].tag })
    #expect(added == Set(newIndexes.keys).subtracting(oldIndexes.keys), "seed \(seed)")
  }

  /// Returns the text of a model with its declarations sorted, to ignore their order.
  private func sorted(_ model: Model) -> String {
    var model = model
    model.entities.sort { $0.name < $1.name }
    for entity in model.entities.indices {
      model.entities[entity].attributes.sort { $0.name < $1.name }
      model.entities[entity].relationships.sort { $0.name < $1.name }
      model.entities[entity].indexes.sort { $0.summary < $1.summary }
      model.entities[entity].unique.sort { $0.joined() < $1.joined() }
    }
    return model.json.text
  }

  /// Returns a random valid model from a few names, so that two models share many parts.
  private func randomModel(using random: inout SeededRandom) -> Model {
    var model = Model(entities: [])
    for name in ["A", "B", "C"] where !random.isOneIn(5) {
      var entity = Entity(name: name)
      for name in ["p", "q", "r"] where !random.isOneIn(4) {
        // A name nearly always has the same type, so that most changes are possible.
        let type: AttributeType = random.isOneIn(30) ? .date : name == "p" ? .string : .integer
        entity.attributes.append(
          Attribute(
            name: name, type: type, isOptional: random.isOneIn(2),
            defaultValue: type == .string
              ? "x"
              : type == .date ? .date(Timestamp(microseconds: 1)) : .integer(Int64.random(in: 0..<3, using: &random)),
            order: type == .string && random.isOneIn(3) ? .natural : .codepoint))
      }
      model.entities.append(entity)
    }
    addRelationships(to: &model, using: &random)
    addIndexes(to: &model, using: &random)
    model.entities.shuffle(using: &random)
    return model
  }

  private func addRelationships(to model: inout Model, using random: inout SeededRandom) {
    for (number, pair) in [("A", "B"), ("A", "C"), ("B", "B")].enumerated() where !random.isOneIn(3) {
      guard let first = model.entities.firstIndex(where: { $0.name == pair.0 }),
        let second = model.entities.firstIndex(where: { $0.name == pair.1 })
      else { continue }
      model.entities[first].relationships.append(
        Relationship(
          name: "to\(number)", target: pair.1, inverse: "from\(number)", isMany: number == 2, isOptional: number != 2,
          deleteRule: random.isOneIn(4) ? .cascade : .nullify))
      model.entities[second].relationships.append(
        Relationship(
          name: "from\(number)", target: pair.0, inverse: "to\(number)", isMany: true, isOrdered: number == 1))
    }
    for (number, name) in ["A", "C"].enumerated() where !random.isOneIn(3) {
      guard let entity = model.entities.firstIndex(where: { $0.name == name }) else { continue }
      model.entities[entity].relationships.append(
        Relationship(
          name: "mutual", target: name, inverse: "mutual", isMany: number == 0, isOptional: number != 0,
          deleteRule: random.isOneIn(4) ? .cascade : .nullify))
    }
  }

  private func addIndexes(to model: inout Model, using random: inout SeededRandom) {
    for number in model.entities.indices {
      let entity = model.entities[number]
      let names = entity.attributes.map(\.name)
      for relationship in entity.relationships where relationship.isMany && random.isOneIn(2) {
        model.entities[number].attributes.append(
          Attribute(name: "n_\(relationship.name)", type: nil, derivation: .count(relationship: relationship.name)))
        let target = model.entities.first { $0.name == relationship.target }!
        guard let source = target.attributes.filter({ $0.derivation == nil }).randomElement(using: &random) else {
          continue
        }
        model.entities[number].attributes.append(
          Attribute(
            name: "max_\(relationship.name)", type: nil,
            derivation: .maximum(relationship: relationship.name, attribute: source.name)))
      }
      var indexes = model.entities[number].attributes.map {
        Index([.init(path: [$0.name], SortDirection(isDescending: random.isOneIn(2)))])
      }
      indexes += entity.relationships.filter { !$0.isMany }.map {
        Index([.init(path: [$0.name]), .init(path: [$0.name, "createdAt"])])
      }
      model.entities[number].indexes = indexes.filter { _ in random.isOneIn(2) }
      model.entities[number].unique = names.map { [$0] }.filter { _ in random.isOneIn(3) }
    }
  }
}
