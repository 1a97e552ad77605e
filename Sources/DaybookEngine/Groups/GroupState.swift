import DaybookModel
import DaybookQuery
import LMDB
import WorkLimits

/// The groups of a grouped request in one state of the store.
///
/// Each group has an accumulator for each of its values, to which the value of each of its objects was added, and a row,
/// which is read as an object (``reader(over:)``). A change of an object takes what it added before out of one group, and
/// adds what it adds now to another; so the groups move between states as the rows of a result do.
///
/// A sum that its type does not have is an error of the row, and never of the accumulator.
package final class GroupState {
  package let grouping: ResolvedGrouping
  /// The places of the groups in ``groups``, by their encoded keys.
  // No function lends them to code that could call this state again.
  @safe @exclusivity(unchecked) private var places: [[UInt8]: Int] = [:]
  @safe @exclusivity(unchecked) private var groups: [Group] = []
  /// The places that no group has.
  private var free: [Int] = []
  /// The rows of the groups.
  private var layer = Layer()
  /// The size of the layer from which on its rows are copied to a new one, because it keeps the memory of replaced rows.
  private var sizeLimitInBytes = 1 << 20
  private let retention: Accumulator.Retention
  /// The numbers of the values that have accumulators: all but the numbers of objects.
  private let accumulated: [Int]

  /// The most groups of a request.
  package static let maximumCount = 1_000_000

  /// The objects of a group, added up.
  private struct Group {
    let key: [UInt8]
    var count = 0
    var accumulators: [Accumulator]
  }

  /// Makes the state without objects: without any groups.
  ///
  /// - Parameter retention: Whether the state may be moved.
  private init(empty grouping: ResolvedGrouping, keeping retention: Accumulator.Retention) {
    self.grouping = grouping
    self.retention = retention
    accumulated = grouping.values.indices.filter { grouping.values[$0].path != nil }
  }

  /// The state before the model, which has no groups.
  package static func empty(_ grouping: ResolvedGrouping) -> GroupState {
    GroupState(empty: grouping, keeping: .all)
  }

  /// Reads all objects of the request, and adds them up; or reads the groups that the store keeps of them.
  ///
  /// - Parameters:
  ///   - retention: Whether the state may be moved.
  ///   - usesConstraints: Whether the unique rows are up to date, which they are not in an editing context.
  /// - Throws: `StoreError`: `tooLarge` for more than ``maximumCount`` groups, `badValue` for a sum or an average that is
  ///   no value of its type; `WorkLimitExceeded`.
  /// - Complexity: O(*g* + *d*) for *g* kept groups with *d* different values, and places, of their objects. Else O(*n*) for
  ///   *n* objects that the plan reads; with first and last values, and with least, greatest and
  ///   different values that may move, O(*n* log *n*).
  package convenience init(
    _ grouping: ResolvedGrouping, in reader: Reader, keeping retention: Accumulator.Retention,
    usesConstraints: Bool = true
  ) throws {
    self.init(empty: grouping, keeping: retention)
    if let kept = grouping.kept {
      try read(kept, in: reader)
      try writeRows()
      return
    }
    var contributions = GroupContributionReader(grouping, in: reader)
    if grouping.keys.isEmpty { _ = place(of: []) }
    let executor = FetchExecutor(grouping.objects, reader: reader, usesConstraints: usesConstraints)
    var (key, number): ([UInt8], Int?) = ([], nil)
    try executor.forEachMatch { id, record in
      try contributions.read(id, record)
      // Objects that are read one after the other are often of one group.
      if number == nil || contributions.contribution.key != key {
        key = contributions.contribution.key
        number = place(of: key)
        if groups.count > GroupState.maximumCount { throw GroupState.tooManyGroups }
      }
      if let number { add(contributions.contribution, at: number) }
    }
    try writeRows()
  }

  private static var tooManyGroups: StoreError {
    StoreError(
      .tooLarge, "The request has more than \(maximumCount) groups.",
      advice: "Group by fewer keys, or by a transform such as month.")
  }

  /// Makes an independent state with the same groups.
  ///
  /// - Complexity: O(*g*) for *g* groups; what changes afterwards copies the accumulators of its groups.
  package convenience init(copying other: GroupState) {
    self.init(empty: other.grouping, keeping: other.retention)
    (places, groups, free) = (other.places, other.groups, other.free)
    layer.absorb(other.layer)
  }

  /// The number of groups.
  package var count: Int { places.count }

  /// Returns a reader of the groups, which are the objects of the entity of ``ResolvedGrouping/model``.
  ///
  /// - Parameter reader: A reader of the store, whose transaction it shares.
  package func reader(over reader: Reader) -> Reader { reader.reading([layer], by: grouping.model) }

  // MARK: Objects

  private func place(of key: [UInt8]) -> Int {
    if let place = places[key] { return place }
    let group = Group(key: key, accumulators: makeAccumulators())
    guard let place = free.popLast() else {
      groups.append(group)
      places[key] = groups.count - 1
      return groups.count - 1
    }
    groups[place] = group
    places[key] = place
    return place
  }

  private func makeAccumulators() -> [Accumulator] {
    grouping.values.compactMap { value in
      value.path.map { Accumulator(value.function, of: $0.type, order: $0.order, keeping: retention) }
    }
  }

  /// Reads the rows of kept groups.
  private func read(_ kept: ResolvedGrouping.Kept, in reader: Reader) throws {
    let declared = reader.keptGroups(kept)
    var work = WorkCounter()
    try reader.forEachGroup(of: declared) { id, row in
      try work.step()
      if groups.count >= GroupState.maximumCount { throw GroupState.tooManyGroups }
      var group = Group(key: row.key, count: row.count, accumulators: makeAccumulators())
      for (number, value) in accumulated.enumerated() {
        let part = declared.values[kept.numbers[value]]
        guard let path = part.path else { continue }
        try reader.add(row, of: id, path: path, in: declared, to: &group.accumulators[number])
      }
      places[row.key] = groups.count
      groups.append(group)
    }
  }

  private func add(_ contribution: GroupContribution, at place: Int) {
    groups[place].count += 1
    for (number, value) in accumulated.enumerated() {
      groups[place].accumulators[number].add(contribution.values[value], at: contribution.place)
    }
  }

  private func remove(_ contribution: GroupContribution, at place: Int) {
    groups[place].count -= 1
    for (number, value) in accumulated.enumerated() {
      groups[place].accumulators[number].remove(contribution.values[value], at: contribution.place)
    }
  }

  // MARK: Rows

  private func writeRows() throws {
    var work = WorkCounter()
    try layer.collecting([.objects]) {
      for place in places.values {
        try work.step()
        try writeRow(of: groups[place])
      }
    }
  }

  /// Writes the row of a group.
  private func writeRow(of group: Group) throws {
    let key = try GroupRow.values(of: group.key)
    var accumulators = group.accumulators.makeIterator()
    let row = try GroupRow.record(of: grouping.keys, key) { row in
      for part in grouping.values {
        do throws(SumFault) {
          let value = part.path == nil ? .integer(Int64(group.count)) : try accumulators.next()?.value() ?? .null
          row.appendField(part.tag, value)
        } catch {
          throw grouping.fault(of: part, key, "\(error)")
        }
      }
    }
    layer.objects.put(rowKey(of: id(of: group.key)), row.rawSpan)
  }

  /// Returns the identity of the group with a key: bits of a digest, the same in each process.
  func id(of key: [UInt8]) -> ObjectID {
    var bytes = grouping.identity
    bytes.appendRun(key.rawSpan)
    return ObjectID(hashing: bytes.rawSpan)
  }

  private func rowKey(of id: ObjectID) -> [UInt8] {
    var row: [UInt8] = []
    RowKey.object(grouping.model.entities[0].tag, id, into: &row)
    return row
  }
}

