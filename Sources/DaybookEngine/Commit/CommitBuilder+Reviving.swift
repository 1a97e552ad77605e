import DaybookModel

extension CommitBuilder {
  /// Inserts deleted objects again, as they were when they were deleted.
  ///
  /// An object returns with its values and with the links that its delete removed, if the other end exists. A to-one
  /// relationship that has another target in the present state keeps that target.
  ///
  /// Events do not distinguish an `unrelate` from the start of a delete that directly follows it, so such a link is
  /// restored too.
  ///
  /// - Throws: `StoreError` with the code `notFound` for an object that never existed.
  /// - Complexity: O(*k* log *n*) for *k* events of the commits that deleted them.
  package func revive(_ ids: Set<ObjectID>, _ journal: some Journal) throws {
    var graves: [Position: Set<ObjectID>] = [:]
    for id in ids where try find(id) == nil {
      if let grave = try grave(of: id, journal) { graves[grave, default: []].insert(id) }
    }
    // Newest positions first, so that the later of two former targets is restored. Links are restored after all objects
    // exist.
    let positions = graves.keys.sorted(by: >)
    for position in positions { try reviveObjects(graves[position] ?? [], at: position, journal) }
    var places = RestoredPlaces()
    for position in positions { try reviveLinks(of: graves[position] ?? [], at: position, journal, &places) }
  }

  private func lastPosition(of id: ObjectID) throws -> Position {
    for number in fold.flatModel.roots {
      if let record = try unsafe fold.unsafeRecord(of: ObjectKey(entity: number, id: id)) {
        return try RecordView(record).stamps.last
      }
    }
    throw StoreError(.notFound, "There has never been an object \(id).")
  }

  /// Returns the commit that deleted an object, or `nil` if no commit did.
  ///
  /// Later commits may have recorded events about the deleted object.
  private func grave(of id: ObjectID, _ journal: some Journal) throws -> Position? {
    var walk = HistoryWalk(of: id, from: try lastPosition(of: id))
    while let position = walk.next {
      var isGrave = false
      try journal.withCommit(at: position) { commit in
        var events = commit.events
        while !events.isAtEnd, !isGrave {
          let event = try events.next()
          isGrave = event.kind == .deleted && event.object == id
        }
        try walk.advance(over: commit)
      }
      if isGrave { return position }
    }
    return nil
  }

  private func reviveObjects(_ ids: Set<ObjectID>, at position: Position, _ journal: some Journal) throws {
    var missing = ids
    try journal.withCommit(at: position) { commit in
      var events = commit.events
      try events.forEachReversed { event in
        guard event.kind == .deleted, missing.remove(event.object) != nil,
          let number = model.entity(tagged: event.entity), !model.entities[number].isRetired
        else { return }
        let entity = model.entities[number]
        try carryOut(.insert(entity: entity.name, values: values(of: event.fields, entity), id: event.object))
      }
    }
  }

  private func reviveLinks(
    of ids: Set<ObjectID>, at position: Position, _ journal: some Journal, _ places: inout RestoredPlaces
  ) throws {
    var missing = ids
    // The revived objects whose delete may include the preceding `unrelated` events, and the object deleted next.
    var going: Set<ObjectID> = []
    var next: ObjectID?
    try journal.withCommit(at: position) { commit in
      var events = commit.events
      try events.forEachReversed { event in
        if event.kind == .deleted {
          next = event.object
          if missing.remove(event.object) != nil { going.insert(event.object) }
        } else if event.kind == .unrelated, let link = LinkIdentity(event, isFormer: true),
          next == link.owner || next == link.target
        {
          guard going.contains(link.owner) || going.contains(link.target), try isFree(link) else { return }
          try restore(event, &places)
        } else {
          going = []
        }
      }
    }
  }

  /// Whether a link can be restored without removing another link.
  private func isFree(_ link: LinkIdentity) throws -> Bool {
    guard let reference = model.relationship(tagged: link.relationship), !model[reference].isRetired,
      try find(link.owner) != nil, try find(link.target) != nil
    else { return false }
    let inverse = model.inverse(of: reference)
    if model[reference].isMany { return true }
    if try !fold.targets(of: reference, from: link.owner).isEmpty { return false }
    return try model[inverse].isMany || fold.targets(of: inverse, from: link.target).isEmpty
  }
}
