import DaybookModel
import DaybookQuery

extension SortTerm {
  /// Compares two values as the term sorts them.
  package func compare(_ a: Value, _ b: Value, _ order: StringOrder) -> Int {
    if let nils, a.isNull != b.isNull { return a.isNull == (nils == .first) ? -1 : 1 }
    return PlainOrder.compare(a, b, order) * (isDescending ? -1 : 1)
  }
}
