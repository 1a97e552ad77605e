import DaybookModel
import DaybookQuery

/// Reads the rows of declared groups.
extension Reader {
  /// Returns a reader of the rows of kept groups, which are the objects of the entity of ``ResolvedGrouping/model``; `nil`
  /// if none are kept, or not as the request shows them.
  ///
  /// - Throws: `StoreError` with the code `badValue` if a sum or an average that the request shows has no value of its type.
  package func readingRows(of grouping: ResolvedGrouping) throws -> Reader? {
    guard let kept = grouping.kept, let rows = kept.model.map({ reading(layers, by: $0) }) else { return nil }
    let prefix = RowKey.prefix(of: kept.groups.keysTag)
    var cursor = try makeCursor(in: .links)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      let faults = [UInt8](cursor.value)
      if let number = kept.numbers.firstIndex(where: { faults.contains(UInt8($0)) }) {
        throw try fault(of: RowKey.leadingID(of: cursor.key), number, in: grouping, kept)
      }
      isValid = try cursor.advance()
    }
    return rows
  }

  /// Returns the error of a value that a kept group lacks.
  ///
  /// - Parameter number: The number of the value in the request.
  private func fault(
    of group: ObjectID, _ number: Int, in grouping: ResolvedGrouping, _ kept: ResolvedGrouping.Kept
  ) throws -> StoreError {
    let (declared, value) = (keptGroups(kept), grouping.values[number])
    guard let row = try groupRow(group, of: declared),
      let sum = declared.values[kept.numbers[number]].path.flatMap({ row.sums[$0] })
    else { throw contradiction(in: .objects) }
    do throws(SumFault) {
      _ = value.function == .average ? try sum.average() : try sum.sum()
    } catch {
      return grouping.fault(of: value, try GroupRow.values(of: row.key), "\(error)")
    }
    throw contradiction(in: .links)
  }

  /// Returns the form in which the fold keeps the rows of declared groups.
  func keptGroups(_ kept: ResolvedGrouping.Kept) -> KeptGroups {
    for entity in model.entities where entity.groups.contains(where: { $0 === kept.groups }) {
      return KeptGroups(kept.groups, of: entity, in: model)
    }
    preconditionFailure("A request names the groups of the model in which it was resolved.")
  }

  private func groupRow(_ id: ObjectID, of groups: KeptGroups) throws -> GroupRow? {
    var key: [UInt8] = []
    RowKey.object(groups.tag, id, into: &key)
    guard let record = try unsafe unsafeValue(for: key, in: .objects) else { return nil }
    return try GroupRow(RecordView(record), of: groups)
  }

  /// Calls a closure with each kept group, in the order of their identities.
  func forEachGroup(of groups: KeptGroups, _ body: (ObjectID, GroupRow) throws -> Void) throws {
    let prefix = RowKey.prefix(of: groups.tag)
    var cursor = try makeCursor(in: .objects)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      let row = try GroupRow(RecordView(cursor.value), of: groups)
      try body(RowKey.leadingID(of: cursor.key), row)
      isValid = try cursor.advance()
    }
  }

  /// Adds what a kept group has of a path to an accumulator.
  func add(
    _ row: GroupRow, of group: ObjectID, path number: Int, in groups: KeptGroups, to accumulator: inout Accumulator
  ) throws {
    switch accumulator.function {
    case .count: return
    case .sum, .average:
      guard let sum = row.sums[number] else { throw contradiction(in: .objects) }
      accumulator = Accumulator(accumulator.function, adding: sum)
    case .minimum, .maximum, .distinct:
      try forEachRow(in: groups.prefix(of: group, path: number, places: false)) { _, row in
        let (value, count) = try KeptGroups.read(row)
        accumulator.add(value, count: count)
      }
    case .first, .last:
      try forEachRow(in: groups.prefix(of: group, path: number, places: true)) { key, row in
        // The place of an object in the order of ids.
        var place: [UInt8] = []
        place.append(try RowKey.trailingID(of: key))
        accumulator.add(try KeptGroups.read(row).value, at: place)
      }
    }
  }

  private func forEachRow(in prefix: [UInt8], _ body: (RawSpan, RawSpan) throws -> Void) throws {
    var cursor = try makeCursor(in: .links)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      try body(cursor.key, cursor.value)
      isValid = try cursor.advance()
    }
  }
}
