#if Server

import Hummingbird
import NIOCore

/// What belongs to one request while it is answered.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The client's connection.
  let channel: any Channel
  /// Who sends the request, and by what.
  var credential = Credential.none
  /// The streams that end with their tokens and sessions.
  var openStreams: OpenStreams?

  /// Who sends the request; `nil` without a token.
  var principal: Principal? { credential.principal }

  init(source: Source) {
    channel = source.channel
    coreContext = CoreRequestContextStorage(source: source)
  }
}

#endif
