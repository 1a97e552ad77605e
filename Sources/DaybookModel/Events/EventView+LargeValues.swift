extension EventView {
  /// Calls `body` with the references in the event's fields, old and new ones.
  ///
  /// - Throws: Any error of `body`; `MalformedBytes`.
  package func forEachLargeValue(_ body: (LargeValue) throws -> Void) throws {
    switch kind {
    case .inserted, .renamed, .set, .deleted, .recorded: break
    // The content of a later version's event is unknown, and links have no values.
    case .related, .unrelated, .unknown: return
    }
    var reader = FieldReader(fields)
    while !reader.isAtEnd {
      let field = try reader.next()
      if field.form == .large { try body(field.largeValue()) }
    }
  }
}