// Moves between states.
extension GroupState {
  /// Which way changes are followed.
  package enum Direction {
    case forward, backward
  }

  /// Moves the groups over changes.
  ///
  /// - Returns: A layer over the rows that leads back, for what changed in the rows.
  /// - Throws: `StoreError`: `tooLarge`, `badValue`; `damaged` if the changes do not fit. The state must not be used
  ///   afterwards.
  /// - Complexity: O(*k* log *g*) for *k* changed objects and *g* groups; for values other than counts, sums and averages
  ///   also O(*k* log *n*) for *n* different values of a group.
  package func move(by changes: GroupChanges, _ direction: Direction) throws -> Layer {
    precondition(retention == .all || changes.changes.isEmpty, "A state that keeps no values is not moved.")
    for change in changes.changes {
      let (from, to) = direction == .forward ? (change.old, change.new) : (change.new, change.old)
      // Added first, so that a group that has an object at both ends stays.
      if let to { add(to, at: place(of: to.key)) }
      guard let from else { continue }
      guard let place = places[from.key] else {
        throw StoreError(
          .damaged, "An object leaves a group of the request that does not exist.",
          advice: "Rebuild the projections: `daybook rebuild`.")
      }
      remove(from, at: place)
    }
    if changes.isFromNothing, grouping.keys.isEmpty, direction == .forward { _ = place(of: []) }
    let former = Layer()
    for key in changes.touchedKeys(grouping) {
      let row = rowKey(of: id(of: key))
      unsafe former.objects.change(row, to: rowBytes(row))
      guard let place = places[key] else { continue }
      if groups[place].count > 0 || grouping.keys.isEmpty && !(changes.isFromNothing && direction == .backward) {
        try writeRow(of: groups[place])
      } else {
        places[key] = nil
        groups[place] = Group(key: [], accumulators: [])
        free.append(place)
        layer.objects.remove(row.rawSpan)
      }
    }
    if places.count > GroupState.maximumCount { throw GroupState.tooManyGroups }
    if layer.sizeInBytes > sizeLimitInBytes { renewLayer() }
    return former
  }

