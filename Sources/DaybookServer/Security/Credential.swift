#if Server

/// Who sends a request, and by what.
///
/// What outlives its request, a stream, asks ``isValid`` again: a token may be taken out of the file, and a session ends.
enum Credential: Sendable {
  case none
  /// A token that the server does not know.
  case unknown
  case bearer(Principal, isValid: @Sendable () -> Bool)
  case session(Principal, isValid: @Sendable () -> Bool)

  var principal: Principal? {
    switch self {
    case .none, .unknown: nil
    case .bearer(let principal, _), .session(let principal, _): principal
    }
  }

  /// Whether the token or the session is still known; what was asked without one needs none.
  var isValid: Bool {
    switch self {
    case .none, .unknown: true
    case .bearer(_, let isValid), .session(_, let isValid): isValid()
    }
  }
}

#endif
