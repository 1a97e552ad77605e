import DaybookModel
import DaybookQuery

/// An attribute of an entity, or of an object that is related to it.
///
///     Recipe.where { $0.servings > 4 && $0.name.beginsWith("Ch", .caseInsensitive) }
///
/// Tests of fields make the same ``Filter`` as the parsed text of the test.
public struct Field<Value: AttributeValue>: FieldReference {
  public let _fieldPath: FieldPath

  init(_ path: FieldPath) { _fieldPath = path }

  /// Makes the attribute with a name.
  ///
  /// - Parameters:
  ///   - object: The path to the object that has the attribute.
  ///   - name: The name of the attribute in the model.
  public init(_ object: FieldPath, _ name: String) { self.init(object.appending(name)) }
}

extension Field where Value: ScalarValue {
  /// Tests whether the value is in a sequence of values.
  public func isIn(_ values: some Sequence<Value>) -> Filter {
    _fieldPath.test(.among, .values(values.map(\.scalarValue)))
  }

  /// Tests whether the value is at least the first and at most the second of two values.
  public func between(_ least: Value, _ greatest: Value) -> Filter {
    _fieldPath.test(.between, .values([least.scalarValue, greatest.scalarValue]))
  }
}

extension Field {
  /// Tests whether there is no value: `$0.photo == nil`.
  @_disfavoredOverload
  public static func == (field: Field, none: _OptionalNilComparisonType) -> Filter { field._fieldPath.isNull }

  /// Tests whether there is a value: `$0.photo != nil`.
  @_disfavoredOverload
  public static func != (field: Field, none: _OptionalNilComparisonType) -> Filter { field._fieldPath.isNotNull }
}

/// Tests of text fields: strings, optional strings and enumerations of strings.
///
/// The options name the differences that a comparison ignores: `.caseInsensitive`, `.diacriticInsensitive`.
extension Field where Value: ScalarValue {
  /// Tests whether the text begins with another one.
  public func beginsWith(_ text: String, _ options: Filter.Options = []) -> Filter {
    _fieldPath.test(.beginsWith, .value(.string(text)), options: options)
  }

  /// Tests whether the text ends with another one.
  public func endsWith(_ text: String, _ options: Filter.Options = []) -> Filter {
    _fieldPath.test(.endsWith, .value(.string(text)), options: options)
  }

  /// Tests whether the text contains another one.
  public func contains(_ text: String, _ options: Filter.Options = []) -> Filter {
    _fieldPath.test(.contains, .value(.string(text)), options: options)
  }

  /// Tests whether the text matches a pattern.
  ///
  /// In the pattern, `?` stands for one Unicode scalar and `*` for any number of them.
  public func like(_ pattern: String, _ options: Filter.Options = []) -> Filter {
    _fieldPath.test(.like, .value(.string(pattern)), options: options)
  }

  /// Tests whether the text matches a regular expression as a whole.
  ///
  /// The time grows with the text and not faster, whatever the expression is. References to groups and looking around
  /// are refused, as the article about regular expressions of Daybook describes.
  public func matches(_ expression: String, _ options: Filter.Options = []) -> Filter {
    _fieldPath.test(.matches, .value(.string(expression)), options: options)
  }

  /// Tests whether the text equals another one, except for differences that the options ignore.
  ///
  ///     Book.where { $0.title == ("emma", .caseInsensitive) }
  public static func == (field: Field, other: (text: String, options: Filter.Options)) -> Filter {
    field._fieldPath.test(.equal, .value(.string(other.text)), options: other.options)
  }

  /// Tests whether the text differs from another one in more than what the options ignore.
  public static func != (field: Field, other: (text: String, options: Filter.Options)) -> Filter {
    field._fieldPath.test(.notEqual, .value(.string(other.text)), options: other.options)
  }
}