  /// Returns the layer over the rows that leads to the state at the other end of changes; the state stays.
  ///
  /// - Throws: As ``move(by:_:)``.
  /// - Complexity: As ``move(by:_:)``, and O(*n*) for *n* different values of the groups that the changes touch.
  package func layer(across changes: GroupChanges, _ direction: Direction) throws -> Layer {
    let excerpt = GroupState(empty: grouping, keeping: retention)
    let keys = changes.touchedKeys(grouping)
    for key in keys {
      guard let place = places[key] else { continue }
      excerpt.places[key] = excerpt.groups.count
      excerpt.groups.append(groups[place])
    }
    _ = try excerpt.move(by: changes, direction)
    let other = Layer()
    for key in keys {
      let row = rowKey(of: id(of: key))
      unsafe other.objects.change(row, to: excerpt.rowBytes(row))
    }
    return other
  }

  /// Returns the record of a group, or none without such a group.
  ///
  /// - Parameter layer: A layer over the rows.
  @unsafe
  func record(of id: ObjectID, under layer: Layer?) -> UnsafeBytes {
    let row = rowKey(of: id)
    switch unsafe layer?.objects.unsafeEntry(for: row.rawSpan) {
    case .value(let bytes): return unsafe bytes
    case .deleted: return unsafe .none
    case .absent, nil: return unsafe rowBytes(row)
    }
  }

  /// The bytes of a row; none without such a row.
  @unsafe
  private func rowBytes(_ row: [UInt8]) -> UnsafeBytes {
    guard case .value(let bytes) = unsafe layer.objects.unsafeEntry(for: row.rawSpan) else { return unsafe .none }
    return unsafe bytes
  }

  /// Copies the rows to a layer of their own, without the memory of those that were replaced.
  private func renewLayer() {
    let renewed = Layer()
    renewed.absorb(layer)
    layer = renewed
    sizeLimitInBytes = max(1 << 20, 3 * renewed.sizeInBytes)
  }
}
