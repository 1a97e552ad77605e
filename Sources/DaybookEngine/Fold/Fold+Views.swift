import DaybookModel
import LMDB

/// Maintains the rows of the sorted views, and settles changes.
extension Fold {
  /// Takes the keys of all views of an object that is about to be deleted.
  func takeAllKeys(_ index: Int) throws {
    guard parts.contains(.views) else { return }
    for view in 0..<shape.entities[changes[index].key.entity].views.count { try takeKey(index, view: view) }
  }

  /// Takes the keys of the views, of this object or of others, that a change of it will reach.
  func take(_ dependents: [Dependents.IndexRows], of index: Int) throws {
    guard parts.contains(.views) else { return }
    for rows in dependents {
      if rows.inversePath.isEmpty {
        try takeKey(index, view: rows.index)
      } else {
        for id in try objects(along: rows.inversePath, from: changes[index].key.id) {
          try takeKey(try touch(ObjectKey(entity: rows.entity, id: id)), view: rows.index)
        }
      }
    }
  }

  /// Keeps the present key of an object in a view.
  ///
  /// Nothing happens if the key was already taken or the view does not contain the object yet.
  private func takeKey(_ index: Int, view: Int) throws {
    let bit = UInt64(1) << UInt64(view)
    guard unsafe isLive(changes[index].settled), changes[index].takenViews & bit == 0 else { return }
    var key = takeKeyBuffer()
    try makeKey(index, view: view, into: &key)
    changes[index].takenViews |= bit
    unsafe takenKeys.append(TakenKey(change: index, view: view, key: arena.store(key)))
    giveBack(keyBuffer: key)
    markDirty(index)
  }

  /// Builds the key of an object in a view.
  private func makeKey(_ index: Int, view: Int, into key: inout [UInt8]) throws {
    try unsafe makeKey(
      of: changes[index].key, record: RecordView(changes[index].current.unsafeSpan), view: view, into: &key)
  }

  /// Builds the key of a live object in a view.
  private func makeKey(of object: ObjectKey, record: RecordView, view number: Int, into key: inout [UInt8]) throws {
    let view = shape.views[shape.entities[object.entity].views.lowerBound + number]
    key.removeAll(keepingCapacity: true)
    key.appendFixed(view.tag.number)
    try shape.keys.append(view.terms, of: object, record, from: self, to: &key)
    RowKey.finishView(object.id, key: &key)
  }

  /// Makes the effects of the events so far visible in the layer.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects changed since the last call.
  package func settle() throws {
    try settleDerived()
    guard !dirty.isEmpty else { return }
    for place in dirty.indices { settleRecord(dirty[place]) }
    if parts.contains(.views) {
      try settleTakenKeys()
      for place in dirty.indices where unsafe !isLive(changes[dirty[place]].settled) && isLive(dirty[place]) {
        try putAllKeys(dirty[place])
      }
    }
    for place in dirty.indices {
      noteSettled(dirty[place])
    }
    dirty.removeAll()
    takenKeys.removeAll()
  }

  func settleRecord(_ index: Int) {
    let change = changes[index]
    guard unsafe !equalBytes(change.current.unsafeSpan, change.settled.unsafeSpan) else { return }
    var key = takeKeyBuffer()
    RowKey.object(shape.entities[change.key.entity].tag, change.key.id, into: &key)
    unsafe layer.objects.change(key, to: change.current)
    giveBack(keyBuffer: key)
  }

  private func settleTakenKeys() throws {
    var key = takeKeyBuffer()
    for place in takenKeys.indices {
      let taken = takenKeys[place]
      guard isLive(taken.change) else {
        unsafe layer.views.delete(taken.key.unsafeSpan)
        continue
      }
      try makeKey(taken.change, view: taken.view, into: &key)
      guard unsafe !equalBytes(key.rawSpan, taken.key.unsafeSpan) else { continue }
      unsafe layer.views.delete(taken.key.unsafeSpan)
      layer.views.put(key)
    }
    giveBack(keyBuffer: key)
  }

  private func putAllKeys(_ index: Int) throws {
    var key = takeKeyBuffer()
    let change = changes[index]
    let record = try unsafe RecordView(change.current.unsafeSpan)
    for view in 0..<shape.entities[change.key.entity].views.count {
      try makeKey(of: change.key, record: record, view: view, into: &key)
      layer.views.put(key)
    }
    giveBack(keyBuffer: key)
  }

  /// Adds the row of an object in the tables to a view that is being built.
  func putKey(of object: ObjectKey, record: RecordView, view: Int) throws {
    var key = takeKeyBuffer()
    try makeKey(of: object, record: record, view: view, into: &key)
    layer.views.put(key)
    giveBack(keyBuffer: key)
  }
}
