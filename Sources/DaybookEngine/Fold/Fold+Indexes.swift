import DaybookModel
import LMDB

/// Maintains the rows of the indexes, and settles changes.
extension Fold {
  /// Takes the keys of all indexes of an object that is about to be deleted.
  func takeAllKeys(_ changed: Int) throws {
    guard parts.contains(.indexes) else { return }
    let entity = changes[changed].key.entity
    for index in 0..<flatModel.entities[entity].indexes.count { try takeKey(changed, index: index) }
    for group in 0..<flatModel.entities[entity].groups.count { try takeContribution(changed, group: group) }
  }

  /// Takes the keys of the indexes, and what is added to groups, of this object or of others, that a change of it will
  /// reach.
  func take(_ dependents: [Dependents.IndexRows], of changed: Int) throws {
    guard parts.contains(.indexes) else { return }
    for rows in dependents {
      if rows.inversePath.isEmpty {
        try take(rows, changed)
      } else {
        for id in try objects(along: rows.inversePath, from: changes[changed].key.id) {
          let dependent = try touch(ObjectKey(entity: rows.entity, id: id))
          // The way back leads to objects of other entities of a hierarchy too.
          if isKind(dependent, of: rows.entity) { try take(rows, dependent) }
        }
      }
    }
  }

  private func take(_ rows: Dependents.IndexRows, _ changed: Int) throws {
    if rows.areGroups {
      try takeContribution(changed, group: rows.index)
    } else {
      try takeKey(changed, index: rows.index)
    }
  }

  /// Keeps the present key of an object in an index.
  ///
  /// Nothing happens if the key was already taken or the index does not contain the object yet.
  private func takeKey(_ changed: Int, index: Int) throws {
    let bit = UInt64(1) << UInt64(index)
    guard unsafe isLive(changes[changed].settled), changes[changed].takenIndexes & bit == 0 else { return }
    var key = takeKeyBuffer()
    try makeKey(changed, index: index, into: &key)
    changes[changed].takenIndexes |= bit
    unsafe takenKeys.append(TakenKey(change: changed, index: index, key: arena.store(key)))
    giveBack(keyBuffer: key)
    markDirty(changed)
  }

  /// Builds the key of an object in an index.
  private func makeKey(_ changed: Int, index: Int, into key: inout [UInt8]) throws {
    try unsafe makeKey(
      of: changes[changed].key, record: RecordView(changes[changed].current.unsafeSpan), index: index, into: &key)
  }

  /// Builds the key of a live object in an index.
  private func makeKey(of object: ObjectKey, record: RecordView, index number: Int, into key: inout [UInt8]) throws {
    let index = flatModel.indexes[flatModel.entities[object.entity].indexes.lowerBound + number]
    key.removeAll(keepingCapacity: true)
    key.appendFixed(index.tag.number)
    try flatModel.keys.append(index.terms, of: object, record, from: self, to: &key)
    RowKey.finishIndexKey(object.id, key: &key)
  }

  /// Makes the effects of the events so far visible in the layer.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects changed since the last call.
  package func settle() throws {
    try settleDerived()
    guard !dirty.isEmpty else { return }
    for place in dirty.indices { settleRecord(dirty[place]) }
    if parts.contains(.indexes) {
      try settleTakenKeys()
      if !takenContributions.isEmpty { try settleTakenContributions() }
      for place in dirty.indices where unsafe !isLive(changes[dirty[place]].settled) && isLive(dirty[place]) {
        try putAllKeys(dirty[place])
      }
      if !changedGroups.isEmpty { try settleGroups() }
    }
    for place in dirty.indices {
      if !pendingHolders.isEmpty { try moveHolder(dirty[place]) }
      noteSettled(dirty[place])
    }
    dirty.removeAll()
    takenKeys.removeAll()
  }

  func settleRecord(_ changed: Int) {
    let change = changes[changed]
    guard unsafe !equalBytes(change.current.unsafeSpan, change.settled.unsafeSpan) else { return }
    var key = takeKeyBuffer()
    RowKey.object(flatModel.entities[change.key.entity].rowTag, change.key.id, into: &key)
    unsafe layer.objects.change(key, to: change.current)
    giveBack(keyBuffer: key)
  }

  private func settleTakenKeys() throws {
    var key = takeKeyBuffer()
    for place in takenKeys.indices {
      let taken = takenKeys[place]
      guard isLive(taken.change) else {
        unsafe layer.indexes.delete(taken.key.unsafeSpan)
        continue
      }
      try makeKey(taken.change, index: taken.index, into: &key)
      guard unsafe !equalBytes(key.rawSpan, taken.key.unsafeSpan) else { continue }
      unsafe layer.indexes.delete(taken.key.unsafeSpan)
      layer.indexes.put(key)
    }
    giveBack(keyBuffer: key)
  }

  private func putAllKeys(_ changed: Int) throws {
    var key = takeKeyBuffer()
    let change = changes[changed]
    let record = try unsafe RecordView(change.current.unsafeSpan)
    for index in 0..<flatModel.entities[change.key.entity].indexes.count {
      try makeKey(of: change.key, record: record, index: index, into: &key)
      layer.indexes.put(key)
    }
    giveBack(keyBuffer: key)
    for group in 0..<flatModel.entities[change.key.entity].groups.count {
      try putContribution(of: change.key, record: record, group: group)
    }
  }

  /// Adds the row of an object in the tables to the rows of an index that is being built.
  func putKey(of object: ObjectKey, record: RecordView, index: Int, in table: MemoryTable) throws {
    var key = takeKeyBuffer()
    try makeKey(of: object, record: record, index: index, into: &key)
    table.put(key)
    giveBack(keyBuffer: key)
  }
}
