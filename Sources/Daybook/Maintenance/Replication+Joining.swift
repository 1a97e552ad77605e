import DaybookEngine
import DaybookModel
import DaybookRuntime
import Foundation

extension Replication {
  /// Creates a store whose journal is replicated, and opens it: the first node of its stream.
  ///
  ///     var options = StoreOptions()
  ///     options.journal = .jetStream(
  ///       try JournalAddress(parsing: "nats://one.example,two.example,three.example/kitchen"))
  ///     let store = try Replication.create(at: "kitchen.daybook", model: recipes, serverCount: 3, options: options)
  ///
  /// When this returns, the stream has the identity and the model of the store, and other nodes can join it.
  ///
  /// - Parameters:
  ///   - path: A directory that does not exist.
  ///   - model: The model of the store.
  ///   - serverCount: The number of servers that keep each message: 1, 3 or 5.
  ///   - options: The options of the store, with the address of the stream.
  /// - Throws: `StoreError`: `exists` if there is something at the path, or the stream holds a store already; the errors of
  ///   creating a store; `unavailable`; `badRequest` for a stream that could lose messages, and for options without an
  ///   address; `readOnly` for an address of another kind of servers.
  public static func create(
    at path: String, model: Model, serverCount: Int = 1, options: StoreOptions
  ) throws -> Store {
    let address = try options.requireAddress()
    return try joining(path, address, options) { stream in
      let state = try stream.prepared(serverCount: serverCount, options.replication.timeLimit)
      guard state.lastSequence == 0 else { throw StoreError.occupied(address) }
      let store = try Store.create(at: path, model: model, options: options.local)
      store.close()
    }
  }

  /// Makes an existing store the first node of a stream, publishes its commits, and opens it.
  ///
  ///     let store = try Replication.begin(at: "kitchen.daybook", serverCount: 3, options: options)
  ///
  /// The commits keep their positions, hashes and times. If the servers are lost on the way, the store is a node already:
  /// it publishes the rest when it is opened again.
  ///
  /// - Parameters:
  ///   - path: A store that no process has open.
  ///   - serverCount: The number of servers that keep each message: 1, 3 or 5.
  ///   - options: The options of the store, with the address of the stream.
  /// - Throws: `StoreError`: `exists` if the store is a node already, or the stream holds a store; `busy` if a process has
  ///   the store open; `tooLarge` if its first model is larger than a message; the errors of opening a store;
  ///   `unavailable`; `badRequest`; `readOnly`.
  /// - Complexity: O(*n*) for *n* bytes of the journal, which are read and published.
  public static func begin(
    at path: String, serverCount: Int = 1, options: StoreOptions
  ) throws -> Store {
    let address = try options.requireAddress()
    let directory = StoreDirectory(path)
    return try reaching(address, for: path, options) { stream in
      let store = try Store(at: path, options: options)
      store.close()
      // Before a stream is made that nothing would use.
      guard store.replication == nil else { throw JournalFile.presence(in: directory) }
      let state = try stream.prepared(serverCount: serverCount, options.replication.timeLimit)
      guard state.lastSequence == 0 else { throw StoreError.occupied(address) }
      let file = JournalFile(address: address, node: .random())
      try directory.whileUnused { try file.write(in: directory) }
      do {
        return try opened(at: path, options)
      } catch {
        // Another node may have begun the stream, or the servers refuse the first commit: then this store stays as it was.
        if try !stream.mayBelong(to: store.id, options.replication.timeLimit) { try file.remove(from: directory) }
        throw error
      }
    }
  }

  /// Makes a store that is another node of a stream, and opens it with all commits that the stream has.
  ///
  /// - Parameters:
  ///   - path: A directory that does not exist.
  ///   - backup: A backup of a node, so that only the commits after it are read one by one; `nil` reads the whole stream.
  ///   - options: The options of the store, with the address of the stream.
  /// - Throws: `StoreError`: `exists`; `notFound` if the stream has no store; `conflict` if the backup is of another store,
  ///   or has other commits than the stream; the errors of restoring; `unavailable`; `badRequest`; `readOnly`.
  public static func join(
    at path: String, fromBackup backup: String? = nil, options: StoreOptions
  ) throws -> Store {
    let address = try options.requireAddress()
    return try joining(path, address, options) { stream in
      guard let first = try stream.firstMessage(options.replication.timeLimit),
        case .identity(let id, let payload)? = try? StreamContent(first)
      else {
        throw StoreError(
          .notFound, "The stream \(address) has no store.", advice: .createInStream)
      }
      if let backup {
        try Store.restore(backup, to: path, options: options)
      } else {
        guard let commit = try? StreamPayload.commits(in: payload).first, commit.header.isModel else {
          throw StoreError(.damaged, "The first message of \(address) is damaged.")
        }
        try StoreDirectory(path).create { try $0.fill(id: id, first: commit, options) }
      }
    }
  }

