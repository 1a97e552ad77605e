#if Command

import ArgumentParser
import Daybook
import Logging

#if Collation
import DaybookCollation
#endif
#if JetStream
import DaybookJetStream
#endif

/// The store on which a command works; its path comes first.
struct StoreArguments: ParsableArguments {
  @Argument(help: "The directory of the store.", completion: .directory)
  var store: String

  func validate() throws { try ReplicationOptions.checkEnvironment() }

  /// Options that open a store of a later version for reading the parts known to this version.
  static var options: StoreOptions {
    var options = libraries
    options.newerVersion = .readOnly
    options.replication = .ofCommands
    return options
  }

  /// The options that name the libraries which the command is linked with, and nothing else.
  static var libraries: StoreOptions {
    var options = StoreOptions()
    #if Collation
    options.collation = .icu
    #endif
    #if JetStream
    options.journal = .jetStream()
    #endif
    return options
  }

  /// The options of a store that becomes a node of a stream.
  static func options(at address: JournalAddress) throws -> StoreOptions {
    #if JetStream
    var options = options
    options.journal = .jetStream(address)
    return options
    #else
    throw MissingTrait(name: "JetStream", feature: "replicated journals")
    #endif
  }

  /// Opens the store, which must exist, and closes it after `body`.
  func withStore<Result>(_ body: (Store) throws -> Result) throws -> Result {
    let store = try open()
    defer { store.close() }
    return try body(store)
  }

  /// Opens the store with projections, which apply new commits only on the command's request.
  func withStore<Result>(knowing projections: [any Projection], _ body: (Store) throws -> Result) throws -> Result {
    var options = StoreArguments.options
    options.projections = projections
    options.followsProjections = false
    let store = try Store(at: store, options: options)
    defer { store.close() }
    return try body(store)
  }

  func open() throws -> Store {
    try Store(at: store, options: StoreArguments.options)
  }

  /// Opens the store for a command that stays, and takes the commits of other nodes meanwhile.
  func openFollowing() throws -> Store {
    var options = StoreArguments.options
    options.replication.follows = true
    return try Store(at: store, options: options)
  }

  /// Opens the store with projections, which follow the journal, as that follows its stream.
  func open(following projections: [any Projection], logger: Logger) throws -> Store {
    var options = StoreArguments.options
    options.logger = logger
    options.replication.follows = true
    options.projections = projections
    return try Store(at: store, options: options)
  }
}

/// The argument for an object: a whole UUID, or any unique part of one.
///
/// A whole UUID is used unchanged, whether or not the object exists; a part must match exactly one object.
struct ObjectIDArgument: ExpressibleByArgument {
  let text: String

  init(argument: String) {
    text = argument
  }

  /// Resolves the identity in a snapshot of the store.
  func resolve(in reader: borrowing StoreReader) throws -> ObjectID {
    try reader.resolve(text)
  }

  /// Resolves the identity in a write transaction.
  func resolve(in transaction: borrowing Transaction) throws -> ObjectID {
    try transaction.resolve(text)
  }
}

#endif
