#if Import

import DaybookModel

extension AttributeType {
  /// Returns the type of a column that a user or a store decides, or `nil` if neither does.
  ///
  /// - Throws: ``ImportError`` if they decide differently.
  static func given(
    _ given: AttributeType?, declared: AttributeType?, _ column: String, file: String?
  ) throws(ImportError) -> AttributeType? {
    guard let given, let declared, given != declared else { return given ?? declared }
    throw ImportError(
      .usage, "the type of “\(column)” is given as \(given.rawValue), and the store has \(declared.rawValue)",
      file: file,
      advice: "leave out the type")
  }
}

#endif
