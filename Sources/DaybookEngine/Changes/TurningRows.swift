import DaybookModel
import DaybookQuery

/// The moments at which the time alone may change rows of a request, in order.
///
/// It has all objects of the request's entity that reach a date, whether they are in the result or not, so it follows
/// from the objects alone. Memory is O(*m*) for *m* moments.
package struct TurningRows {
  /// All moments after it are known.
  package let start: Timestamp
  /// The moments with the ids of their objects, as bytes in order.
  private var keys = SortedKeys()
  private var moments: [ObjectID: [Timestamp]] = [:]

  /// Reads the moments after a time.
  ///
  /// - Parameter reader: Reads the state, with its indexes.
  /// - Complexity: O(*m* log *m*) for *m* moments if an index has the dates, else O(*n* + *m* log *m*) for *n* objects.
  package init(of request: ResolvedRequest, after start: Timestamp, in reader: Reader) throws {
    self.start = start
    var ids: Set<ObjectID> = []
    try request.forEachRowTurning(after: start, through: Timestamp(microseconds: .max), in: reader) { ids.insert($0) }
    try update(ids, of: request, in: reader)
  }

  /// Reads the moments of objects that commits may have changed again.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects.
  package mutating func update(_ ids: some Sequence<ObjectID>, of request: ResolvedRequest, in reader: Reader) throws {
    var source = ReaderSource(reader: reader)
    for id in ids {
      for moment in moments.removeValue(forKey: id) ?? [] { keys.remove(TurningRows.key(moment, id)) }
      let object = ObjectKey(entity: request.objects.entity, id: id)
      guard let record = try unsafe reader.unsafeRecord(of: object), try !RecordView(record).isTombstone else {
        continue
      }
      let found = try request.turningPoints.flatMap { try $0.moments(of: object, in: &source) }.filter { $0 > start }
      guard !found.isEmpty else { continue }
      moments[id] = found
      for moment in found { keys.insert(TurningRows.key(moment, id)) }
    }
  }

  /// Returns the rows that may turn after a time, up to another one; `nil` if the first time is before ``start``.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  package func rows(after first: Timestamp, through last: Timestamp) throws -> [ObjectID]? {
    guard first >= start else { return nil }
    guard first < last else { return [] }
    let (lower, upper) = (TurningRows.end(of: first), TurningRows.end(of: last))
    return try (keys.rank(of: lower)..<keys.rank(of: upper)).map { try RowKey.trailingID(ofSorted: keys[$0]) }
  }

  /// Returns the first moment after a time.
  ///
  /// - Complexity: O(log *n*).
  package func next(after time: Timestamp) -> Timestamp? {
    let rank = keys.rank(of: TurningRows.end(of: time))
    guard rank < keys.count else { return nil }
    let bits = keys[rank].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Timestamp(microseconds: Int64(bitPattern: bits ^ (1 << 63)))
  }

  private static func key(_ moment: Timestamp, _ id: ObjectID) -> [UInt8] {
    var key: [UInt8] = []
    key.appendFixed(UInt64(bitPattern: moment.microseconds) ^ (1 << 63))
    key.append(id)
    return key
  }

  /// The bytes after all keys of a moment.
  private static func end(of moment: Timestamp) -> [UInt8] {
    var key = key(moment, ObjectID(high: .max, low: .max))
    key.append(0)
    return key
  }
}
