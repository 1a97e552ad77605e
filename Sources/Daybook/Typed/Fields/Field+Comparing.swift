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
