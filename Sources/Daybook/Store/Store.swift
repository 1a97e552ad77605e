import DaybookEngine
import DaybookModel
import DaybookRuntime
import Foundation

/// An object store on disk: a journal of all changes, and projections folded from it.
///
///     let store = try Store(at: "recipes.daybook", model: recipes)
///     let cake = try store.write(author: "editor") { tx in
///       try tx.insert("Recipe", ["name": "Cake", "servings": 4])
///     }
///
/// A store is a directory with two LMDB environments: `journal`, which is flushed with every commit and is the only
/// source of truth, and `projections`, which is folded from the journal and rebuilt whenever it cannot be trusted.
/// Large stores also have `snapshots`, copies of the projections at earlier positions. Several processes may have the
/// same store open and write to it; each process may open it once.
///
/// Reads and writes may run on any thread. A write runs on the thread that calls it.
public final class Store: Sendable {
  /// The path of the store's directory.
  public var path: String { files.path }
  /// The identity of this store; backups and restored copies keep it.
  public var id: ObjectID { files.id }
  /// The open files, to which all that runs on other threads refers.
  package let files: StoreFiles
  package let keeper: ProjectionKeeper
  let services: BackgroundServices
  /// Runs the writes of the store.
  package var writer: Writer { services.writer }

  /// Opens a store, creating it first if it does not exist and a model is given.
  ///
  /// If the projections cannot be trusted (another boot or mount after a crash, a copied directory, a missing or
  /// damaged file), they are rebuilt before this returns, at about a million events a second. Otherwise opening takes
  /// constant time, independent of the journal's length.
  ///
  /// Where the store's volume is mounted read-only, the journal is copied to the directory for temporary files and the
  /// projections are built there, until the store is closed; see ``isReadOnly``.
  ///
  /// - Parameters:
  ///   - path: A directory, which need not exist if a model is given.
  ///   - model: The model of a new store. An existing store must have an equal one, or gets it if
  ///     ``StoreOptions/appliesModel`` is set; `nil` accepts any.
  ///   - options: The options of the store.
  /// - Throws: `StoreError`: `notFound` if neither a store nor a model exists, `notAStore` for another directory,
  ///   `badModel` for an invalid model, a different one, or one that the store had before; what
  ///   ``apply(_:checking:info:)`` throws if the model is applied; `newerFormat`, `damaged`, `exists` if this process has the store
  ///   open, `busy` if another process has it open and has lost its lock of the files, as by copying them,
  ///   or uses it through another mount than this read-only one, `inputOutput`.
  public convenience init(at path: String, model: Model? = nil, options: StoreOptions = StoreOptions()) throws {
    do {
      let directory = StoreDirectory(path)
      // A store that another process has just created is opened as an existing one.
      if let model { _ = try directory.create(model: model, options: options) }
      try self.init(opening: directory, options: options)
      if let model { try settle(model) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private init(opening directory: StoreDirectory, options: StoreOptions) throws {
    files = try StoreFiles(directory, options: options)
    keeper = try ProjectionKeeper(of: files)
    services = BackgroundServices(of: keeper)
    keeper.owner = self
    do {
      try services.start()
    } catch {
      close()
      throw error
    }
  }

  deinit {
    close()
  }

  /// Closes the store after finishing operations in progress.
  ///
  /// Later calls throw ``StoreError/Code/closed``. The projections are flushed, so that they need not be rebuilt after
  /// a restart of the operating system. Closing again does nothing. Releasing the last reference also closes the store,
  /// before the release returns.
  ///
  /// Called inside a write of the store, it returns at once, and the store is closed when that write has ended. Opening
  /// a store waits for a close of it that is in progress in this process.
  public func close() {
    guard keeper.beginClosing() else { return }
    guard keeper.isWritingOnThisThread else { return services.close() }
    // The operations to finish wait for a lock that this thread holds, so another thread waits for them.
    let thread = Thread { [services] in services.close() }
    thread.name = "daybook closing"
    thread.start()
  }

  /// Whether the store is on a volume that is mounted read-only: it can be read, verified, backed up and compacted, and
  /// each write throws ``StoreError/Code/readOnly``.
  public var isReadOnly: Bool { files.isReadOnly }

  var options: StoreOptions { files.options }
  var notifier: CommitNotifier { services.notifier }

  /// - Throws: `StoreError` if the store is closed, or unusable after a disk failure.
  package func checkOpen() throws(StoreError) { try files.checkOpen() }

  /// - Throws: `StoreError` with the code `displaced` if the path no longer leads to the store.
  package func checkPlace() throws(StoreError) { try files.checkPlace() }

  /// Applies the model that the store is opened with, or throws if it must be equal and differs.
  private func settle(_ model: Model) throws {
    do {
      let steps = try read { try $0.steps(to: model) }
      if steps.isEmpty { return }
      guard options.appliesModel else {
        throw StoreError(
          .badModel, "The store \(path) has another model: \(steps.joined(separator: "; ")).",
          advice: "Open it without a model, apply the new one, or set `StoreOptions.appliesModel`.")
      }
      try apply(model)
    } catch {
      close()
      throw error
    }
  }
}

extension Store {
  /// Creates a store and opens it.
  ///
  /// - Throws: `StoreError`: `exists` if the path exists, `badModel`, `inputOutput`.
  public static func create(at path: String, model: Model, options: StoreOptions = StoreOptions()) throws -> Store {
    do {
      let directory = StoreDirectory(path)
      guard try directory.create(model: model, options: options) else {
        throw StoreError(.exists, "There is something at \(directory.path) already.", advice: "Choose another path.")
      }
      return try Store(opening: directory, options: options)
    } catch {
      throw StoreError.translating(error)
    }
  }
}
