import DaybookModel
import DaybookQuery

/// Comparisons of a field with a value, and of two fields.
extension Field where Value: ScalarValue {
  /// Tests whether the field's value equals a value; `nil` for no value.
  public static func == (field: Field, value: Value) -> Filter {
    field._fieldPath.test(.equal, .value(value.scalarValue))
  }

  /// Tests whether the values of two fields are equal.
  public static func == (field: Field, other: Field) -> Filter {
    field._fieldPath.test(.equal, other._fieldPath.operand)
  }

  /// Tests whether the field's value differs from a value.
  public static func != (field: Field, value: Value) -> Filter {
    field._fieldPath.test(.notEqual, .value(value.scalarValue))
  }

  /// Tests whether the values of two fields differ.
  public static func != (field: Field, other: Field) -> Filter {
    field._fieldPath.test(.notEqual, other._fieldPath.operand)
  }

  /// Tests whether the field's value is less than a value; `nil` is never less or greater.
  public static func < (field: Field, value: Value) -> Filter {
    field._fieldPath.test(.less, .value(value.scalarValue))
  }

  /// Tests whether the first field's value is less than the second field's.
  public static func < (field: Field, other: Field) -> Filter {
    field._fieldPath.test(.less, other._fieldPath.operand)
  }

  /// Tests whether the field's value is less than or equal to a value.
  public static func <= (field: Field, value: Value) -> Filter {
    field._fieldPath.test(.lessOrEqual, .value(value.scalarValue))
  }

  /// Tests whether the first field's value is less than or equal to the second field's.
  public static func <= (field: Field, other: Field) -> Filter {
    field._fieldPath.test(.lessOrEqual, other._fieldPath.operand)
  }

  /// Tests whether the field's value is greater than a value; `nil` is never less or greater.
  public static func > (field: Field, value: Value) -> Filter {
    field._fieldPath.test(.greater, .value(value.scalarValue))
  }

  /// Tests whether the first field's value is greater than the second field's.
  public static func > (field: Field, other: Field) -> Filter {
    field._fieldPath.test(.greater, other._fieldPath.operand)
  }

  /// Tests whether the field's value is greater than or equal to a value.
  public static func >= (field: Field, value: Value) -> Filter {
    field._fieldPath.test(.greaterOrEqual, .value(value.scalarValue))
  }

  /// Tests whether the first field's value is greater than or equal to the second field's.
  public static func >= (field: Field, other: Field) -> Filter {
    field._fieldPath.test(.greaterOrEqual, other._fieldPath.operand)
  }
}

/// A Boolean field is itself a condition.
///
///     Task.where { !$0.isDone && ($0.isUrgent || $0.due < tomorrow) }
extension Field: FilterConvertible where Value == Bool {
  /// Whether the value is true.
  public var _filter: Filter { self == true }

  /// Whether the value is false.
  public static prefix func ! (field: Field) -> Filter { field == false }
}
