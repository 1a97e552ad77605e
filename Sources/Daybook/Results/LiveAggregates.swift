import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The measures among requests that are followed together, with their rows and their last values.
struct LiveAggregates {
  private let joined: [JointRequest]
  /// The rows of each measure; `nil` for a request without a measure, and for rows that are not read.
  private var rows: [LiveAggregate?]
  /// The last value of each measure; `nil` if it is not computed yet.
  private(set) var values: [Value?]

  init(_ joined: [JointRequest]) {
    self.joined = joined
    rows = joined.map { _ in nil }
    values = joined.map { _ in nil }
  }

  /// The requests whose changes lead from value to value, and the requests without a measure.
  var requests: [FetchRequest] {
    joined.map { joint in joint.measure.map { LiveAggregate($0, of: joint.request).request } ?? joint.request }
  }

  /// Whether the rows of all measures are read.
  var areRead: Bool { joined.indices.allSatisfy { joined[$0].measure == nil || rows[$0] != nil } }

  /// Releases the rows; they are read again by the next move.
  ///
  /// - Parameter values: The values that count as the last ones; none by default.
  mutating func forget(keeping values: [Value?]? = nil) {
    rows = joined.map { _ in nil }
    self.values = values ?? joined.map { _ in nil }
  }

  /// Moves on by the change of each request.
  ///
  /// - Parameter shown: Returns the rows of a request after the change, by its number.
  /// - Returns: The value of each measure that has another one now.
  mutating func move(by changes: [ResultsChange], to shown: (Int) throws -> RowView) throws -> [Value?] {
    var changed: [Value?] = joined.map { _ in nil }
    for (index, joint) in joined.enumerated() {
      guard let measure = joint.measure, rows[index] == nil || !changes[index].isEmpty else { continue }
      let value =
        if rows[index] == nil {
          try read(LiveAggregate(measure, of: joint.request), index, shown(index))
        } else {
          try rows[index]?.move(by: changes[index], to: shown(index))
        }
      guard let value, value != values[index] else { continue }
      values[index] = value
      changed[index] = value
    }
    return changed
  }

  private mutating func read(_ measured: LiveAggregate, _ index: Int, _ shown: RowView) throws -> Value {
    var measured = measured
    let value = try measured.read(shown)
    rows[index] = measured
    return value
  }
}
