import DaybookModel
import DaybookQuery
import LMDB

/// Keeps the rows of declared groups.
///
/// What an object adds to its groups is taken before the first change that could alter it, as the key of an index is, and
/// compared with what it adds when changes settle. The rows of the groups that it leaves and joins are written at the
/// end of a settling, so a group of which many objects change is written once.
extension Fold {
  /// A group whose row is to be written.
  struct GroupAddress: Hashable {
    /// The number of the declared groups among all of the model.
    let groups: Int
    let id: ObjectID
  }

  /// Keeps what an object adds to its groups.
  ///
  /// Nothing happens if it was already taken or the object is not in a group yet.
  func takeContribution(_ changed: Int, group: Int) throws {
    let bit = UInt16(1) << UInt16(group)
    guard unsafe isLive(changes[changed].settled), changes[changed].takenGroups & bit == 0 else { return }
    var bytes = takeKeyBuffer()
    try unsafe makeContribution(
      of: changes[changed].key, RecordView(changes[changed].current.unsafeSpan), group: group, into: &bytes)
    changes[changed].takenGroups |= bit
    unsafe takenContributions.append(TakenKey(change: changed, index: group, key: arena.store(bytes)))
    giveBack(keyBuffer: bytes)
    markDirty(changed)
  }

  private func groups(_ group: Int, of entity: Int) -> Int {
    flatModel.groupNumbers[flatModel.entities[entity].groups.lowerBound + group]
  }

  private func makeContribution(
    of object: ObjectKey, _ record: RecordView, group: Int, into bytes: inout [UInt8]
  ) throws {
    bytes.removeAll(keepingCapacity: true)
    try flatModel.groups[groups(group, of: object.entity)]
      .appendContribution(of: object, record, from: self, in: model, to: &bytes)
  }

  /// Moves the objects whose contributions were taken to the groups in which they are now.
  func settleTakenContributions() throws {
    var bytes = takeKeyBuffer()
    for place in takenContributions.indices {
      let taken = takenContributions[place]
      let object = changes[taken.change].key
      let number = groups(taken.index, of: object.entity)
      guard isLive(taken.change) else {
        try unsafe change(number, by: taken.key.unsafeSpan, of: object.id, isRemoval: true)
        continue
      }
      try unsafe makeContribution(
        of: object, RecordView(changes[taken.change].current.unsafeSpan), group: taken.index, into: &bytes)
      guard unsafe !equalBytes(bytes.rawSpan, taken.key.unsafeSpan) else { continue }
      try unsafe change(number, by: taken.key.unsafeSpan, of: object.id, isRemoval: true)
      try change(number, by: bytes.rawSpan, of: object.id, isRemoval: false)
    }
    giveBack(keyBuffer: bytes)
    takenContributions.removeAll()
  }

  /// Adds an object to the group in which it is.
  func putContribution(of object: ObjectKey, record: RecordView, group: Int) throws {
    var bytes = takeKeyBuffer()
    try makeContribution(of: object, record, group: group, into: &bytes)
    try change(groups(group, of: object.entity), by: bytes.rawSpan, of: object.id, isRemoval: false)
    giveBack(keyBuffer: bytes)
  }

  // MARK: Rows

  /// Adds a contribution to its group, or takes it out.
  private func change(_ number: Int, by bytes: RawSpan, of object: ObjectID, isRemoval: Bool) throws {
    let groups = flatModel.groups[number]
    let (key, values) = try groups.contribution(bytes)
    let address = GroupAddress(groups: number, id: groups.id(of: key.rawSpan))
    var row = try changedGroups.removeValue(forKey: address) ?? groupRow(address, key)
    if isRemoval { try row.remove(values) } else { row.add(values) }
    for (number, path) in groups.paths.enumerated() {
      if path.hasSet, !values[number].isNull {
        let key = groups.key(of: values[number], in: address.id, path: number)
        try row.changeSetCount(
          of: number, by: changeCount(of: values[number], key, isRemoval: isRemoval))
      }
      if path.hasPlaces {
        var key = groups.prefix(of: address.id, path: number, places: true)
        key.append(object)
        if isRemoval {
          layer.links.delete(key.rawSpan)
        } else {
          layer.links.put(key, KeptGroups.row(ofPlaced: values[number]).rawSpan)
        }
      }
    }
    changedGroups[address] = row
  }

  /// Returns the state of a group before the present settling.
  private func groupRow(_ address: GroupAddress, _ key: [UInt8]) throws -> GroupRow {
    let groups = flatModel.groups[address.groups]
    var row: [UInt8] = []
    RowKey.object(groups.tag, address.id, into: &row)
    guard let record = try unsafe reader.unsafeValue(for: row.rawSpan, in: .objects) else {
      try reader.proveAbsence(of: row.rawSpan, in: .objects)
      return GroupRow(new: key, of: groups)
    }
    return try GroupRow(RecordView(record), of: groups)
  }

  /// Changes the number of objects that have a value.
  ///
  /// - Returns: What that does to the number of different values.
  private func changeCount(of value: Value, _ key: [UInt8], isRemoval: Bool) throws -> Int {
    var count = 0
    if let row = try unsafe reader.unsafeValue(for: key.rawSpan, in: .links) {
      count = try KeptGroups.read(row).count
    } else {
      try reader.proveAbsence(of: key.rawSpan, in: .links)
    }
    guard isRemoval else {
      layer.links.put(key, KeptGroups.row(value, count: count + 1).rawSpan)
      return count == 0 ? 1 : 0
    }
    guard count > 0 else { throw ProjectionFault("an object leaves a group without the value that it had") }
    if count > 1 {
      layer.links.put(key, KeptGroups.row(value, count: count - 1).rawSpan)
    } else {
      layer.links.delete(key.rawSpan)
    }
    return count == 1 ? -1 : 0
  }

