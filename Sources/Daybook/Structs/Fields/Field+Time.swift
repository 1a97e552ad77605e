import DaybookModel
import DaybookQuery
import Foundation

/// A date that a filter can compare with the present time: a `Timestamp`, a `Date`, or an optional one.
public protocol DateValue: ScalarValue {}

extension Timestamp: DateValue {}
extension Date: DateValue {}
extension Optional: DateValue where Wrapped: DateValue {}

/// Comparisons of a date with a time that moves.
///
///     Task.where { !$0.isDone && $0.due < .present + .days(2) }
extension Field where Value: DateValue {
  /// Tests whether the date equals a time.
  public static func == (field: Field, time: RelativeTime) -> Filter { field._fieldPath.test(.equal, time) }

  /// Tests whether the date differs from a time.
  public static func != (field: Field, time: RelativeTime) -> Filter { field._fieldPath.test(.notEqual, time) }

  /// Tests whether the date is before a time; `nil` is neither before nor after.
  public static func < (field: Field, time: RelativeTime) -> Filter { field._fieldPath.test(.less, time) }

  /// Tests whether the date is not after a time.
  public static func <= (field: Field, time: RelativeTime) -> Filter { field._fieldPath.test(.lessOrEqual, time) }

  /// Tests whether the date is after a time; `nil` is neither before nor after.
  public static func > (field: Field, time: RelativeTime) -> Filter { field._fieldPath.test(.greater, time) }

  /// Tests whether the date is not before a time.
  public static func >= (field: Field, time: RelativeTime) -> Filter { field._fieldPath.test(.greaterOrEqual, time) }
}

extension FieldPath {
  fileprivate func test(_ operation: Filter.Operator, _ time: RelativeTime) -> Filter {
    Filter(operand, operation, time, quantifier: quantifier)
  }
}
