import DaybookModel
import DaybookQuery

extension ResolvedGrouping {
  /// The error of a sum or an average that its type does not have.
  ///
  /// - Parameter key: The key of the group, before it is shown.
  func fault(of value: Value, _ key: [DaybookModel.Value], _ reason: String) -> StoreError {
    let parts = zip(keys, key).map { $0.shown($1).text }
    let group = parts.isEmpty ? "of all objects" : "“\(parts.joined(separator: ", "))”"
    return StoreError(
      .badValue, "“\(value.name)” of the group \(group) has no value: \(reason).",
      advice: "Leave objects out by a condition, show the average, or change the numbers.")
  }
}
