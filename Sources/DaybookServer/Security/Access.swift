#if Server

/// Who may send a request.
package enum Access: Sendable {
  /// No token is needed.
  case open
  case read
  case write
}

#endif
