import DaybookModel
import DaybookQuery

/// Comparisons of a field with a value, and of two fields.
extension Field where Value: ScalarValue {
  /// Whether the value is this one; nil for none.
  public static func == (field: Field, value: Value) -> Filter {
    field.fieldPath.test(.equal, .value(value.scalarValue))
  }

  /// Whether two values are equal.
  public static func == (field: Field, other: Field) -> Filter {
    field.fieldPath.test(.equal, other.fieldPath.operand)
  }

  /// Whether the value is another one than this.
  public static func != (field: Field, value: Value) -> Filter {
    field.fieldPath.test(.notEqual, .value(value.scalarValue))
  }

  /// Whether two values differ.
  public static func != (field: Field, other: Field) -> Filter {
    field.fieldPath.test(.notEqual, other.fieldPath.operand)
  }

  /// Whether the value is less; nothing is less or more than nil.
  public static func < (field: Field, value: Value) -> Filter {
    field.fieldPath.test(.less, .value(value.scalarValue))
  }

  /// Whether the first value is less.
  public static func < (field: Field, other: Field) -> Filter {
    field.fieldPath.test(.less, other.fieldPath.operand)
  }

  /// Whether the value is this one or less.
  public static func <= (field: Field, value: Value) -> Filter {
    field.fieldPath.test(.lessOrEqual, .value(value.scalarValue))
  }

  /// Whether the first value is not more.
  public static func <= (field: Field, other: Field) -> Filter {
    field.fieldPath.test(.lessOrEqual, other.fieldPath.operand)
  }

  /// Whether the value is more; nothing is less or more than nil.
  public static func > (field: Field, value: Value) -> Filter {
    field.fieldPath.test(.greater, .value(value.scalarValue))
  }

  /// Whether the first value is more.
  public static func > (field: Field, other: Field) -> Filter {
    field.fieldPath.test(.greater, other.fieldPath.operand)
  }

  /// Whether the value is this one or more.
  public static func >= (field: Field, value: Value) -> Filter {
    field.fieldPath.test(.greaterOrEqual, .value(value.scalarValue))
  }

  /// Whether the first value is not less.
  public static func >= (field: Field, other: Field) -> Filter {
    field.fieldPath.test(.greaterOrEqual, other.fieldPath.operand)
  }
}

/// A field that is true or false is a condition by itself.
///
///     Task.where { !$0.isDone && ($0.isUrgent || $0.due < tomorrow) }
extension Field: FilterConvertible where Value == Bool {
  /// Whether the value is true.
  public var filter: Filter { self == true }

  /// Whether the value is false.
  public static prefix func ! (field: Field) -> Filter { field == false }

  /// Whether both values are true.
  public static func && (a: Field, b: Field) -> Filter { a.filter && b.filter }

  /// Whether the value is true and the filter is met.
  public static func && (a: Field, b: Filter) -> Filter { a.filter && b }

  /// Whether the filter is met and the value is true.
  public static func && (a: Filter, b: Field) -> Filter { a && b.filter }

  /// Whether either value is true.
  public static func || (a: Field, b: Field) -> Filter { a.filter || b.filter }

  /// Whether the value is true or the filter is met.
  public static func || (a: Field, b: Filter) -> Filter { a.filter || b }

  /// Whether the filter is met or the value is true.
  public static func || (a: Filter, b: Field) -> Filter { a || b.filter }
}
