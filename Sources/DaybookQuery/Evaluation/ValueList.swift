import DaybookModel

/// The values of an `IN`, without doubles.
package struct ValueList: Sendable {
  package let values: [Value]
  /// The same values, where looking one up by its hash is right and worth it.
  private let set: Set<Value>?

  /// Lists up to this length are searched from front to back.
  private static let shortLength = 8

  init(_ values: [Value]) {
    var seen: Set<Value> = []
    self.values = values.filter { seen.insert($0).inserted }
    // An integer can equal a decimal, which has another hash.
    let hasOneForm = self.values.allSatisfy { !($0.literalType?.isNumeric ?? false) }
    set = hasOneForm && self.values.count > ValueList.shortLength ? seen : nil
  }

  func contains(_ value: Value) -> Bool {
    set?.contains(value) ?? values.contains { ValueComparison.areEqual($0, value) }
  }
}
