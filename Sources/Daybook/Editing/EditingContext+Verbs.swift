import DaybookEngine
import DaybookModel
import DaybookRuntime

extension EditingContext {
  /// Records several verbs as one step.
  ///
  ///     try context.edit { tx in
  ///       let tag = try tx.insert("Tag", ["name": "sweet"])
  ///       try tx.relate(cake, "tags", to: tag)
  ///     }
  ///
  /// If the closure throws, no edit is recorded. A closure that changes nothing records no step.
  ///
  /// - Returns: The closure's result.
  /// - Throws: Any error of `body`; `StoreError` with the code `busy` while a context on top of this one is open,
  ///   `expired` if too much has changed in the store since ``position``.
  /// - Complexity: The sum of the verbs.
  @discardableResult
  public func edit<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
    try locked {
      try checkFree()
      isInUse = true
      defer { isInUse = false }
      do {
        return try withTip { tip in
          let (result, step) = try root.base.makeStep(
            over: tip, at: nextStepPosition, largeValues, store.options, body)
          if let step { try add(step, over: tip) }
          return result
        }
      } catch {
        throw StoreError.translating(error)
      }
    }
  }

  /// Adds a new step.
  func add(_ step: (step: PendingStep, layer: Layer), over tip: Reader) throws {
    try take(step.layer, making: step.step.changes, over: tip)
    steps.append(step.step)
    undone.removeAll()
  }

  /// The position of the next step, as if each step were a commit after the steps below.
  var nextStepPosition: Position {
    switch ground {
    case .store: Position(base.position.number + UInt64(steps.count) + 1)
    case .context(let context): Position(context.nextStepPosition.number + UInt64(steps.count))
    }
  }

  /// Inserts an object; see ``Transaction/insert(_:_:id:)``.
  ///
  /// - Throws: `StoreError`: `badValue`, `exists`, `busy` while a context on top of this one has edits, `expired`,
  ///   `closed`.
  @discardableResult
  public func insert(
    _ entity: String, _ values: KeyValuePairs<String, Value> = [:], id: ObjectID? = nil
  ) throws -> ObjectID {
    try edit { try $0.insert(entity, values, id: id) }
  }

  /// Changes the name of an object; see ``Transaction/rename(_:to:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`, `busy` while a context on top of this one has edits, `expired`,
  ///   `closed`.
  public func rename(_ id: ObjectID, to name: String) throws {
    try edit { try $0.rename(id, to: name) }
  }

  /// Changes attributes of an object; see ``Transaction/set(_:_:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`, `busy` while a context on top of this one has edits, `expired`,
  ///   `closed`.
  public func set(_ id: ObjectID, _ values: KeyValuePairs<String, Value>) throws {
    try edit { try $0.set(id, values) }
  }

  /// Links two objects; see ``Transaction/relate(_:_:to:at:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`, `busy` while a context on top of this one has edits, `expired`,
  ///   `closed`.
  public func relate(_ id: ObjectID, _ relationship: String, to target: ObjectID, at place: Place = .unspecified) throws
  {
    try edit { try $0.relate(id, relationship, to: target, at: place) }
  }

  /// Removes the link between two objects; see ``Transaction/unrelate(_:_:from:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`, `busy` while a context on top of this one has edits, `expired`,
  ///   `closed`.
  public func unrelate(_ id: ObjectID, _ relationship: String, from target: ObjectID) throws {
    try edit { try $0.unrelate(id, relationship, from: target) }
  }

  /// Records a named event about an object; see ``Transaction/record(_:about:_:)``.
  ///
  /// Saving writes it if the object exists or existed. It never conflicts with commits of others.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`, `constraint`, `busy` while a context on top of this one has edits,
  ///   `expired`, `closed`.
  public func record(_ event: String, about id: ObjectID, _ values: KeyValuePairs<String, Value> = [:]) throws {
    try edit { try $0.record(event, about: id, values) }
  }

  /// Deletes an object, following its delete rules; see ``Transaction/delete(_:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `constraint` if a delete rule refuses, `busy` while a context on top of this
  ///   one has edits, `expired`, `closed`.
  public func delete(_ id: ObjectID) throws {
    try edit { try $0.delete(id) }
  }
}
