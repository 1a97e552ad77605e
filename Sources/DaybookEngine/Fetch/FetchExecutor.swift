import DaybookModel
import DaybookQuery

/// Runs a request: reads the rows that its plan names, filters them, and sorts them.
package struct FetchExecutor {
  /// Reads the rows.
  package let reader: Reader
  package let request: ResolvedRequest
  package let plan: Plan

  /// - Parameter usesConstraints: Whether the unique rows are up to date; they are not while a commit is in progress.
  package init(_ request: ResolvedRequest, reader: Reader, usesConstraints: Bool = true) {
    self.init(PlannedRequest(request, in: reader.model, usesConstraints: usesConstraints), reader: reader)
  }

  /// - Parameter reader: Reads by the model for which the request is planned.
  package init(_ planned: PlannedRequest, reader: Reader) {
    self.reader = reader
    (request, plan) = (planned.request, planned.plan)
  }

  /// A row of the result: the object and its sort values; none if it was read in order.
  package struct Row {
    package let id: ObjectID
    package let values: [Value]
  }

  /// Calls `body` with the rows of the window in order, until it returns false.
  package func forEachRow(_ body: (Row) throws -> Bool) throws {
    guard request.limit != 0, let start = try findStart() else { return }
    var source = ReaderSource(reader: reader)
    var sorter = RunSorter<Void>(request, plan)
    var window = Window(offset: start.offset, limit: request.limit)
    var isDone = false
    // Before the first run begins, a row of an ordered index needs the sorter only if its key is cut.
    var isRunFree = plan.isOrdered && (!plan.sortsEmptySection || start.isCounted)
    // Local copies, because a loop over many rows would retain the executor's members for each row.
    let (entity, residual) = (request.entity, plan.residual)
    func emit(_ rows: [RunSorter<Void>.Row]) throws {
      for row in rows where !isDone {
        guard window.admits() else { continue }
        if try !body(Row(id: row.id, values: row.values)) || window.isFull { isDone = true }
      }
    }
    try forEachCandidate(of: start.access) { id, terms in
      let key = ObjectKey(entity: entity, id: id)
      if let residual, try !residual.matches(key, in: &source) { return true }
      if isRunFree && terms.byteCount < SortKey.maximumTermsSize || sorter.isInPlace(termsSize: terms.byteCount) {
        guard window.admits() else { return true }
        isDone = try !body(Row(id: id, values: [])) || window.isFull
        return !isDone
      }
      isRunFree = false
      let run = try sorter.add((), id: id, terms: [UInt8](terms)) { try request.sortValues(of: key, in: &source) }
      if let run { try emit(run) }
      return !isDone
    }
    if !isDone { try emit(sorter.finish()) }
  }

  /// Calls `body` with the rows that match the filter and their records.
  ///
  /// The rows are in any order, without window.
  func forEachMatch(_ body: (ObjectID, RecordView) throws -> Void) throws {
    var source = ReaderSource(reader: reader)
    let (entity, residual) = (request.entity, plan.residual)
    // If all objects are read, their records are at hand; the rows of an index require a lookup for each.
    if plan.access.isEverything {
      return try reader.forEachObject(of: entity) { id, record in
        if let residual, try !residual.matches(ObjectKey(entity: entity, id: id), in: &source) { return true }
        try body(id, record)
        return true
      }
    }
    try forEachCandidate(of: plan.access) { id, _ in
      let key = ObjectKey(entity: entity, id: id)
      if let residual, try !residual.matches(key, in: &source) { return true }
      guard let bytes = try unsafe reader.unsafeRecord(of: key) else { throw reader.contradiction(in: .indexes) }
      try body(id, RecordView(bytes))
      return true
    }
  }

  /// Skips the rows before a window, and counts the rows in it.
  private struct Window {
    var offset: Int
    var limit: Int?

    var isFull: Bool { limit == 0 }

    mutating func admits() -> Bool {
      if offset > 0 {
        offset -= 1
        return false
      }
      limit = limit.map { $0 - 1 }
      return true
    }
  }

  /// Calls `body` with the objects that the plan reads, and their key terms if from an index.
  private func forEachCandidate(of access: Plan.Access, _ body: (ObjectID, RawSpan) throws -> Bool) throws {
    switch access {
    case .objects: try reader.forEachObject(of: request.entity) { id, _ in try body(id, RawSpan()) }
    case .identities(let ids):
      for id in ids where try exists(id) { guard try body(id, RawSpan()) else { return } }
    case .constraint(let number, let values): try forHolder(of: number, values, body)
    case .links(let relationship, let sources):
      for source in sources {
        for id in try reader.targets(of: relationship, from: source) { guard try body(id, RawSpan()) else { return } }
      }
    case .index(let number, let ranges, let direction):
      let tag = reader.model.entities[request.entity].indexes[number].tag
      for range in direction == .forward ? ranges : ranges.reversed() {
        guard try forEachIndexRow(tag, range, direction, body) else { return }
      }
    }
  }

  private func exists(_ id: ObjectID) throws -> Bool {
    let key = ObjectKey(entity: request.entity, id: id)
    guard let bytes = try unsafe reader.unsafeRecord(of: key) else { return false }
    return try !RecordView(bytes).isTombstone
  }

  private func forHolder(of number: Int, _ values: [Value], _ body: (ObjectID, RawSpan) throws -> Bool) throws {
    let key = UniqueKey(number, of: reader.model.entities[request.entity], values)
    if let id = try reader.holder(of: key) { _ = try body(id, RawSpan()) }
  }

  /// - Returns: Whether to continue with the next range.
  private func forEachIndexRow(
    _ tag: Tag, _ range: KeyRange, _ direction: Plan.Direction, _ body: (ObjectID, RawSpan) throws -> Bool
  ) throws -> Bool {
    var prefix: [UInt8] = []
    prefix.appendFixed(tag.number)
    let lower = prefix + range.lower
    let upper = range.upper.map { prefix + $0 } ?? RowKey.successor(ofPrefix: prefix)
    let (end, hasEnd) = (upper ?? [], upper != nil)
    var cursor = try reader.makeCursor(in: .indexes, of: tag)
    var isValid =
      direction == .forward
      ? try cursor.seek(atOrAfter: lower.rawSpan, limit: upper.map { .key($0) } ?? .none)
      : try cursor.seek(before: upper?.rawSpan, limit: .key(lower))
    while isValid {
      let key = unsafe cursor.key.unsafeBytes.unsafeSpan
      let isInside =
        direction == .forward
        ? !hasEnd || compareBytes(key, end.rawSpan) < 0 : compareBytes(key, lower.rawSpan) >= 0
      guard isInside else { return true }
      guard key.byteCount >= RowKey.headSize else { throw reader.contradiction(in: .indexes) }
      let terms = key.extracting(2..<(key.byteCount - ObjectID.byteCount))
      guard try body(RowKey.trailingID(of: key), terms) else { return false }
      isValid = try cursor.advance()
    }
    return true
  }
}