  /// Writes the rows of the groups that changed.
  func settleGroups() throws {
    for (address, row) in changedGroups { try write(row, at: address) }
    changedGroups.removeAll(keepingCapacity: true)
  }

  private func write(_ state: GroupRow, at address: GroupAddress) throws {
    let groups = flatModel.groups[address.groups]
    var state = state
    let key = try GroupRow.values(of: state.key)
    var rowKey: [UInt8] = []
    RowKey.object(groups.tag, address.id, into: &rowKey)
    if state.isNew != state.isEmpty {
      var indexKey: [UInt8] = []
      indexKey.appendFixed(groups.keysTag.number)
      for (part, value) in zip(groups.keys, key) { part.append(value, to: &indexKey) }
      RowKey.finishIndexKey(address.id, key: &indexKey)
      if state.isEmpty { layer.indexes.delete(indexKey.rawSpan) } else { layer.indexes.put(indexKey) }
    }
    let hadFault = state.hasFault
    var faults: [UInt8] = []
    if state.isEmpty {
      if !state.isNew { layer.objects.delete(rowKey.rawSpan) }
    } else {
      var record = try GroupRow.record(of: groups.keys, key) { row in
        for (number, value) in groups.values.enumerated() {
          let present = try self.value(value, of: state, address)
          if present == nil { faults.append(UInt8(number)) }
          row.appendField(value.tag, present ?? .null)
        }
      }
      state.hasFault = !faults.isEmpty
      state.appendState(of: groups, to: &record)
      layer.objects.put(rowKey, record.rawSpan)
    }
    let faultKey = groups.faultKey(of: address.id)
    if !faults.isEmpty {
      layer.links.put(faultKey, faults.rawSpan)
    } else if hadFault {
      layer.links.delete(faultKey.rawSpan)
    }
  }

  /// Returns what is computed over a group, or `nil` for a sum or an average that its type does not have.
  private func value(_ value: KeptGroups.Value, of state: GroupRow, _ address: GroupAddress) throws -> Value? {
    guard let path = value.path else { return .integer(Int64(state.count)) }
    switch value.function {
    case .count: return .integer(Int64(state.count))
    case .sum, .average: return value.function == .sum ? try? state.sums[path]?.sum() : try? state.sums[path]?.average()
    case .distinct: return .integer(Int64(state.setCounts[path]))
    case .minimum, .maximum: return try extreme(of: path, in: address, isGreatest: value.function == .maximum)
    case .first, .last:
      let prefix = flatModel.groups[address.groups].prefix(of: address.id, path: path, places: true)
      return try end(of: prefix, isLast: value.function == .last) { _, row in try KeptGroups.read(row).value } ?? .null
    }
  }

  /// Calls a closure with the first or the last row in `links` whose key begins with a prefix.
  private func end<Result>(
    of prefix: [UInt8], isLast: Bool, _ body: (_ key: RawSpan, _ row: RawSpan) throws -> Result
  ) throws -> Result? {
    var cursor = try reader.makeCursor(in: .links)
    let isFound: Bool
    if isLast {
      guard let next = RowKey.successor(ofPrefix: prefix) else { return nil }
      isFound = try cursor.seek(before: next.rawSpan, limit: .key(prefix))
    } else {
      isFound = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
    }
    guard isFound, hasPrefix(cursor.key, prefix.rawSpan) else { return nil }
    return try body(cursor.key, cursor.value)
  }

  /// Returns the least or the greatest value of a path; null without any.
  ///
  /// - Complexity: O(log *n*), and O(*m*) for *m* values that are equal up to where keys are cut.
  private func extreme(of path: Int, in address: GroupAddress, isGreatest: Bool) throws -> Value {
    let groups = flatModel.groups[address.groups]
    let prefix = groups.prefix(of: address.id, path: path, places: false)
    let found = try end(of: prefix, isLast: isGreatest) { key, row in
      let sorted = KeptGroups.isCut(key) ? Array([UInt8](key).prefix(KeptGroups.sortedSize(ofKey: key))) : nil
      return (value: try KeptGroups.read(row).value, sorted: sorted)
    }
    guard var best = found?.value else { return .null }
    guard let sorted = found?.sorted else { return best }
    let order = groups.paths[path].path.order
    var cursor = try reader.makeCursor(in: .links)
    var isValid = try cursor.seek(atOrAfter: sorted.rawSpan, limit: .prefix(sorted))
    while isValid, hasPrefix(cursor.key, sorted.rawSpan) {
      let value = try KeptGroups.read(cursor.value).value
      let difference = ValueOrder.compare(value, best, order: order)
      if isGreatest ? difference > 0 : difference < 0 { best = value }
      isValid = try cursor.advance()
    }
    return best
  }
}

private extension ResolvedGrouping.Key {
  /// Appends the bytes by which groups are in order of a key.
  ///
  /// - Parameter value: The value of the key, before it is shown.
  func append(_ value: Value, to key: inout [UInt8]) {
    if orderTag != nil {
      SortKey.append(value, to: &key)
    } else {
      SortKey.append(shown(value), order: section?.order ?? path.order, to: &key)
    }
  }
}
