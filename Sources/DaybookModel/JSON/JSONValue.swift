/// A JSON value, with the members of objects in their order.
package indirect enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  /// A number that was written without fraction or exponent and fits 64 bits.
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])
}