/// Counts of an index instead of its rows.
extension FetchExecutor {
  /// The offset from which on the first row is found by the counts; to skip fewer rows costs less than that.
  private static let countedOffset = 256

  /// The first row that must be read.
  private struct Start {
    let access: Plan.Access
    /// The number of rows to skip from there.
    let offset: Int
    /// Whether the counts have found it: then the index has the request's order, and no row needs to be sorted.
    let isCounted: Bool
  }

  /// Finds the start of the window; `nil` if no rows are in it.
  private func findStart() throws -> Start? {
    guard request.offset >= FetchExecutor.countedOffset,
      case .index(let number, var ranges, let direction) = plan.access,
      let counts = try IndexCounts(covering: request, plan: plan, in: reader)
    else { return Start(access: plan.access, offset: request.offset, isCounted: false) }
    guard request.offset < counts.count else { return nil }
    // The range does not have the tag.
    ranges[0].lower = try counts.entry(request.offset, in: reader).suffix(from: 2).map(\.self)
    return Start(access: .index(number: number, ranges: ranges, direction: direction), offset: 0, isCounted: true)
  }

  /// Returns the number of rows in the window.
  ///
  /// - Complexity: O(log *n*) for each range of an index if the plan has no filter beyond the ranges, else O(*n*) for *n*
  ///   rows that the plan reads.
  package func count() throws -> Int {
    if let all = try countMatches() {
      let rest = max(all - request.offset, 0)
      return min(rest, request.limit ?? rest)
    }
    var count = 0
    try forEachRow { _ in
      count += 1
      return true
    }
    return count
  }

  /// Counts the rows that match the filter by the counts of an index; `nil` if rows must be read.
  private func countMatches() throws -> Int? {
    guard reader.layers.isEmpty, plan.residual == nil else { return nil }
    let entity = reader.model.entities[request.entity]
    let indexes = entity.indexes
    switch plan.access {
    case .index(let number, let ranges, _): return try count(ranges, of: indexes[number].tag)
    // Each index has all objects of the entity that declares it, and of its descendants.
    case .objects: return try entity.ownIndexes.first.map { try count([.all], of: $0.tag) }
    case .identities, .constraint, .links: return nil
    }
  }

  private func count(_ ranges: [KeyRange], of tag: Tag) throws -> Int {
    var prefix: [UInt8] = []
    prefix.appendFixed(tag.number)
    let counts = reader.counts(of: tag)
    return try ranges.reduce(0) { sum, range in
      try sum + counts.count(from: prefix + range.lower, before: range.upper.map { prefix + $0 })
    }
  }
}

private extension Plan.Access {
  /// Whether all objects of the entity are read, in any order.
  var isEverything: Bool {
    switch self {
    case .objects: true
    case .index(_, let ranges, _): KeyRange.merged(ranges) == [.all]
    default: false
    }
  }
}
