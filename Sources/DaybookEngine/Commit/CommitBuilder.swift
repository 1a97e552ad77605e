import DaybookModel
import LMDB
import WorkLimits

/// A commit in progress: each verb writes its events and folds them into a layer.
///
/// A write session has a builder over the head; each step of an editing context has one over the context's state. They
/// differ in the state that the reader reads, and in the use of the layer and the events.
///
/// A builder belongs to the thread that made it, and lives as long as the transaction under its reader.
package final class CommitBuilder {
  /// Makes the identity of a new object.
  let makeID: () -> ObjectID
  let layer: Layer
  package let reader: Reader
  package let fold: Fold
  /// The large values that the verbs wrote.
  package let largeValues: LargeValueStage
  // Only one thread writes, and no borrower of these members can access them again while they change.
  @safe @exclusivity(unchecked) package var writer = EventWriter(position: 1, time: Timestamp(microseconds: 0))
  /// The end of the events that the fold has applied.
  @safe @exclusivity(unchecked) private var applied = EventReader.Mark.start
  /// The entity of the object that was found last, which the next one is likely to share.
  @safe @exclusivity(unchecked) var likelyEntity = 0
  /// The number of the relationship that was named last.
  @safe @exclusivity(unchecked) var likelyRelationship = 0
  /// The objects of recorded events that did not exist when the events were written.
  @safe @exclusivity(unchecked) var unbornSubjects: [(key: ObjectKey, event: String)] = []
  /// The verbs that wrote events, each with the event count after it; `nil` if verbs are not recorded.
  package var recordedVerbs: [(verb: Verb, end: Int)]?
  /// The buffer for the fields of an inserted object.
  @safe @exclusivity(unchecked) var fieldBuffer: [UInt8] = []
  /// The objects of projections; `nil` in a store without projections.
  package var derived: (any DerivedObjects)?
  /// Whether the caller of the write was cancelled; if `nil`, the present task is checked.
  package var isCancelled: (@Sendable () -> Bool)?
  /// The time that filters and rules of this commit may take.
  package var allowance = WorkAllowance(nil)
  /// The error that interrupted a verb of this commit half way.
  @safe @exclusivity(unchecked) @usableFromInline var failure: (any Error)?

  /// - Parameters:
  ///   - reader: Reads the state that the commit changes; `layer` is its highest layer.
  ///   - layer: Receives the changes.
  ///   - largeValues: Receives the large values; `nil` makes a stage over the reader's.
  ///   - makeID: Makes the identities of new objects.
  package init(
    reader: Reader, layer: Layer, dependents: Dependents, parts: Fold.Parts = .all,
    largeValues: LargeValueStage? = nil, makeID: @escaping () -> ObjectID
  ) {
    self.reader = reader
    self.largeValues = largeValues ?? LargeValueStage(over: reader.largeValues)
    self.layer = layer
    self.makeID = makeID
    fold = Fold(reader: reader, layer: layer, dependents: dependents, parts: parts)
  }

  package var model: ResolvedModel { reader.model }

  /// Begins a commit, and discards the state of the previous one.
  package func begin(at position: Position, time: Timestamp) {
    fold.reset()
    writer = EventWriter(position: position, time: time)
    unbornSubjects.removeAll(keepingCapacity: true)
    applied = .start
    failure = nil
  }

  /// Runs a verb, or a read within the commit.
  ///
  /// A verb that throws a `StoreError` before its first event has changed nothing, and a closure may catch the error
  /// and continue. Any other error leaves a part of a verb in the events or in the fold, where no later verb can repair
  /// it: it fails the commit, and each later verb and the end of the commit throw it again, even if the closure catches
  /// it.
  ///
  /// Inlinable, as is `checkWhole`, because reads of a transaction call it from another module.
  @inlinable @inline(__always)
  package func perform<Result>(_ verb: () throws -> Result) throws -> Result {
    try checkWhole()
    let count = writer.count
    do {
      return try verb()
    } catch {
      if writer.count != count || !(error is StoreError) { failure = error }
      throw error
    }
  }

  /// - Throws: The error that failed the commit, if a verb did.
  @inlinable @inline(__always)
  package func checkWhole() throws {
    if let failure { throw failure }
  }

  /// Carries out a verb that is given as data.
  ///
  /// - Returns: The identity of the inserted object, or `nil` for any verb but an insert.
  /// - Throws: The errors of the verb's own function.
  @discardableResult
  package func carryOut(_ verb: Verb) throws -> ObjectID? {
    switch verb {
    case .insert(let entity, let values, let id): return try insert(entity, values, id: id)
    case .rename(let id, let name): try rename(id, to: name)
    case .set(let id, let values): try set(id, values)
    case .relate(let id, let relationship, let target, let place): try relate(id, relationship, to: target, at: place)
    case .unrelate(let id, let relationship, let target): try unrelate(id, relationship, from: target)
    case .delete(let ids): try delete(ids)
    case .record(let event, let id, let values): try recordEvent(event, about: id, values)
    }
    return nil
  }

  /// Records a verb that was carried out, if verbs are recorded and it wrote events.
  ///
  /// The verb is an autoclosure, so that a write that records nothing does not copy the values.
  @inline(__always)
  func record(_ verb: @autoclosure () -> Verb) {
    if recordedVerbs == nil { return }
    if writer.count > recordedVerbs?.last?.end ?? 0 { recordedVerbs?.append((verb(), writer.count)) }
  }

  /// Writes an event and folds it.
  ///
  /// - Throws: `StoreError` with the code `tooLarge` as soon as the number or size of the events exceeds the limit of a
  ///   commit: such a commit cannot succeed, and must not use more memory until it ends.
  func log(_ fold: Fold, _ write: (inout EventWriter) throws -> Void) throws {
    guard writer.count < CommitLimits.maximumEventCount else {
      throw StoreError(
        .tooLarge, "The commit has more than \(CommitLimits.maximumEventCount) events.",
        advice: "Write it in several commits.")
    }
    try write(&writer)
    try PendingCommit.check(size: writer.bytes.count)
    var bytes: [UInt8] = []
    writer.exchange(&bytes)
    defer { writer.exchange(&bytes) }
    var reader = EventReader(bytes.rawSpan, position: writer.position, time: writer.time)
    reader.move(to: applied)
    try fold.apply(reader.next(), position: writer.position, time: writer.time, direction: .forward)
    applied = reader.mark
  }
}

/// A verb of a write with its arguments, as data.
///
/// ``CommitBuilder/carryOut(_:)`` is its only executor. An editing context records the verbs of its steps and carries
/// them out again over another state; undoing an event is one verb; the command turns its input into verbs.
package enum Verb {
  /// Inserts an object; without an identity the object gets a new one. A recorded verb has the identity.
  case insert(entity: String, values: [(key: String, value: Value)], id: ObjectID?)
  case rename(ObjectID, to: String)
  case set(ObjectID, values: [(key: String, value: Value)])
  case relate(ObjectID, relationship: String, to: ObjectID, at: Place)
  case unrelate(ObjectID, relationship: String, from: ObjectID)
  /// Deletes objects together: delete rules ignore the links between them.
  case delete([ObjectID])
  /// Records a named event about an object.
  case record(event: String, about: ObjectID, values: [(key: String, value: Value)])
}
