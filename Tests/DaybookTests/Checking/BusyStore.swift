import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Creates stores with some of everything.
///
/// They have all kinds of events, links and views, commits of several chunks, a large value, commit ids, deleted objects, and a second
/// model.
enum BusyStore {
  static let model = Model(entities: [
    Entity(
      name: "Recipe", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string, order: .natural),
        Attribute(name: "servings", type: .integer, defaultValue: 1),
        Attribute(name: "price", type: .decimal, isOptional: true),
        Attribute(name: "picture", type: .data, isOptional: true),
        Attribute(name: "count", type: nil, derivation: .count(relationship: "ingredients")),
        Attribute(name: "weight", type: nil, derivation: .sum(relationship: "ingredients", attribute: "grams")),
      ],
      relationships: [
        Relationship(name: "kind", target: "Kind", inverse: "recipes", isOptional: true),
        Relationship(
          name: "ingredients", target: "Ingredient", inverse: "recipe", isMany: true, isOrdered: true,
          deleteRule: .cascade),
        Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true, isOrdered: true),
        Relationship(name: "cover", target: "Cover", inverse: "recipe", isOptional: true),
      ],
      unique: [["name"]],
      indexes: [
        Index([.init(path: ["kind", "name"]), .init(path: ["name"])]), Index([.init(path: ["changedAt"], .descending)]),
      ]),
    Entity(
      name: "Kind", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "kind", isMany: true)]),
    Entity(
      name: "Ingredient", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "grams", type: .double, isOptional: true),
      ],
      relationships: [Relationship(name: "recipe", target: "Recipe", inverse: "ingredients", isOptional: true)]),
    Entity(
      name: "Tag", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "tags", isMany: true)]),
    Entity(
      name: "Cover", attributes: [Attribute(name: "at", type: .date, isOptional: true)],
      relationships: [Relationship(name: "recipe", target: "Recipe", inverse: "cover", isOptional: true)]),
  ])

  /// The model with an additional attribute and index.
  static var laterModel: Model {
    var model = model
    model.entities[0].attributes.append(Attribute(name: "stars", type: .integer, defaultValue: 3))
    model.entities[0].indexes.append(Index([.init(path: ["stars"]), .init(path: ["name"])]))
    return model
  }

  /// Creates a store and writes to it, with the same result for the same seed.
  ///
  /// - Parameter commitCount: Commits after the model; the last ones may be with the later model.
  static func make(at path: String, seed: UInt64 = 1, commitCount: Int = 60, hasLargeCommits: Bool = true) throws {
    let store = try Store(at: path, model: model)
    defer { store.close() }
    var random = SeededRandom(seed: seed)
    var ids = Identities()
    for number in 0..<commitCount {
      if number == commitCount * 3 / 4 { try store.apply(laterModel) }
      let info = CommitInfo(
        author: number % 3 == 0 ? "author \(number)" : nil, message: number % 5 == 0 ? "message \(number)" : nil,
        happenedAt: number % 7 == 0 ? Timestamp(microseconds: Int64(number) * 1_000_000) : nil,
        commitID: number % 2 == 0 ? ObjectID(milliseconds: UInt64(number), random: (random.next(), random.next())) : nil
      )
      _ = try store.commit(info) { tx in
        for _ in 0..<random.number(1..<12) { try ids.change(tx, &random) }
        if hasLargeCommits, number == 5 {
          let picture = [UInt8](repeating: 7, count: 2_500_000)
          try tx.insert("Recipe", ["name": "large", "picture": .data(picture)])
          try tx.insert("Ingredient", ["name": .string(String(repeating: "7", count: 2_500_000))])
        }
      }
    }
  }

  /// The objects of a store.
  private struct Identities {
    var byEntity: [String: [ObjectID]] = [:]
    var count = 0

    mutating func any(_ entity: String, _ random: inout SeededRandom) -> ObjectID? {
      let ids = byEntity[entity, default: []]
      return ids.isEmpty ? nil : ids[random.number(0..<ids.count)]
    }

    mutating func insert(_ tx: borrowing Transaction, _ entity: String, _ values: [String: Value]) throws -> ObjectID {
      let id = try tx.insert(entity, values)
      byEntity[entity, default: []].append(id)
      return id
    }

    mutating func change(_ tx: borrowing Transaction, _ random: inout SeededRandom) throws {
      count += 1
      let recipe = any("Recipe", &random)
      switch random.number(0..<14) {
      case 0, 1:
        _ = try insert(tx, "Recipe", ["name": .string("recipe \(count)"), "price": .decimal(Decimal(count) / 8)])
      case 2: _ = try insert(tx, "Kind", ["name": .string("kind \(count)")])
      case 3: _ = try insert(tx, "Tag", ["name": .string("tag \(count)")])
      case 4: _ = try insert(tx, "Cover", ["at": .date(Timestamp(microseconds: Int64(count)))])
      case 5, 6:
        let id = try insert(tx, "Ingredient", ["name": .string("part \(count)"), "grams": .double(Double(count) / 3)])
        if let recipe { try tx.relate(recipe, "ingredients", to: id, at: .last) }
      case 7: if let recipe { try tx.rename(recipe, to: "renamed \(count)") }
      case 8: if let recipe { try tx.set(recipe, ["servings": .integer(Int64(count)), "price": .null]) }
      case 9: if let recipe, let kind = any("Kind", &random) { try tx.relate(recipe, "kind", to: kind) }
      case 10: if let recipe, let tag = any("Tag", &random) { try tx.relate(recipe, "tags", to: tag) }
      case 11: if let recipe, let cover = any("Cover", &random) { try tx.relate(cover, "recipe", to: recipe) }
      case 12: if let recipe, let tag = any("Tag", &random) { try tx.unrelate(tag, "recipes", from: recipe) }
      default: try delete(tx, ["Recipe", "Kind", "Tag", "Cover"][random.number(0..<4)], &random)
      }
    }

    private mutating func delete(_ tx: borrowing Transaction, _ entity: String, _ random: inout SeededRandom) throws {
      guard let id = any(entity, &random) else { return }
      if entity == "Recipe" {
        let parts = try tx.targets(of: id, "ingredients")
        byEntity["Ingredient"]?.removeAll { parts.contains($0) }
      }
      try tx.delete(id)
      byEntity[entity]?.removeAll { $0 == id }
    }
  }
}

