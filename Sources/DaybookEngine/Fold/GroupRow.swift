import DaybookModel
import DaybookQuery

/// The state of a kept group: what its values follow from, and no rows of values hold.
package struct GroupRow {
  /// The encoded key.
  package let key: [UInt8]
  package private(set) var count = 0
  /// The sum of each path that is added.
  package private(set) var sums: [NumberSum?]
  /// The number of different values of each path that has a set.
  private(set) var setCounts: [Int]
  /// Whether a sum or an average has no value of its type.
  var hasFault = false
  /// Whether the group had no row.
  let isNew: Bool

  init(new key: [UInt8], of groups: KeptGroups) {
    self.key = key
    isNew = true
    sums = groups.paths.map { $0.isAdded ? NumberSum(of: $0.path.type) : nil }
    setCounts = groups.paths.map { _ in 0 }
  }

  /// Reads the state in a group's record.
  ///
  /// - Throws: `MalformedBytes`
  package init(_ record: RecordView, of groups: KeptGroups) throws {
    guard case .data(let state) = try FieldReader.field(GroupRowTags.state, in: record.fields)?.value() else {
      throw MalformedBytes(offset: 0, expected: "the state of a group")
    }
    isNew = false
    var reader = ByteReader(state.rawSpan)
    key = [UInt8](try reader.run())
    count = try reader.positiveCount()
    hasFault = try reader.byte() != 0
    sums = []
    setCounts = []
    for path in groups.paths {
      sums.append(path.isAdded ? try NumberSum(of: path.path.type, reading: &reader) : nil)
      setCounts.append(path.hasSet ? try reader.smallCount() : 0)
    }
    guard reader.isAtEnd else { throw MalformedBytes(offset: reader.offset, expected: "the end") }
  }

  var isEmpty: Bool { count == 0 }

  mutating func add(_ values: [Value]) {
    count += 1
    for number in sums.indices { sums[number]?.add(values[number]) }
  }

  /// - Throws: `ProjectionFault` if the group has no objects.
  mutating func remove(_ values: [Value]) throws {
    guard count > 0 else { throw ProjectionFault("an object leaves a group that has none") }
    count -= 1
    for number in sums.indices { sums[number]?.remove(values[number]) }
  }

  /// Changes the number of different values of a path.
  ///
  /// - Throws: `ProjectionFault` if the group has none that goes.
  mutating func changeSetCount(of path: Int, by difference: Int) throws {
    guard setCounts[path] + difference >= 0 else {
      throw ProjectionFault("a value leaves a group that has none")
    }
    setCounts[path] += difference
  }

  /// Appends the state.
  func appendState(of groups: KeptGroups, to row: inout [UInt8]) {
    var state: [UInt8] = []
    state.appendRun(key.rawSpan)
    state.appendVarint(UInt64(count))
    state.append(hasFault ? 1 : 0)
    for (number, path) in groups.paths.enumerated() {
      sums[number]?.append(to: &state)
      if path.hasSet { state.appendVarint(UInt64(setCounts[number])) }
    }
    row.appendField(GroupRowTags.state, .data(state))
  }

  /// The values of an encoded key, before they are shown.
  package static func values(of key: [UInt8]) throws -> [Value] {
    var (reader, values): (FieldReader, [Value]) = (FieldReader(key.rawSpan), [])
    while !reader.isAtEnd { values.append(try reader.next().value()) }
    return values
  }

  /// Returns the record of a group: the fields that show its key, its values, and the numbers by which it is sorted.
  ///
  /// - Parameters:
  ///   - key: The values of the key, before they are shown.
  ///   - appendValues: Appends the fields of the values.
  package static func record(
    of keys: [ResolvedGrouping.Key], _ key: [Value], _ appendValues: (inout [UInt8]) throws -> Void
  ) rethrows -> [UInt8] {
    var row: [UInt8] = []
    row.appendRecordHead(
      Stamps(
        created: .empty, createdAt: Timestamp(microseconds: 0), changed: .empty,
        changedAt: Timestamp(microseconds: 0), last: .empty))
    for (part, value) in zip(keys, key) { row.appendField(part.tag, part.shown(value)) }
    try appendValues(&row)
    for (part, value) in zip(keys, key) {
      if let tag = part.orderTag { row.appendField(tag, value) }
    }
    return row
  }
}
