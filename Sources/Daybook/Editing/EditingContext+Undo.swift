import DaybookEngine

extension EditingContext {
  /// Whether there is a step to undo.
  public var canUndo: Bool { locked { !steps.isEmpty } }

  /// Whether there is a step to redo.
  public var canRedo: Bool { locked { !undone.isEmpty } }

  /// The number of steps that can be undone.
  package var stepCount: Int { locked { steps.count } }

  /// Undoes the last step.
  ///
  /// - Returns: Whether there was a step to undo.
  /// - Throws: `StoreError`: `busy` while a context on top of this one is open; `expired`.
  /// - Complexity: O(*k* log *n*) for *k* events of the step.
  @discardableResult
  public func undo() throws -> Bool {
    try locked {
      try checkFree()
      guard let step = steps.last else { return false }
      try apply(step, .backward)
      steps.removeLast()
      undone.append(step)
      return true
    }
  }

  /// Redoes the step that was undone last. A new edit discards the undone steps.
  ///
  /// - Returns: Whether there was a step to redo.
  /// - Throws: `StoreError`: `busy` while a context on top of this one is open; `expired`.
  @discardableResult
  public func redo() throws -> Bool {
    try locked {
      try checkFree()
      guard let step = undone.last else { return false }
      try apply(step, .forward)
      undone.removeLast()
      steps.append(step)
      return true
    }
  }

  private func apply(_ step: PendingStep, _ direction: Fold.Direction) throws {
    try withTip { tip in
      let layer = Layer()
      try step.fold(into: layer, over: tip.adding(layer), root.base.dependents, direction)
      try take(layer, making: step.changes, over: tip)
    }
  }
}
