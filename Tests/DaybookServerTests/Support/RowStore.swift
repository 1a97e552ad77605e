#if Server

import Daybook
import DaybookTestSupport
import HummingbirdTesting

@testable import DaybookServer

/// A store of rows with a section, a key and a number, and random commits to it.
struct RowStore {
  static let model = Model(entities: [
    Entity(
      name: "Row", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "group", type: .string, isOptional: true),
        Attribute(name: "number", type: .integer, defaultValue: 0),
      ])
  ])

  private(set) var ids: [ObjectID] = []
  var random: SeededRandom

  init(_ random: SeededRandom) {
    self.random = random
  }

  /// Writes one commit of a few changes.
  mutating func write(to store: Store) throws {
    var (ids, random) = (ids, random)
    try store.write { tx in
      for _ in 0..<random.number(1...4) {
        switch random.number(0..<10) {
        case 0 where ids.count > 5:
          try tx.delete(ids.remove(at: random.number(0..<ids.count)))
        case 1...5 where !ids.isEmpty:
          try tx.set(
            random.pick(ids),
            ["number": .integer(Int64(random.number(0...9))), "group": .string("g\(random.number(0...3))")])
        default:
          ids.append(
            try tx.insert(
              "Row",
              ["name": .string("row \(random.number(0...999))"), "group": .string("g\(random.number(0...3))")]))
        }
      }
    }
    (self.ids, self.random) = (ids, random)
  }
}

/// Runs a server on a free port of the loopback address.
func withServer<Result: Sendable>(
  _ store: Store, _ configuration: ServerConfiguration = ServerConfiguration(),
  _ body: @Sendable (_ port: Int, _ server: DaybookServer) async throws -> Result
) async throws -> Result {
  let server = try DaybookServer(store: store, configuration: configuration)
  return try await server.application.test(.live) { client in
    guard let port = client.port else { throw Mismatch("the server has no port") }
    return try await body(port, server)
  }
}

#endif
