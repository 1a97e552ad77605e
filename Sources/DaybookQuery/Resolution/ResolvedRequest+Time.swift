import DaybookModel

extension ResolvedRequest {
  /// Returns requests for the objects whose outcome the time may change after a moment, up to another one.
  ///
  /// They may find others too; each is planned by itself, and reads a range of an index if there is one of the dates.
  package func turning(after first: Timestamp, through last: Timestamp) -> [ResolvedRequest] {
    turningPoints.map { $0.request(after: first, through: last, like: objects) }
  }
}
