import Daybook
import DaybookEngine
import DaybookModel
import DaybookTestSupport

/// Several nodes of one stream, in one process.
struct ReplicationBench {
  let server: MemoryServer
  let directory: TemporaryDirectory

  static let model = Model(entities: [
    Entity(
      name: "Note",
      attributes: [Attribute(name: "text", type: .string), Attribute(name: "data", type: .data, isOptional: true)])
  ])

  init(messageSizeInBytes: Int = 1 << 20) throws {
    server = try MemoryServer(messageSizeInBytes: messageSizeInBytes)
    directory = try TemporaryDirectory()
  }

  /// Options with which nothing happens without a call.
  static func options(timeLimit: Duration = .milliseconds(200), follows: Bool = false) -> StoreOptions {
    var options = StoreOptions()
    options.replication.timeLimit = timeLimit
    options.replication.follows = follows
    options.replication.incompletePayloadTimeout = .milliseconds(100)
    return options
  }

  func create(_ name: String = "one", options: StoreOptions = options()) throws -> Store {
    try Replication.create(at: directory.path(name), model: Self.model, options: options.replicated(on: server.address))
  }

  func join(_ name: String, options: StoreOptions = options()) throws -> Store {
    try Replication.join(at: directory.path(name), options: options.replicated(on: server.address))
  }

  /// Calls a closure while a node writes before each of the first publications of another one.
  @discardableResult
  func overtake<Result>(_ count: Int, by node: Store, _ body: () throws -> Result) rethrows -> Result {
    let state = Locked((isInside: false, rest: count))
    server.beforePublishing { _ in
      let isFaster = state.withLock { state in
        // Its own publications are not overtaken.
        guard !state.isInside, state.rest > 0 else { return false }
        state = (true, state.rest - 1)
        return true
      }
      guard isFaster else { return }
      _ = try? node.note("faster")
      state.withLock { $0.isInside = false }
    }
    defer { server.beforePublishing(nil) }
    return try body()
  }

  /// Closes and verifies nodes, which must have equal journals and objects.
  func finish(_ stores: Store...) throws {
    for store in stores { try store.replication?.wait() }
    let journals = try stores.map { try $0.hashes() }
    for journal in journals.dropFirst() where journal != journals[0] { throw Mismatch("The journals differ.") }
    for store in stores { try closeAndVerify(store) }
  }
}

extension Store {
  @discardableResult
  func note(_ text: String) throws -> ObjectID {
    try write { try $0.insert("Note", ["text": .string(text)]) }
  }

  /// Calls a closure that is not asynchronous, so that the forms of calls that block are taken.
  func sync<Result>(_ body: (Store) throws -> Result) rethrows -> Result { try body(self) }

  /// The texts of all notes, sorted.
  func texts() throws -> [String] {
    try read { reader in
      try reader.fetch(Request(entity: "Note")).rows.map { "\($0["text"])" }.sorted()
    }
  }
}
