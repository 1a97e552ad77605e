import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The state that a context's edits are based on, as a layer over the moving head.
struct EditingBase {
  private var past: RewoundState
  /// Whether the layer from the head back to the base has outgrown its limit.
  private var isExpired = false

  /// - Throws: `StoreError` with the code `notFound` for a position beyond the head, or 0.
  init(_ reader: borrowing StoreReader, at position: Position?) throws {
    let target = position ?? reader.position
    try reader.requirePosition(target)
    guard target > .empty else {
      throw StoreError(
        .notFound, "At position 0 there is nothing to edit: it is the state before the model.",
        advice: "Give a position from 1.")
    }
    past = try RewoundState(
      target, before: reader.present, in: reader.journal, parts: .all, keeping: .all, limitInBytes: .max)
  }

  var position: Position { past.position }
  var model: ResolvedModel { past.model }
  var dependents: Dependents { past.dependents }

  /// Adds the changes between the last head and the present one.
  ///
  /// - Throws: `StoreError` with the code `expired` if the changes exceed the limit.
  mutating func extend(to reader: borrowing StoreReader, limitInBytes limit: Int) throws {
    if !isExpired {
      do {
        return try past.follow(reader.present, in: reader.journal, limitInBytes: limit)
      } catch is SpanTooLarge {
        isExpired = true
      }
    }
    throw StoreError(
      .expired, "What the context shows is of position \(position), and too much has changed since.",
      advice: "Rebase the context, or save it.")
  }

  /// Returns a reader of the base, over a reader of the head.
  func reader(over present: Reader) -> Reader { past.reader(over: present) }

  /// Adds the changes that lead from the head back to the base.
  func takeBack(into layer: Layer, over present: Reader) {
    for lower in past.reader(over: present).layers { layer.absorb(lower) }
  }
}

extension EditingBase {
  /// Makes a step's events and folds them into a new layer.
  ///
  /// - Parameters:
  ///   - tip: Reads this base with the preceding steps.
  ///   - position: The position of the step's events.
  ///   - stage: Receives the large values of the step, and has the ones of all steps below.
  /// - Returns: The result of `body`; and the step, or `nil` if it changes nothing.
  func makeStep<Result>(
    over tip: Reader, at position: Position, _ stage: LargeValueStage, in store: Store,
    _ body: (borrowing Transaction) throws -> Result
  ) throws -> (result: Result, step: (step: PendingStep, layer: Layer)?) {
    let layer = Layer()
    let builder = CommitBuilder(
      reader: tip.adding(layer), layer: layer, dependents: dependents, parts: PendingStep.parts,
      makeID: store.options.makeID)
    builder.recordedVerbs = []
    builder.derived = store.keeper
    builder.begin(at: position, time: store.options.clock())
    let result = try body(Transaction(builder: builder))
    try builder.checkWhole()
    try builder.checkRecordedObjects()
    let writer = builder.writer
    guard writer.count > 0 else { return (result, nil) }
    _ = try builder.fold.finish()
    stage.keep(
      try builder.largeValues.finishCommit(
        EventReader(writer.bytes.rawSpan, position: writer.position, time: writer.time)))
    return (result, (try PendingStep(builder), layer))
  }
}
