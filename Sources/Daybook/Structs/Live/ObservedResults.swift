import DaybookDiff
import DaybookModel
import DaybookRuntime
import Observation

/// A request's result for a user interface: observable, and updated on the main actor.
///
///     @MainActor final class RecipeList {
///       let recipes: ObservedResults<Recipe>
///       init(_ store: Store) throws {
///         recipes = try ObservedResults(of: Recipe.all.sorted(by: \.name), in: store)
///       }
///     }
///
/// The rows are read on creation, so the first frame shows them. A later commit, by any process, changes ``sections``
/// on the main actor, in one step for each difference; rows that did not change keep the same values.
///
/// A row has all values of its object, so each of them counts as shown, its times and to-one links included, whatever
/// the request names: the rows always are of ``position``. Changes of related objects are included if the request
/// names them with ``EntityRequest/showing(_:)``.
///
/// A form shows an editing context in the same way: each edit, undo and save changes the rows.
///
///     ingredients = try ObservedResults(of: Ingredient.where { $0.recipe == cake }, in: context)
///
/// It holds all rows; give large requests a limit, or read ``EntityLiveResults`` row by row. It follows the store until
/// it is released.
@MainActor @Observable
public final class ObservedResults<Object: Storable> {
  /// A section with its rows.
  public typealias Section = EntityResults<Object>.Section

  /// The sections with their rows.
  public private(set) var sections: [Section]
  /// The position of the state shown.
  public private(set) var position: Position
  /// The change that led to the state shown; `nil` for the first result.
  public private(set) var lastChange: EntityChange<Object>?
  /// The reason why updates have ended, or `nil`.
  ///
  /// The store was closed, its model lacks what the request names, or a value does not fit its property.
  public private(set) var failure: (any Error)?

  @ObservationIgnored private var request: EntityRequest<Object>
  @ObservationIgnored private var followed: Followed
  /// The source with which all rows look up related objects.
  ///
  /// It is moved with the result: unchanged rows then equal rows that are read again.
  @ObservationIgnored private var source: RowSource
  @ObservationIgnored private var follower: Task<Void, Never>?

  /// Reads the result, and follows the store.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  public convenience init(of request: EntityRequest<Object>, in store: Store) throws {
    try self.init(request, .store(store, try store.liveResults(of: request.observed)))
  }

  /// Reads the result with the pending edits of a context, and follows the context.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue`, `expired`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  public convenience init(of request: EntityRequest<Object>, in context: EditingContext) throws {
    try self.init(request, .context(context, try context.results(of: request.observed)))
  }

  private init(_ request: EntityRequest<Object>, _ followed: Followed) throws {
    self.request = request
    self.followed = followed
    (sections, position, source) = try followed.everything(of: request)
    follower = nil
    follow()
  }

  deinit { follower?.cancel() }

  /// All rows, section by section.
  public var rows: [Stored<Object>] { sections.flatMap(\.rows) }

  /// The number of rows.
  public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// Replaces the request. In an editing context ``lastChange`` is then a reset.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; then nothing changes.
  public func change(to request: EntityRequest<Object>) throws {
    let change: ResultsChange
    switch followed {
    case .store(_, let results): change = try results.change(to: request.observed)
    case .context(let context, _):
      let results = try context.results(of: request.observed)
      change = .reset(from: position, to: results.position)
      followed = .context(context, results)
      follow()
    }
    self.request = request
    try readAll()
    lastChange = EntityChange(change, from: followed.origin(at: change.to))
  }

  private func follow() {
    follower?.cancel()
    let results = followed.results
    // The list is retained only during a change, so that waiting does not keep it alive.
    follower = Task { [weak self] in
      do {
        // A change and its rows are applied in one step, so that no observer sees one without the other.
        while try await results.wakeup.next({ try self.map { try $0.takeNext() } ?? false }) == true {}
      } catch {
        self?.failure = error
      }
    }
  }

  /// Applies the next change.
  ///
  /// - Returns: True if there was a change, or `nil` if nothing changed yet.
  private func takeNext() throws -> Bool? {
    guard let change = try followed.results.update() else { return nil }
    try take(EntityChange(change, from: followed.origin(at: change.to)))
    return true
  }

  private func take(_ change: EntityChange<Object>) throws {
    // Any commit may have changed prefetched objects, so these are read again with all rows.
    guard !change.isReset, request.prefetched.isEmpty else {
      try readAll()
      lastChange = change
      return
    }
    let ids = try SectionedIDs(
      sections: sections.map { SectionedIDs.Section(name: $0.name, ids: $0.rows.map(\.id)) }
    ).applying(change.difference)
    var known = Dictionary(uniqueKeysWithValues: sections.lazy.flatMap(\.rows).map { ($0.id, $0) })
    source.move(to: followed.origin(at: change.to))
    for row in try followed.rows(of: change, source: source) { known[row.id] = row }
    sections = ids.sections.map { Section(name: $0.name, rows: $0.ids.compactMap { known[$0] }) }
    (position, lastChange) = (change.to, change)
  }

  private func readAll() throws {
    (sections, position, source) = try followed.everything(of: request)
  }
}

private extension EntityRequest {
  /// The request whose changes are the changes of everything that its rows hold.
  var observed: FetchRequest {
    var request = request
    request.showsWholeObjects = true
    return request
  }
}
