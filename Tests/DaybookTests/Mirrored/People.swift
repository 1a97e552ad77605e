import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// People with friends and partners, which are relationships that are their own inverses.
enum People {
  static let model = variant()

  static func variant(isPartnerOptional: Bool = true, rule: DeleteRule = .nullify) -> Model {
    Model(entities: [
      Entity(
        name: "Person", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "age", type: .integer, defaultValue: 0),
          Attribute(name: "friendCount", type: nil, derivation: .count(relationship: "friends")),
          Attribute(name: "ages", type: nil, derivation: .sum(relationship: "friends", attribute: "age")),
          Attribute(name: "youngest", type: nil, derivation: .minimum(relationship: "friends", attribute: "age")),
        ],
        relationships: [
          Relationship(name: "friends", target: "Person", inverse: "friends", isMany: true, deleteRule: rule),
          Relationship(name: "partner", target: "Person", inverse: "partner", isOptional: isPartnerOptional),
        ],
        unique: [["name"]],
        indexes: [
          Index([.init(path: ["partner", "name"]), .init(path: ["friendCount"], .descending)]),
          Index([.init(path: ["partner", "partner", "age"])]),
        ],
        groups: [GroupDeclaration("byPartner", by: ["partner.name"], show: ["count", "sum:age"])])
    ])
  }

  /// The identities of people, which rise with their numbers.
  static let ids = (0..<9).map { ObjectID(high: 7, low: UInt64($0)) }

  /// Makes a store with people who are as old as their numbers, and compares its rows with rebuilt ones afterwards.
  static func with(_ model: Model = model, count: Int = 5, _ body: (Store, [ObjectID]) throws -> Void) throws {
    try withTemporaryStore(model) { store in
      let ids = Array(ids.prefix(count))
      try store.write { try insert(ids, $0) }
      try body(store, ids)
      #expect(try store.rebuiltRows() == store.projectionRows())
    }
  }

  static func insert(_ ids: [ObjectID], _ tx: borrowing Transaction) throws {
    for id in ids {
      let age = number(id)
      try tx.insert("Person", ["name": .string("p\(age)"), "age": .integer(Int64(age))], id: id)
    }
  }

  static func number(_ id: ObjectID) -> Int { ids.firstIndex(of: id) ?? -1 }

  /// The links in the events of a commit, as `+01` for a new link that 0 owns, and `-01` for a removed one.
  static func links(_ store: Store, at position: Position) throws -> [String] {
    var log = try store.log(from: position, to: position)
    return try log.next().map { commit in
      commit.events.compactMap { (event) -> String? in
        switch event.content {
        case .related(let link): return "+\(number(event.object))\(link.to.map(number) ?? -1)"
        case .unrelated(let link): return "-\(number(event.object))\(link.from.map(number) ?? -1)"
        default: return nil
        }
      }
    } ?? []
  }

  static func request(
    _ filter: String? = nil, sort: String..., section: String? = nil
  ) throws -> Request<StoredObject> {
    Request(
      entity: "Person", filter: try filter.map { try Filter(parsing: $0) },
      sort: try sort.map { try SortTerm(parsing: $0) }, section: try section.map { try SectionKey(parsing: $0) })
  }

  static func names(_ store: Store, _ request: Request<StoredObject>) throws -> [String] {
    try store.fetch(request).rows.map { $0["name"].text }
  }

  static func targets(_ store: Store, _ id: ObjectID, _ name: String) throws -> [ObjectID] {
    try store.read { try $0.targets(of: id, name) }
  }
}
