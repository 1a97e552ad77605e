import DaybookModel
import LMDB

/// A commit under way: the verbs, each of which writes its events and folds them into a layer.
///
/// A write session has one, over the head; each step of an editing context has one, over what the context shows. They
/// differ in what the reader reads and in what becomes of the layer and the events.
///
/// It belongs to the thread that made it, and lives as long as the transaction under its reader.
package final class CommitBuilder {
  let options: StoreOptions
  let layer: Layer
  package let reader: Reader
  // One thread writes, and these are lent to nothing that could come back to them while they change.
  @exclusivity(unchecked) let fold: Fold
  @exclusivity(unchecked) var writer = EventWriter(position: 1, time: Timestamp(microseconds: 0))
  /// How many of its events the fold has taken in.
  @exclusivity(unchecked) private var applied = EventReader.Mark.start
  /// The entity in which an object was found last: the next one is likely to be there too.
  @exclusivity(unchecked) var likelyEntity = 0
  /// The number of the relationship that was named last.
  @exclusivity(unchecked) var likelyRelationship = 0
  /// The verbs that changed something, each with the number of events there were after it; nil if nobody asks for them.
  var operations: [(operation: PendingOperation, end: Int)]?
  /// Where the fields of an object that is inserted are put together.
  @exclusivity(unchecked) var fieldBuffer: [UInt8] = []
  /// Whether the caller of the write has been cancelled; nil where that is a question for this thread's task.
  var isCancelled: (() -> Bool)?
  /// The error that left a verb of this commit half done.
  @exclusivity(unchecked) private var failure: (any Error)?

  /// - Parameters:
  ///   - reader: Reads the state that the commit changes; `layer` is its highest layer.
  ///   - layer: Where the changes go.
  init(reader: Reader, layer: Layer, uses: ModelUses, parts: Fold.Parts = .all, options: StoreOptions) {
    self.reader = reader
    self.layer = layer
    self.options = options
    fold = Fold(reader: reader, layer: layer, uses: uses, parts: parts)
  }

  package var model: ResolvedModel { reader.model }

  /// Begins a commit, and forgets the one before.
  func begin(at position: Position, time: Timestamp) {
    fold.reset()
    writer = EventWriter(position: position, time: time)
    applied = .start
    failure = nil
  }

  /// Carries out a verb, or a look at what the verbs so far did.
  ///
  /// A verb that refuses with a `StoreError` before its first event has changed nothing, and a closure may catch that and
  /// continue. Any other error leaves a part of a verb in the events or in the fold, where no later verb can repair it: it
  /// fails the commit, and each later verb and the end of the commit throw it again, even if the closure catches it.
  @inline(__always)
  func perform<Result>(_ verb: () throws -> Result) throws -> Result {
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
  @inline(__always)
  func checkWhole() throws {
    if let failure { throw failure }
  }

  /// Notes a verb that has been carried out.
  @inline(__always)
  func note(_ operation: @autoclosure () -> PendingOperation) {
    if operations == nil { return }
    if writer.count > operations?.last?.end ?? 0 { operations?.append((operation(), writer.count)) }
  }

  /// Forgets what the commit has changed.
  func discard() {
    layer.removeAll()
  }

  /// Writes an event, and folds it.
  ///
  /// - Throws: `StoreError` with the code `tooLarge` as soon as the events are more, or larger, than a commit may hold:
  ///   such a commit cannot end well, and must not take memory until it ends.
  func log(_ fold: Fold, _ write: (inout EventWriter) throws -> Void) throws {
    guard writer.count < CommitLimits.maximumEventCount else {
      throw StoreError(
        .tooLarge, "The commit has more than \(CommitLimits.maximumEventCount) events.",
        advice: "Write it in several commits.")
    }
    try write(&writer)
    try CommitLimits.check(size: writer.bytes.count)
    var bytes: [UInt8] = []
    writer.exchange(&bytes)
    defer { writer.exchange(&bytes) }
    var reader = EventReader(bytes.span.bytes, position: writer.position, time: writer.time)
    reader.move(to: applied)
    try fold.apply(reader.next(), position: writer.position, time: writer.time, direction: .forward)
    applied = reader.mark
  }
}
