import Hummingbird

/// What belongs to one request while it is answered.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}
