extension EventReader {
  /// Calls `body` with the references in the events that were not read yet, each as often as it occurs.
  ///
  /// - Throws: Any error of `body`; `MalformedBytes`.
  /// - Complexity: O(*n*) for *n* bytes.
  package func forEachLargeValue(_ body: (LargeValue) throws -> Void) throws {
    var rest = self
    while !rest.isAtEnd { try rest.next().forEachLargeValue(body) }
  }
}
