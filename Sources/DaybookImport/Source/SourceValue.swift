#if Import

import DaybookModel

/// The value of an attribute in a source: a value, or a file with its bytes.
package enum SourceValue: Hashable, Sendable {
  case value(Value)
  /// Bytes that the source keeps in a file of their own, which is not read.
  case file(SourceFile)

  package static let null = SourceValue.value(.null)

  package var isNull: Bool { self == .null }
}

/// A file with the bytes of one value.
package struct SourceFile: Hashable, Sendable {
  package let path: String
  package let sizeInBytes: Int

  package init(path: String, sizeInBytes: Int) {
    self.path = path
    self.sizeInBytes = sizeInBytes
  }
}

#endif
