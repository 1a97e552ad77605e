/// The progress of a long operation.
public struct StoreProgress: Sendable, Hashable {
  /// The activity, as a verb and its object.
  public var activity: String
  /// The number of completed units.
  public var completed: UInt64
  /// The total number of units, or `nil` if it is not known.
  public var total: UInt64?
  /// The counted unit, in the plural.
  public var unit: String

  /// Creates a description of progress.
  package init(activity: String, completed: UInt64, total: UInt64? = nil, unit: String) {
    self.activity = activity
    self.completed = completed
    self.total = total
    self.unit = unit
  }

  /// Returns a closure for the parts of the engine that report their progress, or `nil` for `nil`.
  static func reporter(
    _ report: ((StoreProgress) -> Void)?
  ) -> ((_ activity: String, _ completed: UInt64, _ total: UInt64?, _ unit: String) -> Void)? {
    report.map { report in
      { activity, completed, total, unit in
        report(StoreProgress(activity: activity, completed: completed, total: total, unit: unit))
      }
    }
  }
}
