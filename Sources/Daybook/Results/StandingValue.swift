import DaybookDiff
import DaybookModel
import DaybookQuery

/// A count, a sum, a minimum or a maximum over a request's result, as of a position.
public struct StandingValue: Sendable, Hashable {
  /// The position that it is of.
  public let position: Position
  /// The value; null where there is none, as for the least of no rows.
  public let value: Value
}

/// A value over a request's result that stays current: what it is now, and then each other value that it takes.
///
///     for try await total in store.values(.sum("servings"), of: request) { show(total.value) }
///
/// The first value comes at once. A slow reader gets the latest value, not all in between; a commit that leaves the value
/// as it is gives nothing. The feed ends when its task is cancelled, and throws when the store is closed. Each loop over
/// it is a reader of its own.
///
/// A count takes no memory; the others hold each row's value. Counts follow a change of *k* rows in O(*k* log *n*), the
/// others add or search the held values again, in O(*n*).
public struct StandingValueFeed: AsyncSequence, Sendable {
  public typealias Element = StandingValue

  let store: Store
  let measure: Measure
  let request: FetchRequest

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: self)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: StandingValueFeed
    private var tally: Tally?

    fileprivate init(feed: StandingValueFeed) {
      self.feed = feed
    }

    /// The next value; nil when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `badRequest` if the request or the path names what the model lacks, `closed`.
    public mutating func next() async throws -> StandingValue? {
      guard !Task.isCancelled else { return nil }
      guard let tally else {
        let tally = try Tally(feed.measure, of: feed.request, in: feed.store)
        self.tally = tally
        return tally.value
      }
      let last = tally.value.value
      return try await tally.results.wakeup.next {
        while try tally.update() {
          if tally.value.value != last { return tally.value }
        }
        return nil
      }
    }
  }
}

/// The values of a result's rows, and what is computed over them.
final class Tally {
  let results: LiveResults
  private let measure: Measure
  private let request: FetchRequest
  /// Where the values are by the model of the rows that are held; `nil` for the count of the rows.
  private var route: Route?
  private var held: [ObjectID: Value] = [:]
  /// Whether the rows could not be read at the position of the last change, so that all are read at the next one.
  private var isStale = false
  private(set) var value = StandingValue(position: .empty, value: .null)

  init(_ measure: Measure, of request: FetchRequest, in store: Store) throws {
    self.measure = measure
    var request = request
    // The value is what is shown, so that its change is an update and all else is not.
    request.shows = measure.path.isEmpty ? [] : [measure.path]
    self.request = request
    results = try store.liveResults(of: request)
    try readAll()
    while isStale { _ = try update() }
  }

  private static func check(_ route: Route, _ measure: Measure) throws {
    let path = measure.path.joined(separator: ".")
    if route.isMany {
      throw StoreError(
        .badRequest, "“\(path)” leads to many values for each row.", advice: "Name a path over to-one relationships.")
    }
    let isNumber = [.integer, .double, .decimal].contains(route.type)
    if measure.aggregate == .sum || measure.aggregate == .avg, !isNumber {
      throw StoreError(
        .badRequest, "“\(path)” is \(route.type.nounPhrase), which cannot be added.", advice: "Name numbers.")
    }
  }

  /// - Returns: Whether there was a change.
  func update() throws -> Bool {
    guard let change = try results.update() else { return false }
    // Without a reset the request reaches the same as before, so the route is the same.
    if change.isReset || isStale || measure.path.isEmpty {
      try readAll()
    } else {
      try readRows { shown in
        for row in change.difference.rows {
          if case .delete(let id, _) = row { held.removeValue(forKey: id) } else { try hold(row.id, shown) }
        }
      }
    }
    return true
  }

  private func readAll() throws {
    try readRows { shown in
      held = [:]
      route = try shown.reader.resolve(request).shown.first
      guard let route else { return }
      try Tally.check(route, measure)
      for id in try shown.rows.ids.sections.lazy.flatMap(\.ids) { try hold(id, shown) }
    }
  }

  /// Takes what is to be held from the rows, and computes the value.
  ///
  /// Where a commit of a model came just now, the rows of the change before it cannot be read any more; another change
  /// follows.
  private func readRows(_ take: (RowView) throws -> Void) throws {
    do {
      try results.withRows { shown in
        try take(shown)
        value = StandingValue(position: shown.position, value: compute(over: shown.rows.count))
      }
      isStale = false
    } catch let error as StoreError where error.code == .expired {
      isStale = true
    }
  }

  private func hold(_ id: ObjectID, _ shown: RowView) throws {
    guard let route else { return }
    var source = ReaderSource(reader: shown.reader)
    let value = try route.value(of: ObjectKey(entity: route.start, id: id), in: &source)
    if value.isNull { held.removeValue(forKey: id) } else { held[id] = value }
  }

  private func compute(over rowCount: Int) -> Value {
    guard let route else { return .integer(Int64(rowCount)) }
    let isOrdered = measure.aggregate == .min || measure.aggregate == .max || route.type == .integer
    let values = isOrdered ? Array(held.values) : held.sorted { $0.key < $1.key }.map(\.value)
    return measure.aggregate.value(of: values, type: route.type, order: route.order)
  }
}

extension Store {
  /// A value over a request's result that stays current.
  ///
  /// Limit and offset count: the value is that of the rows in the result.
  public func values(_ measure: Measure, of request: FetchRequest) -> StandingValueFeed {
    StandingValueFeed(store: self, measure: measure, request: request)
  }

  /// A value over a request's result as it is now.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request or the path names what the model lacks.
  public func value(_ measure: Measure, of request: FetchRequest) throws -> StandingValue {
    try Tally(measure, of: request, in: self).value
  }
}
