import DaybookDiff
import DaybookModel
import Observation

/// A request's result for a user interface: it is observed, and stays current on the main actor.
///
///     @MainActor final class RecipeList {
///       let recipes: ObservedResults<Recipe>
///       init(_ store: Store) throws {
///         recipes = try ObservedResults(of: Recipe.all.sorted(by: \.name), in: store)
///       }
///     }
///
/// The rows are there when it is made, so the first frame shows them. A later commit, of whichever process, changes
/// ``sections`` on the main actor, in one step for each difference; rows that did not change are the same values as
/// before. What is drawn of related objects counts if the request names it with ``EntityRequest/showing(_:)``.
///
/// It holds all rows; give requests of any size a limit, or read ``EntityLiveResults`` row by row. It follows the store
/// until it is let go.
@MainActor @Observable
public final class ObservedResults<Object: Storable> {
  public typealias Section = EntityResults<Object>.Section

  /// The sections with their rows.
  public private(set) var sections: [Section]
  /// The state of the store that is shown.
  public private(set) var position: Position
  /// What led to what is shown; nil for the first result.
  public private(set) var lastChange: EntityChange<Object>?
  /// Why it follows the store no longer: the store was closed, or its model lacks what the request names.
  public private(set) var failure: (any Error)?

  @ObservationIgnored private var request: EntityRequest<Object>
  @ObservationIgnored private let store: Store
  @ObservationIgnored private var live: EntityLiveResults<Object>
  /// What all rows look for related objects with. It moves on with the result: rows that did not change are as they
  /// would be if they were read again.
  @ObservationIgnored private var source: RowSource
  @ObservationIgnored private var follower: Task<Void, Never>?

  /// Reads the result, and follows the store from then on.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  public init(of request: EntityRequest<Object>, in store: Store) throws {
    self.request = request
    self.store = store
    live = try store.liveResults(of: request)
    (sections, position, source) = try live.everything()
    follower = nil
    follower = Task { [weak self, live] in
      // The list is held only while it changes, so that waiting does not keep it.
      while !Task.isCancelled {
        do {
          if let change = try live.update() {
            guard let self else { return }
            try self.take(change)
          } else {
            await live.results.wakeup.wait()
          }
        } catch {
          self?.failure = error
          return
        }
      }
    }
  }

  deinit { follower?.cancel() }

  /// All rows, section by section.
  public var rows: [Stored<Object>] { sections.flatMap(\.rows) }

  /// The number of rows.
  public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// Follows another request from now on.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; then nothing changes.
  public func change(to request: EntityRequest<Object>) throws {
    let change = EntityChange<Object>(try live.results.change(to: request.request), in: store)
    self.request = request
    live = EntityRows(live.results, prefetching: request.prefetched) { [store] in .past(store.at($0)) }
    try readAll()
    lastChange = change
  }

  private func take(_ change: EntityChange<Object>) throws {
    // Prefetched objects may have changed with any commit, so they are read together with all rows.
    guard !change.isReset, request.prefetched.isEmpty else {
      try readAll()
      lastChange = change
      return
    }
    let ids = try SectionedIDs(
      sections: sections.map { SectionedIDs.Section(name: $0.name, ids: $0.rows.map(\.id)) }
    ).applying(change.difference)
    var known = Dictionary(uniqueKeysWithValues: sections.lazy.flatMap(\.rows).map { ($0.id, $0) })
    source.move(to: store.at(change.to))
    for row in try live.rows(of: change, source: source) { known[row.id] = row }
    sections = ids.sections.map { Section(name: $0.name, rows: $0.ids.compactMap { known[$0] }) }
    (position, lastChange) = (change.to, change)
  }

  private func readAll() throws {
    (sections, position, source) = try live.everything()
  }
}

extension EntityRows where Results == LiveResults {
  /// All sections, with what their rows look for related objects with.
  fileprivate func everything() throws -> (
    sections: [EntityResults<Object>.Section], position: Position, source: RowSource
  ) {
    try results.withRows { shown in
      let ids = try shown.rows.ids
      let source = try source(for: ids.sections.flatMap(\.ids), shown)
      let sections = try ids.sections.map { section in
        EntityResults<Object>.Section(
          name: section.name,
          rows: try section.ids.compactMap { try shown.object($0).map { try Stored($0, source: source) } })
      }
      return (sections, shown.position, source)
    }
  }

  /// The rows that came, moved or changed.
  fileprivate func rows(of change: EntityChange<Object>, source: RowSource) throws -> [Stored<Object>] {
    try results.withRows { shown in
      try change.difference.rows.compactMap { row in
        guard row.to != nil, let object = try shown.object(row.id.objectID) else { return nil }
        return try Stored(object, source: source)
      }
    }
  }
}
