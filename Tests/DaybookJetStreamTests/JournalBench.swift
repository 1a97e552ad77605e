#if JetStream

import Daybook
import DaybookEngine
import DaybookModel
import DaybookTestSupport
import Foundation

/// A journal of some kind, and two writers of it.
///
/// The writers of a local journal are the same store; the writers of a replicated one are two nodes.
final class JournalBench {
  enum Kind: String, CaseIterable, CustomStringConvertible, Sendable {
    case lmdb, memoryStream, oneServer, threeServers

    var description: String { rawValue }
    /// The number of servers of NATS.
    var serverCount: Int { self == .threeServers ? 3 : self == .oneServer ? 1 : 0 }
  }

  static let model = Model(entities: [
    Entity(
      name: "Note",
      attributes: [
        Attribute(name: "text", type: .string), Attribute(name: "number", type: .integer, defaultValue: 0),
        Attribute(name: "data", type: .data, isOptional: true),
      ])
  ])

  private let kind: Kind
  private let directory: TemporaryDirectory
  private let memory: MemoryServer?
  private let servers: NATSServers?
  /// The first writer.
  private(set) var one: Store
  /// The second writer.
  private(set) var two: Store

  init(_ kind: Kind) throws {
    self.kind = kind
    directory = try TemporaryDirectory()
    memory = kind == .memoryStream ? try MemoryServer() : nil
    servers = kind.serverCount > 0 ? try NATSServers(count: kind.serverCount) : nil
    let paths = ["one", "two"].map(directory.path)
    if kind == .lmdb {
      one = try Store.create(at: paths[0], model: Self.model)
      two = one
      return
    }
    let address = try memory?.address ?? JournalAddress(parsing: servers?.address("journal") ?? "")
    one = try Replication.create(
      at: paths[0], model: Self.model, serverCount: max(kind.serverCount, 1),
      options: Self.options.replicated(on: address))
    two = try Replication.join(at: paths[1], options: Self.options.replicated(on: address))
  }

  private static var options: StoreOptions {
    var options = StoreOptions()
    options.replication.timeLimit = .seconds(30)
    return options
  }

  /// The writer with a number, of which odd ones mean the second.
  subscript(number: Int) -> Store { number.isMultiple(of: 2) ? one : two }

  /// Writes a note, and returns its identity and the position of the commit.
  @discardableResult
  func note(_ text: String, by number: Int = 0) throws -> (id: ObjectID, position: Position) {
    try self[number].write { tx in (try tx.insert("Note", ["text": .string(text)]), tx.position) }
  }

  /// Ends all stores and servers, kills the servers on the way, and opens the stores again.
  ///
  /// - Parameter withoutProjections: Whether the projections of the first writer are lost.
  func restart(withoutProjections: Bool = false) throws {
    one.close()
    two.close()
    if withoutProjections { try FileManager.default.removeItem(atPath: one.path + "/projections") }
    if let servers {
      for number in 0..<kind.serverCount { servers.stop(number) }
      for number in 0..<kind.serverCount { try servers.start(number) }
    }
    memory?.isCut = true
    memory?.isCut = false
    one = try Store(at: one.path, options: Self.options)
    two = kind == .lmdb ? one : try Store(at: two.path, options: Self.options)
  }

  /// Lets both writers take all that was written.
  func catchUp() throws {
    try one.replication?.wait()
    try two.replication?.wait()
  }

  /// Compares and verifies both journals at the end of a test.
  func finish() throws {
    try catchUp()
    guard try one.hashes() == two.hashes() else { throw Mismatch("The journals differ.") }
    try closeAndVerify(one)
    try closeAndVerify(two)
  }
}

#endif
