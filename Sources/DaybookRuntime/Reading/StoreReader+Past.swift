import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// Returns the ids of the objects of a request's result at a position, by section.
  package func ids(of request: FetchRequest, at position: Position) throws -> SectionedIDs<ObjectID> {
    if let derived = try derived(request.entity) { return try derived.ids(of: request, at: position) }
    try requirePosition(position)
    guard position > .empty else {
      // Before the model there are no objects; the request must be valid nevertheless.
      _ = try reader.resolve(request.atAnyTime)
      return request.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
    }
    let request = request.mayReadTime && request.now == nil ? request.at(try recordedTime(of: position)) : request
    return try withPast(position) { try $0.reader.ids(of: request) }
  }

  /// Calls `body` with a reader of the store as it was at an earlier position.
  ///
  ///     let old = try store.read { try $0.read(at: 5) { try $0.get(cake) } }
  ///
  /// - Parameters:
  ///   - target: From 1 to the position of this reader.
  ///   - body: Reads the store. All members of its reader refer to that position, with the objects, links and the model
  ///     of that time.
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` for a position beyond the reader's, or 0,
  ///   where there is nothing to read.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest snapshot or the head, and O(*n*)
  ///   for each change of the model on the way.
  package func read<Result>(
    at target: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    try read(at: target, parts: .all, body)
  }

  /// Calls `body` with a reader of an earlier position that has some projections beside objects and links.
  func read<Result>(
    at target: Position, parts: Fold.Parts, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    try requirePosition(target)
    guard target > .empty else {
      throw StoreError(
        .notFound, "At position 0 there is nothing to read: it is the state before the model.",
        advice: "Give a position from 1.")
    }
    let (base, derivation) = (baseOfPast, derivation)
    return try withPast(target, parts: parts) { past in
      try body(
        StoreReader(
          past, journal, snapshotStore, keeper: keeper, derivedFrom: base, derivation: derivation, isPast: true))
    }
  }

  /// Reads the state at a position, starting from the head or the nearest snapshot.
  ///
  /// - Parameters:
  ///   - target: From 1 to the position of this reader.
  ///   - parts: The projections that `body` reads beside objects and links.
  ///   - limit: The largest size of a layer of events, in bytes.
  /// - Throws: What `body` throws; `SpanTooLarge` if a layer grows larger.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest of head and snapshots, and O(*n*)
  ///   for each change of the model in between.
  package func withPast<Result>(
    _ target: Position, parts: Fold.Parts = .all, limitInBytes limit: Int = .max, _ body: (State) throws -> Result
  ) throws -> Result {
    let start = try snapshot(nearestTo: target)
    return try withExtendedLifetime(start) {
      try body((start?.state ?? present).moved(to: target, in: journal, parts: parts, limitInBytes: limit))
    }
  }

  /// Begins to read the snapshot from which a position is reached soonest; `nil` if this reader is nearer.
  func snapshot(nearestTo target: Position) throws -> SnapshotReading? {
    guard target < position else { return nil }
    return try snapshotStore?.nearest(to: target, before: position, in: journal, serving: derivation)
      .map(SnapshotReading.init)
  }
}

extension StoreReader {
  /// Returns the last commit recorded up to a time; ``Position/empty`` without such a commit.
  ///
  /// - Complexity: O(log *n*) look-ups for *n* commits, as recorded times never run backwards.
  package func position(recordedBy time: Timestamp) throws -> Position {
    // Rows that are behind do not end the time: a position that they lack is refused.
    var (low, high) = (UInt64(0), (lag?.head ?? position).number)
    while low < high {
      let middle = low + (high - low + 1) / 2
      let recordedAt = try journal.header(at: Position(middle)).header.recordedAt
      if recordedAt <= time { low = middle } else { high = middle - 1 }
    }
    return Position(low)
  }

  /// - Throws: `StoreError` with the code `notFound` if the position is beyond the head, or one that projections lack.
  package func requirePosition(_ position: Position) throws {
    guard position > self.position else { return }
    if let lag, position <= lag.head { throw lag.error(of: position) }
    throw StoreError(
      .notFound, "There is no commit \(position); the head is \(self.position).",
      advice: "Give a position up to the head.")
  }
}
