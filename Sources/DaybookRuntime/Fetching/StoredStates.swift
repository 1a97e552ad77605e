import DaybookEngine
import DaybookModel

/// What a projection reads, before and after one commit, by the present model: the stored objects, and the rows of the
/// projections that it reads.
final class StoredStates {
  /// What is folded beside objects and links before the first request of a projection that is far behind.
  static let leastParts = Fold.Parts.derived

  let after: Reader
  let dependents: Dependents
  /// The events of the commit, and after them what the projections that are read made of it; none for a commit of a
  /// model.
  let events: [UInt8]
  private let header: CommitHeader
  /// The state before the commit, once it is known.
  private var former: Reader?
  /// Makes the rows of indexes and constraints after the commit; `nil` if they exist.
  private var makeIndexes: (() throws -> Void)?

  /// - Parameters:
  ///   - after: The state that contains the events of the commit.
  ///   - before: The state before it; `nil` for a state that is made from the events by the first one who needs it.
  ///   - makeIndexes: Makes the rows of indexes and constraints after the commit, if they do not exist.
  init(
    after: Reader, before: Reader? = nil, _ dependents: Dependents, _ header: CommitHeader, events: [UInt8],
    makeIndexes: (() throws -> Void)? = nil
  ) {
    self.after = after
    former = before
    self.dependents = dependents
    self.header = header
    self.events = events
    self.makeIndexes = makeIndexes
  }

  /// Returns a reader of the state before the commit.
  func before() throws -> Reader {
    if let former { return former }
    let (layer, events) = (Layer(), events)
    let made = after.adding(layer)
    let fold = Fold(
      reader: made, layer: layer, dependents: dependents, parts: makeIndexes == nil ? .all : StoredStates.leastParts)
    try fold.fold(header, events: events.rawSpan, .backward)
    former = made
    return made
  }

  /// Makes the rows of indexes and constraints, which requests read, unless they exist.
  ///
  /// A reader of the state before the commit that was returned earlier does not have them.
  func requireIndexes() throws {
    guard let makeIndexes else { return }
    try makeIndexes()
    (self.makeIndexes, former) = (nil, nil)
  }
}
