import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The values of a result's rows at a position that moves, and the measure over them.
struct LiveAggregate {
  let measure: Aggregation
  /// The request whose changes are the changes of the measured values.
  let request: FetchRequest
  /// The path to the values in the model of the held rows; `nil` for the count of the rows.
  private var path: ResolvedPath?
  /// The values at the end of the path.
  private var held: AggregatedValues?

  init(_ measure: Aggregation, of request: FetchRequest) {
    self.measure = measure
    var request = request
    // Only the measured value is shown, so that only a change of this value is an update.
    request.shows = measure.path.isEmpty ? [] : [measure.path]
    self.request = request
  }

  /// Reads all rows.
  ///
  /// - Returns: The measure.
  /// - Throws: `StoreError` with the code `badRequest` if there is no such measure of the values, `badValue` if the sum or
  ///   the average is not a value of its type.
  mutating func read(_ shown: RowView) throws -> Value {
    held = nil
    guard measure.path.isEmpty || request.grouping == nil else {
      throw StoreError(
        .badRequest, "Groups are counted, and not measured otherwise.",
        advice: "Measure the objects, or show the value of a group without keys.")
    }
    path = measure.path.isEmpty ? nil : try shown.reader.resolve(request.atAnyTime).shown.first
    if let path {
      try LiveAggregate.check(path, measure)
      held = AggregatedValues(measure.aggregate, over: path)
      for id in try shown.rows.ids.sections.lazy.flatMap(\.rows) { try hold(id, shown) }
    }
    return try value(of: shown)
  }

  /// Moves on by a change.
  ///
  /// - Parameter shown: The rows after the change.
  /// - Returns: The measure.
  /// - Throws: As ``read(_:)``.
  mutating func move(by change: ResultsChange, to shown: RowView) throws -> Value {
    if change.isReset { return try read(shown) }
    // Without a reset, the request reaches the same parts of the model, so the path is the same.
    if path != nil {
      for row in change.difference.rows {
        if case .delete(let id, _) = row { held?.set(.null, of: id) } else { try hold(row.id, shown) }
      }
    }
    return try value(of: shown)
  }

  private func value(of shown: RowView) throws -> Value {
    do throws(SumFault) {
      return try held?.aggregated() ?? .integer(Int64(shown.rows.count))
    } catch {
      let (function, name) = (measure.aggregate.function, measure.path.joined(separator: "."))
      throw StoreError(
        .badValue, "The \(function) of “\(name)” at position \(shown.position) has no value: \(error).",
        advice: "Measure fewer rows, or change the numbers.")
    }
  }

  private mutating func hold(_ id: ObjectID, _ shown: RowView) throws {
    guard let path else { return }
    var source = ReaderSource(reader: shown.reader)
    held?.set(try path.value(of: ObjectKey(entity: path.start, id: id), in: &source), of: id)
  }

  private static func check(_ path: ResolvedPath, _ measure: Aggregation) throws {
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
}
