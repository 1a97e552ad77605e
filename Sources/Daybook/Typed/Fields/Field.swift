import DaybookModel
import DaybookQuery

/// An attribute of an entity, or of an object that is related to it.
///
///     Recipe.where { $0.servings > 4 && $0.name.beginsWith("Ch", .caseInsensitive) }
///
/// Tests of fields give a ``Filter``, the same that the text of the test gives.
public struct Field<Value: AttributeValue>: FieldReference {
  public let fieldPath: FieldPath

  init(_ path: FieldPath) { fieldPath = path }

  /// The attribute of this name.
  ///
  /// - Parameters:
  ///   - object: What leads to the object that has it.
  ///   - name: Its name in the model.
  public init(_ object: FieldPath, _ name: String) { self.init(object.appending(name)) }
}

extension Field where Value: ScalarValue {
  /// Whether the value is one of these.
  public func among(_ values: some Sequence<Value>) -> Filter {
    fieldPath.test(.among, .values(values.map(\.scalarValue)))
  }

  /// Whether the value is at least the first of two and at most the second.
  public func between(_ least: Value, _ greatest: Value) -> Filter {
    fieldPath.test(.between, .values([least.scalarValue, greatest.scalarValue]))
  }
}

extension Field {
  /// Whether there is no value.
  public var isNull: Filter { fieldPath.test(.equal, .value(.null)) }
}

/// What fields of text can be tested for: of strings, optional strings and enumerations of strings alike.
///
/// The options say what a comparison overlooks: `.caseInsensitive`, `.diacriticInsensitive`.
extension Field where Value: ScalarValue {
  /// Whether the text begins with another one.
  public func beginsWith(_ text: String, _ options: Filter.Options = []) -> Filter {
    fieldPath.test(.beginsWith, .value(.string(text)), options: options)
  }

  /// Whether the text ends with another one.
  public func endsWith(_ text: String, _ options: Filter.Options = []) -> Filter {
    fieldPath.test(.endsWith, .value(.string(text)), options: options)
  }

  /// Whether another text is somewhere in the text.
  public func contains(_ text: String, _ options: Filter.Options = []) -> Filter {
    fieldPath.test(.contains, .value(.string(text)), options: options)
  }

  /// Whether the text matches a pattern, in which `?` stands for one Unicode scalar and `*` for any number of them.
  public func like(_ pattern: String, _ options: Filter.Options = []) -> Filter {
    fieldPath.test(.like, .value(.string(pattern)), options: options)
  }

  /// Whether the text as a whole matches a regular expression; see ``Filter/Operator/matches``.
  public func matches(_ expression: String, _ options: Filter.Options = []) -> Filter {
    fieldPath.test(.matches, .value(.string(expression)), options: options)
  }

  /// Whether the text equals another one, but for what the options overlook.
  public func equals(_ text: String, _ options: Filter.Options) -> Filter {
    fieldPath.test(.equal, .value(.string(text)), options: options)
  }
}
