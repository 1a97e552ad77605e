#if Import

import Daybook
import DaybookModel

/// The way of one value from an attribute of the source to an attribute of the store.
struct FieldRoute {
  /// The declaration in the source's model of the store's version.
  let source: SourceField
  /// The declaration in the model that is imported.
  let target: SourceField
  let name: String
  let type: AttributeType
  let isOptional: Bool
  let defaultValue: Value
  let rules: [RuleCheck]

  /// A value as the store stores it, or the reason why it is another one.
  struct Converted {
    var value: Value
    /// The reason why the value is not the source's.
    var reason: String?
  }

  /// Converts a value of the source.
  ///
  /// - Throws: `StoreError` for a file that cannot be read.
  func converted(_ value: SourceValue) throws -> Converted {
    switch value {
    case .file(let file): return try converted(file)
    case .value(let value): return completed(converted(value))
    }
  }

  private func converted(_ value: Value) -> Converted {
    guard let fitting = value.fitting(type) else {
      return Converted(value: .null, reason: "\(value.text.prefix(80)) is not \(type.nounPhrase)")
    }
    if case .data(let bytes) = fitting, bytes.count > LargeValue.maximumSizeInBytes {
      return Converted(value: .null, reason: "\(bytes.count) bytes are more than a value can have")
    }
    return Converted(value: fitting)
  }

  private func converted(_ file: SourceFile) throws -> Converted {
    guard type == .data else { return Converted(value: .null, reason: "bytes are not \(type.nounPhrase)") }
    guard file.sizeInBytes <= LargeValue.maximumSizeInBytes else {
      return completed(
        Converted(value: .null, reason: "the \(file.sizeInBytes) bytes of \(file.path) are more than a value can have"))
    }
    return Converted(value: try Value.data(contentsOf: file.path))
  }

  /// Returns the default in the place of a missing value that is required, as a new object has it.
  private func completed(_ converted: Converted) -> Converted {
    guard converted.value.isNull, !isOptional, !defaultValue.isNull else { return converted }
    return Converted(value: defaultValue, reason: converted.reason ?? "no value")
  }
}

#endif
