#if Server

/// The request ended before its body was complete; its connection has answered it.
struct IncompleteRequest: Error {}

#endif
