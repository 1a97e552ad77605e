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
            over: tip, at: nextStepPosition, largeValues, in: store, body)
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
}
