import DaybookEngine
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// Calls a closure with the reader of the state in which entities are read together: this one for stored entities.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` as ``derived(in:)``.
  package func reading<Result>(
    _ entities: [String], _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    if let derived = try derived(in: scope(of: entities)) { return try body(derived) }
    return try body(self)
  }

  /// Calls a closure with the reader of an entity's objects at an earlier position.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` as ``read(at:_:)`` and ``derived(in:)``.
  package func read<Result>(
    _ entity: String, at position: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    // The stored objects alone would be a second state of the position. By an earlier model, a stored entity may win the
    // name.
    if position >= modelPosition, position <= self.position, let derived = try derived(entity) {
      return try derived.read(at: position, body)
    }
    return try read(at: position) { try $0.reading([entity], body) }
  }

  /// Calls a closure with the reader of a request's result at an earlier position, from which nothing else is read.
  ///
  /// Stored objects are not brought to the position for derived rows that depend on nothing but their own records.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` as ``read(at:_:)`` and ``derived(in:)``.
  package func read<Result>(
    _ request: FetchRequest, at position: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    guard position >= modelPosition, position <= self.position, let derived = try derived(request.entity) else {
      return try read(request.entity, at: position, body)
    }
    let model = derived.resolvedModel
    let resolved = try ResolvedRequest(checking: request.atAnyTime, in: model).objects
    let readsOwnRecords =
      RequestDependents(resolved, in: model).readOnlyOwnRecords
      && model.entities[resolved.entity].recordLayout.foreignLinks.isEmpty
    return try derived.read(at: position, parts: readsOwnRecords ? [.all, .onlyDerivedEntities] : .all, body)
  }

  /// Calls a closure with the reader of the state in which an object is read: this one, unless it is a derived object.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` if it may be an object of a projection that lacks
  ///   the commit of this reader's past.
  package func reading<Result>(
    objectWith id: ObjectID, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    if try reader.find(id) != nil { return try body(self) }
    if let derived = try derived(having: id) { return try body(derived) }
    if id.isDerived { try requireAllRows() }
    return try body(self)
  }

  /// Calls a closure with the reader of an object at an earlier position.
  ///
  /// For a derived object, stored objects are brought to the position once, with the rows.
  ///
  /// - Parameter isAlone: Whether nothing but the object is read: stored objects are not brought to the position for an
  ///   object of a projection whose rows depend on nothing but their own records.
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` as ``read(at:_:)`` and ``reading(objectWith:_:)``.
  package func read<Result>(
    objectWith id: ObjectID, at position: Position, isAlone: Bool = false,
    _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    if id.isDerived, position > .empty {
      for rows in try readableRows() {
        guard let derived = try derived(in: rows.scope), derived.position >= position else { continue }
        let entities = derived.resolvedModel.entities.filter { rows.entities.contains($0.name) }
        let readsOwnRecords = isAlone && entities.allSatisfy { $0.recordLayout.foreignLinks.isEmpty }
        let found = try derived.read(
          at: position, parts: readsOwnRecords ? [.all, .onlyDerivedEntities] : .all
        ) { past -> Result? in
          guard let key = try past.reader.find(id), entities.contains(where: { $0.index == key.entity }) else {
            return nil
          }
          return try body(past)
        }
        if let found { return found }
      }
    }
    return try read(at: position) { try $0.reading(objectWith: id, body) }
  }

  /// Calls a closure with the reader of each projection that has rows at this position, and the names of its entities.
  package func forEachRows(_ body: (_ rows: borrowing StoreReader, _ entities: [String]) throws -> Void) throws {
    for rows in try readableRows() {
      if let derived = try derived(in: rows.scope) { try body(derived, rows.entities) }
    }
  }

  /// Returns the derived entities of the projections of the store, by the names of the projections.
  package func derivedEntities() throws -> [ProjectedEntity] {
    guard let derivedBase else { return [] }
    return try derivedBase.projections.derivedRows().flatMap { rows in
      rows.model.entities.map { entity in
        ProjectedEntity(
          declaration: entity, projection: rows.name,
          lag: position.number - min(position.number, rows.checkpoint.number))
      }
    }
  }
}

/// A derived entity of a projection in the store.
package struct ProjectedEntity: Sendable {
  package let declaration: DerivedEntity
  /// The projection that writes its objects.
  package let projection: String
  /// The number of commits that the rows lack, up to the position that was read.
  package let lag: UInt64

  package var name: String { declaration.entity.name }
}
