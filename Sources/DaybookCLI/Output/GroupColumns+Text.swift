#if Command

import Daybook
import DaybookTools

extension GroupColumns {
  /// Returns the name of a group for users: the values of its key, such as `Dessert, 2026-03`.
  static func label(of key: [Value]) -> String {
    key.isEmpty ? "all" : key.map { $0.isNull ? "(none)" : $0.text }.joined(separator: ", ")
  }

  /// The values for users: `count: 4, sum:servings: 18`.
  var valuesText: String { values.map { "\($0.name): \($0.value.text(as: $0.type))" }.joined(separator: ", ") }
}

#endif
