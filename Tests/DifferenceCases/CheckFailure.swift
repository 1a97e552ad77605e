/// A fault found by a check.
///
/// Checks that run a hundred thousand times throw it, because `#expect` is too slow.
package struct CheckFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

package func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw CheckFailure(message()) }
}

package func checkEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
  try check(found == wanted, "\(what): found \(found), wanted \(wanted)")
}
