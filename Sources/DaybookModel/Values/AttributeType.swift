/// The types that values can have.
public enum AttributeType: String, Hashable, Sendable, CaseIterable {
  case string, integer, double, decimal, boolean, date, uuid, data
  /// A `Codable` value, stored as the bytes of its JSON.
  case codable
}
