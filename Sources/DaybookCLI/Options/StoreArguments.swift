import ArgumentParser
import Daybook

/// The store that a command works on: its path comes first.
struct StoreArguments: ParsableArguments {
  @Argument(help: "The directory of the store.", completion: .directory)
  var store: String

  /// What a later version wrote can be looked at, as far as it is known.
  static var options: StoreOptions {
    var options = StoreOptions()
    options.newerVersion = .readOnly
    return options
  }

  /// Opens the store, which must exist, and closes it when `body` is done.
  func withStore<Result>(_ body: (Store) throws -> Result) throws -> Result {
    let store = try open()
    defer { store.close() }
    return try body(store)
  }

  /// Opens the store with projections, which take in what is new when the command tells them to.
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
}
