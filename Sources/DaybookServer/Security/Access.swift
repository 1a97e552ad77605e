/// Who may send a request.
enum Access: Sendable {
  /// No token is needed.
  case open
  case read
  case write
}
