import DaybookModel

extension Reader {
  @unsafe
  @_lifetime(immortal)
  package func unsafeLinkValue(for key: [UInt8]) throws -> RawSpan? { try unsafe unsafeValue(for: key, in: .links) }

  /// Returns the number of link rows with a prefix, of the journal's own model.
  ///
  /// - Complexity: O(*limit* + log *n*)
  package func linkCount(_ prefix: [UInt8], atMost limit: Int) throws -> Int {
    var cursor = try makeCursor(in: .links)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
    var count = 0
    while isValid, count < limit, hasPrefix(cursor.key, prefix.rawSpan) {
      count += 1
      isValid = try cursor.advance()
    }
    return count
  }

  /// Returns the targets in the link rows of a relationship, in the rows' order.
  package func linkTargets(_ relationship: Tag, from source: ObjectID) throws -> [ObjectID] {
    var targets: [ObjectID] = []
    try forEachLink(relationship, from: source) { key, _ in
      targets.append(try RowKey.trailingID(of: key))
      return true
    }
    return targets
  }

  /// Calls `body` with a relationship's link rows from one source, until it returns `false`.
  package func forEachLink(
    _ relationship: Tag, from source: ObjectID, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    var prefix: [UInt8] = []
    RowKey.links(relationship, from: source, into: &prefix)
    var cursor = try makeCursor(in: .links, of: relationship)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
    while isValid {
      guard hasPrefix(cursor.key, prefix.rawSpan), try body(cursor.key, cursor.value) else { return }
      isValid = try cursor.advance()
    }
  }

  /// Returns the targets of an ordered relationship with their keys, in order.
  func orderedLinks(_ relationship: Tag, from source: ObjectID) throws -> [(target: ObjectID, key: [UInt8])] {
    var rows: [(target: ObjectID, key: [UInt8])] = []
    try forEachLink(relationship, from: source) { key, _ in
      rows.append((try RowKey.trailingID(of: key), [UInt8](RowKey.orderKey(of: key))))
      return true
    }
    return rows
  }

  /// The side of a row on which the neighbour is.
  enum Side { case before, after }

  /// Returns the target next to another one in an ordered relationship, or `nil` at an end.
  ///
  /// - Complexity: O(log *n*), plus O(*k*) for *k* rows between them that the layers deleted.
  func orderedLink(
    _ relationship: Tag, from source: ObjectID, _ side: Side, _ orderKey: [UInt8], _ target: ObjectID
  ) throws -> (target: ObjectID, key: [UInt8])? {
    var prefix: [UInt8] = []
    RowKey.links(relationship, from: source, into: &prefix)
    var row: [UInt8] = []
    RowKey.link(relationship, from: source, orderKey: orderKey.rawSpan, to: target, into: &row)
    var cursor = try makeCursor(in: .links, of: relationship)
    switch side {
    case .before: try cursor.seek(before: row.rawSpan, limit: .key(prefix))
    case .after:
      // Seek to the first key after the row's own.
      row.append(0)
      try cursor.seek(atOrAfter: row.rawSpan, limit: .prefix(prefix))
    }
    guard cursor.isValid, hasPrefix(cursor.key, prefix.rawSpan) else { return nil }
    return (try RowKey.trailingID(of: cursor.key), [UInt8](RowKey.orderKey(of: cursor.key)))
  }

  /// Returns the last target of an ordered relationship with its key, or `nil` if empty.
  func lastOrderKey(_ relationship: Tag, from source: ObjectID) throws -> (target: ObjectID, key: [UInt8])? {
    var prefix: [UInt8] = []
    RowKey.links(relationship, from: source, into: &prefix)
    guard let end = RowKey.successor(ofPrefix: prefix) else { return nil }
    var cursor = try makeCursor(in: .links, of: relationship)
    guard try cursor.seek(before: end.rawSpan, limit: .key(prefix)), hasPrefix(cursor.key, prefix.rawSpan) else {
      return nil
    }
    return (try RowKey.trailingID(of: cursor.key), [UInt8](RowKey.orderKey(of: cursor.key)))
  }
}
