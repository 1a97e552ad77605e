import DaybookModel

extension FetchRequest {
  /// Whether the result may depend on the time at which it is read.
  package var mayReadTime: Bool { filter?.mayReadTime ?? false }

  /// Returns the request as it is read at a time.
  package func at(_ now: Timestamp?) -> FetchRequest {
    var request = self
    request.now = now
    return request
  }

  /// The request at some time, for what follows from its names alone.
  package var atAnyTime: FetchRequest { mayReadTime ? at(Timestamp(microseconds: 0)) : self }
}
