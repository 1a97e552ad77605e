/// What a contestant is to the comparison.
enum Role: String, Codable {
  /// What is being judged.
  case subject
  /// The storage engine with nothing around it: the floor.
  case engine
  /// An alternative of users.
  case peer
}
