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
    guard isLive(changes[index].settled), changes[index].takenViews & bit == 0 else { return }
    var key = takeKeyBuffer()
    try makeKey(index, view: view, into: &key)
    changes[index].takenViews |= bit
    takenKeys.append(TakenKey(change: index, view: view, key: arena.store(key)))
    giveBack(keyBuffer: key)
    markDirty(index)
  }

  /// Builds the key of an object in a view.
  private func makeKey(_ index: Int, view: Int, into key: inout [UInt8]) throws {
    try makeKey(of: changes[index].key, record: RecordView(changes[index].current.bytes), view: view, into: &key)
  }

  /// Builds the key of a live object in a view.
  private func makeKey(of object: ObjectKey, record: RecordView, view number: Int, into key: inout [UInt8]) throws {
    let view = shape.views[shape.entities[object.entity].views.lowerBound + number]
    key.removeAll(keepingCapacity: true)
    key.appendFixed(view.tag.number)
    for place in view.terms {
      let term = shape.terms[place]
      let start = key.count
      switch term.kind {
      case .id: SortKey.append(id: object.id, to: &key)
      case .createdAt: SortKey.append(integer: record.stamps.createdAt.microseconds, to: &key)
      case .changedAt: SortKey.append(integer: record.stamps.changedAt.microseconds, to: &key)
      case .attribute:
        if try record.appendSortKey(tag: term.tag, to: &key) { break }
        fallthrough
      case .other: try appendTerm(place - view.terms.lowerBound, ofView: number, of: object, record: record, to: &key)
      }
      if term.isDescending { SortKey.complement(&key, from: start) }
    }
    RowKey.finishView(object.id, key: &key)
  }

  /// Appends a term of any kind.
  private func appendTerm(
    _ number: Int, ofView view: Int, of object: ObjectKey, record: RecordView, to key: inout [UInt8]
  ) throws {
    let term = model.entities[object.entity].views[view].terms[number]
    if term.path.steps.isEmpty {
      try append(term, of: object, record: record, to: &key)
    } else {
      try appendFarTerm(term, of: object, to: &key)
    }
  }

  private func appendFarTerm(_ term: ResolvedTerm, of object: ObjectKey, to key: inout [UInt8]) throws {
    var object = object
    for step in term.path.steps {
      guard let next = try target(of: step.relationship, from: object) else { return key.append(0) }
      object = next
    }
    guard let record = try record(of: object) else { return key.append(0) }
    try append(term, of: object, record: RecordView(record), to: &key)
  }

  private func append(
    _ term: ResolvedTerm, of object: ObjectKey, record: RecordView, to key: inout [UInt8]
  ) throws {
    switch term.path.field {
    case .id: SortKey.append(id: object.id, to: &key)
    case .createdAt: SortKey.append(integer: record.stamps.createdAt.microseconds, to: &key)
    case .changedAt: SortKey.append(integer: record.stamps.changedAt.microseconds, to: &key)
    case .attribute(let number):
      try record.appendSortKey(model.entities[object.entity].attributes[number], to: &key)
    case .target(let number):
      let reference = RelationshipReference(entity: object.entity, relationship: number)
      if let target = try target(of: reference, from: object) {
        SortKey.append(id: target.id, to: &key)
      } else {
        key.append(0)
      }
    case .place: preconditionFailure("An index sorted by places.")
    }
  }

  /// Returns the target of a to-one relationship, owned or not.
  func target(of reference: RelationshipReference, from source: ObjectKey) throws -> ObjectKey? {
    let relationship = shape[reference]
    let id =
      relationship.isOwner
      ? try ownedTarget(of: source, relationship.tag) : try reader.linkTargets(relationship.tag, from: source.id).first
    return id.map { ObjectKey(entity: relationship.target, id: $0) }
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
      for place in dirty.indices where !isLive(changes[dirty[place]].settled) && isLive(dirty[place]) {
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
    guard !equalBytes(change.current.bytes, change.settled.bytes) else { return }
    var key = takeKeyBuffer()
    RowKey.object(shape.entities[change.key.entity].tag, change.key.id, into: &key)
    layer.objects.change(key, to: change.current)
    giveBack(keyBuffer: key)
  }

  private func settleTakenKeys() throws {
    var key = takeKeyBuffer()
    for place in takenKeys.indices {
      let taken = takenKeys[place]
      guard isLive(taken.change) else {
        layer.views.delete(taken.key.bytes)
        continue
      }
      try makeKey(taken.change, view: taken.view, into: &key)
      guard !equalBytes(key.span.bytes, taken.key.bytes) else { continue }
      layer.views.delete(taken.key.bytes)
      layer.views.put(key)
    }
    giveBack(keyBuffer: key)
  }

  private func putAllKeys(_ index: Int) throws {
    var key = takeKeyBuffer()
    let change = changes[index]
    let record = try RecordView(change.current.bytes)
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