/// Changes the rows of a closed store, without regard to their meaning.
enum RawStore {
  /// - Parameter sealing: Whether rows of the projections receive matching checksums: the change then imitates a program
  ///   that knows the format, and otherwise damage. A value is given with its checksum then.
  static func change(
    _ path: String, _ part: String, sealing: Bool = true, _ body: (inout WriteTransaction) throws -> Void
  ) throws {
    var options = EnvironmentOptions()
    if part == "projections", sealing { options.hasChecksums = TableName.hasChecksums }
    let environment = try Environment.open(at: "\(path)/\(part)", options: options)
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    try body(&transaction)
    try transaction.commit()
  }

  /// Rewrites the journal's commits with correct hashes, after `change` was applied to them.
  static func rewrite(_ path: String, _ change: (inout [PendingCommit]) throws -> Void) throws {
    let environment = try Environment.open(at: "\(path)/journal")
    defer { environment.close() }
    let tables = try StoreDirectory(path).openJournalTables(in: environment)
    var commits: [PendingCommit] = []
    try environment.withSnapshot { snapshot in
      try LMDBJournal(snapshot: snapshot, tables: tables).forEachCommit(from: 1, through: nil) { commit in
        commits.append(PendingCommit(header: commit.header, body: [UInt8](commit.body)))
        return true
      }
    }
    try change(&commits)
    var transaction = try environment.beginWrite()
    try transaction.clear(tables.journal)
    try transaction.clear(tables.commitIDs)
    var previous = Digest.zero
    for commit in commits {
      var header = commit.header
      header.previousHash = previous
      header.bodyDigest = Digest(hashing: commit.body.rawSpan)
      header.bodySize = commit.body.count
      let commit = PendingCommit(header: header, body: commit.body)
      previous = commit.hash
      try transaction.append(commit, to: tables)
    }
    try transaction.commit()
  }
}
