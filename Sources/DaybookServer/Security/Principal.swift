#if Server

/// Who sends a request, as a token identifies it.
struct Principal: Hashable, Sendable {
  /// What a token allows.
  enum Role: String, Sendable {
    case read
    case write
  }

  /// The author of the commits that it writes.
  let name: String
  let role: Role
}

#endif
