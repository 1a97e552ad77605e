import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// The values of a result's rows, and the measure computed over them.
final class Tally {
  private let results: LiveResults
  private let measure: Measure
  private let request: FetchRequest
  /// The path to the values in the model of the held rows; `nil` for the count of the rows.
  private var path: ResolvedPath?
  /// The values at the end of the path.
  private var held: HeldValues?
  /// Whether the rows of the last change were out of reach, so that the next one reads all.
  private var isStale = false
  private(set) var value = LiveValue(position: .empty, value: .null)

  /// - Parameter wakeup: Signaled when there may be another value.
  init(_ measure: Measure, of request: FetchRequest, in store: Store, wakeup: Wakeup = Wakeup()) throws {
    self.measure = measure
    var request = request
    // Only the measured value is shown, so that only a change of this value is an update.
    request.shows = measure.path.isEmpty ? [] : [measure.path]
    self.request = request
    results = try LiveResults(request, of: store, wakeup: wakeup)
    try readAll()
    while isStale { _ = try update() }
  }

  private static func check(_ path: ResolvedPath, _ measure: Measure) throws {
    let name = measure.path.joined(separator: ".")
    if path.isMany {
      throw StoreError(
        .badRequest, "“\(name)” leads to many values for each row.", advice: "Name a path over to-one relationships.")
    }
    let isNumber = [.integer, .double, .decimal].contains(path.type)
    if measure.aggregate == .sum || measure.aggregate == .avg, !isNumber {
      throw StoreError(
        .badRequest, "“\(name)” is \(path.type.nounPhrase), which cannot be added.", advice: "Name numbers.")
    }
  }

  /// - Returns: Whether there was a change.
  func update() throws -> Bool {
    guard let change = try results.update() else { return false }
    // Without a reset, the request reaches the same parts of the model, so the path is the same.
    if change.isReset || isStale || measure.path.isEmpty {
      try readAll()
    } else {
      try readRows { shown in
        for row in change.difference.rows {
          if case .delete(let id, _) = row { held?.set(.null, of: id) } else { try hold(row.id, shown) }
        }
      }
    }
    return true
  }

  private func readAll() throws {
    try readRows { shown in
      held = nil
      path = try shown.reader.resolve(request).shown.first
      guard let path else { return }
      try Tally.check(path, measure)
      held = HeldValues(measure.aggregate, over: path)
      for id in try shown.rows.ids.sections.lazy.flatMap(\.ids) { try hold(id, shown) }
    }
  }

  /// Calls `take` with the shown rows to hold their values, and computes the measure.
  ///
  /// Just after a commit of a model, the rows of the change before it cannot be read; another change follows.
  private func readRows(_ take: (RowView) throws -> Void) throws {
    do {
      try results.withRows { shown in
        try take(shown)
        value = LiveValue(
          position: shown.position, value: held?.aggregated() ?? .integer(Int64(shown.rows.count)))
      }
      isStale = false
    } catch let error as StoreError where error.code == .expired {
      isStale = true
    }
  }

  private func hold(_ id: ObjectID, _ shown: RowView) throws {
    guard let path else { return }
    var source = ReaderSource(reader: shown.reader)
    held?.set(try path.value(of: ObjectKey(entity: path.start, id: id), in: &source), of: id)
  }
}