  /// Makes a forked node follow its stream again: removes the commits from the first position at which both differ.
  ///
  /// Save these commits first: nothing else has them. Subscriptions behind that position go back to the last common commit.
  ///
  /// - Parameters:
  ///   - path: The store, which no process may have open.
  ///   - options: The options for its journal.
  /// - Returns: The last commit that was kept.
  /// - Throws: `StoreError`: `badRequest` if the node is not forked; `busy` if a process has the store open; `conflict` if
  ///   the stream belongs to another store; `full`, `inputOutput`, `notFound`, `notAStore`.
  /// - Complexity: O(*n*) for *n* bytes of the journal, which is copied.
  @discardableResult
  public static func resolve(at path: String, options: StoreOptions = StoreOptions()) throws -> Position {
    do {
      let directory = StoreDirectory(path)
      try directory.check(options)
      return try ForkResolution(directory, options: options).keepStream()
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a store, and then makes it a node of a stream.
  ///
  /// If anything fails, nothing is left at the path.
  private static func joining(
    _ path: String, _ address: JournalAddress, _ options: StoreOptions, _ make: (any CommitStream) throws -> Void
  ) throws -> Store {
    guard try !StoreDirectory(path).exists else {
      throw StoreError(.exists, "There is something at \(path) already.", advice: "Choose another path.")
    }
    return try reaching(address, for: path, options) { stream in
      try make(stream)
      do {
        try JournalFile(address: address, node: .random()).write(in: StoreDirectory(path))
        return try opened(at: path, options)
      } catch {
        try StoreDirectory(path).remove()
        throw error
      }
    }
  }

  /// Calls a closure with a connection to the stream of an address.
  private static func reaching<Result>(
    _ address: JournalAddress, for path: String, _ options: StoreOptions,
    _ body: (any CommitStream) throws -> Result
  ) throws -> Result {
    guard let stream = options.stream(at: address) else { throw StoreError(unreachableJournalOf: path) }
    defer { stream.close() }
    do {
      return try body(stream)
    } catch let error as StreamUnavailable {
      throw StoreError(unavailable: address, error.reason)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Opens a new node, and takes all commits of the stream.
  private static func opened(at path: String, _ options: StoreOptions) throws -> Store {
    let store = try Store(at: path, options: options)
    do {
      guard let replicator = store.services.replicator else { throw StoreError(unreachableJournalOf: path) }
      try replicator.catchUp()
      return store
    } catch {
      store.close()
      throw error
    }
  }
}

private extension StoreOptions {
  /// - Throws: `StoreError` with the code `badRequest` if they have no address of a stream.
  func requireAddress() throws -> JournalAddress {
    if let address = journal?.address { return address }
    throw StoreError(
      .badRequest, "The options of the store have no address of a stream.",
      advice: "Set `StoreOptions.journal` to `.jetStream(address)`.")
  }

  /// These options for a store that is made before its journal is replicated.
  var local: StoreOptions {
    var options = self
    options.projections = []
    return options
  }
}

private extension CommitStream {
  /// How long one request is awaited: servers that elect a leader leave some requests without an answer.
  private static var requestTime: Duration { .seconds(2) }

  /// Creates the stream unless it exists, and returns its state; waits for the servers.
  func prepared(serverCount: Int, _ limit: Duration) throws -> StreamState {
    try repeating(limit) { limit in
      try create(serverCount: serverCount, waiting: limit)
      return try state(waiting: limit)
    }
  }

  /// Returns the first message, or `nil` if the stream has none; waits for the servers.
  func firstMessage(_ limit: Duration) throws -> [UInt8]? {
    try repeating(limit) { limit in
      _ = try state(waiting: limit)
      return try message(at: 1, waiting: limit)
    }
  }

  /// Whether the stream holds a store, or that cannot be found out now.
  func mayBelong(to store: ObjectID, _ limit: Duration) throws -> Bool {
    let bytes: [UInt8]?
    do {
      bytes = try firstMessage(limit)
    } catch is StreamUnavailable {
      return true
    }
    guard let bytes, case .identity(store, _)? = try? StreamContent(bytes) else { return false }
    return true
  }

  private func repeating<Result>(_ limit: Duration, _ body: (Duration) throws -> Result) throws -> Result {
    let deadline = ContinuousClock.now + limit
    while true {
      do {
        return try body(min(limit, Self.requestTime))
      } catch let error as StreamUnavailable {
        guard ContinuousClock.now < deadline else { throw error }
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
  }
}
