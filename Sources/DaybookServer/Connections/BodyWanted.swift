#if Server

/// What an operation sends to its connection when it begins to read the body of its request: a client that waits for
/// `100 Continue` is asked to send it (RFC 9110, 10.1.1).
struct BodyWanted: Sendable {}

#endif
