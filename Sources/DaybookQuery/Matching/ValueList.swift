import DaybookModel

/// The values of an `IN`, without duplicates.
package struct ValueList: Sendable {
  package let values: [Value]
  /// The same values, if looking one up by its hash is correct and faster.
  private let set: Set<Value>?

  /// Lists up to this length are searched linearly.
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
