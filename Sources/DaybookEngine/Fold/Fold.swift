import DaybookModel
import LMDB

/// Folds events into the built-in projections.
///
/// It is the only code that implements the effect of an event on objects, links, indexes, constraints and derived values.
///
/// A write, catching up, a rebuild, and with ``Direction/backward`` the past and the old side of a difference, all use
/// this code. Events are applied one by one; ``settle()`` makes their effects visible to readers of the tables, and
/// ``finish()`` closes a commit.
///
/// The fold keeps the *net change of each object*. An object's record is kept here while events touch it. Before the
/// first change that could alter a row of an index, the row's present key is computed and kept ("taken"); settling then
/// computes the new key and replaces the old key if they differ. The key can be taken so late because nothing that it
/// depends on has changed since the last settling: every change of such a thing takes the key first. Rows of
/// constraints are replaced only when the commit is finished, first all old rows out and then all new rows in, so two
/// objects may swap their unique names.
///
/// Links are written to the layer at once, because the next operation of the same commit may have to find them.
package final class Fold: PathSource {
  package enum Direction: Sendable { case forward, backward }

  /// The projections that are maintained beside objects and links.
  ///
  /// A rebuild omits the others and builds them at the end.
  package struct Parts: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let indexes = Parts(rawValue: 1)
    package static let unique = Parts(rawValue: 2)
    package static let derived = Parts(rawValue: 4)
    package static let all: Parts = [.indexes, .unique, .derived]
    /// Not a projection: stored objects stay as they are, and only the rows of derived entities are folded.
    package static let onlyDerivedEntities = Parts(rawValue: 8)
  }

  package let reader: Reader
  let layer: Layer
  let model: ResolvedModel
  let dependents: Dependents
  let flatModel: FlatModel
  let parts: Parts

  // One thread folds, and no method lends these members to code that could call the fold again: the checks for
  // overlapping access took a tenth of a write.
  @safe @exclusivity(unchecked) var changes = PlainList<Change>()
  @safe @exclusivity(unchecked) private var index = ObjectIndex()
  @safe @exclusivity(unchecked) private var bounds: [IdentityBounds]
  /// The changes that differ, or may differ, from what the layer holds.
  @safe @exclusivity(unchecked) var dirty = PlainList<Int>()
  @safe @exclusivity(unchecked) var takenKeys = PlainList<TakenKey>()
  /// What objects added to groups before the changes since the last settling; the index is the number of the groups.
  @safe @exclusivity(unchecked) var takenContributions = PlainList<TakenKey>()
  /// The groups whose rows are not written yet.
  @safe @exclusivity(unchecked) var changedGroups: [GroupAddress: GroupRow] = [:]
  @safe @exclusivity(unchecked) var derived: [DerivedKey: DerivedChange] = [:]
  /// The sums that have no value of their type after the events so far.
  @safe @exclusivity(unchecked) var overflows: Set<DerivedKey> = []
  /// The links that events have added over acyclic relationships: the owner's side, and the owner's change.
  @safe @exclusivity(unchecked) var acyclicLinks: [(reference: RelationshipReference, owner: Int)] = []
  /// The touched objects by their values of constraints, for the constraints by which objects were searched.
  @safe @exclusivity(unchecked) var pendingHolders: [ConstraintAddress: Holders] = [:]
  /// Holds the records and keys to which the members above refer.
  ///
  /// It only grows until the next commit. A record that is not referenced is overwritten, so that many changes of one
  /// large object do not keep a copy each.
  let arena = ByteArena()
  /// Whether events of a later version were omitted.
  package private(set) var hasLeftOut = false
  // Buffers, which are removed while they are used: a member of a class is retained at each access.
  /// The buffer in which a record is built before it is stored in the arena.
  @safe @exclusivity(unchecked) private var scratch: [UInt8] = []
  @safe @exclusivity(unchecked) private var keyBuffer: [UInt8] = []
  @safe @exclusivity(unchecked) private var fieldBuffer: [UInt8] = []

  /// - Parameters:
  ///   - reader: The state onto which the events are folded; `layer` is its highest layer.
  ///   - layer: The layer to which the changes are written.
  package init(reader: Reader, layer: Layer, dependents: Dependents, parts: Parts = .all) {
    precondition(reader.layers.last === layer, "A fold writes to the layer that its reader reads first.")
    self.reader = reader
    self.layer = layer
    self.dependents = dependents
    self.parts = parts
    flatModel = dependents.flatModel
    bounds = Array(repeating: IdentityBounds(), count: dependents.flatModel.entities.count)
    model = reader.model
  }

  /// The rules of the model. The fold applies each event without regard to them; the writer checks them.
  var rules: ModelRules { dependents.rules }

  /// The state of an object that events have touched.
  @safe
  struct Change: BitwiseCopyable {
    /// The object with its own entity, once it has a record.
    var key: ObjectKey
    /// The record when the commit began; empty if there was none.
    let start: UnsafeBytes
    /// The record in the layer.
    var settled: UnsafeBytes
    /// The record after the events so far.
    var current: UnsafeBytes
    /// A run in the arena that held an earlier record and may be overwritten.
    var spare = unsafe UnsafeBytes.none
    /// A bit for each index of the entity whose key has been taken since the last settling.
    var takenIndexes: UInt64 = 0
    /// A bit for each declaration of groups of the entity to which the object's contribution has been taken.
    var takenGroups: UInt16 = 0
    var isDirty = false
    /// Whether an event has changed the record, even if only its stamps.
    var isChanged = false
    /// Whether an event may have left the object without a required value or link.
    var mayLackRequired = false
    /// Whether no damage can hide a record of the object in the tables.
    var isAbsenceProven = false
  }

  @safe
  struct TakenKey: BitwiseCopyable {
    let change: Int
    let index: Int
    let key: UnsafeBytes
  }

  /// Returns an empty buffer for a record, with the capacity of the last one.
  func takeScratch() -> [UInt8] { Fold.take(&scratch) }

  /// Returns an empty buffer for a key.
  ///
  /// The caller gives it back, and lends it meanwhile to the code that builds the key.
  func takeKeyBuffer() -> [UInt8] { Fold.take(&keyBuffer) }

  func takeFieldBuffer() -> [UInt8] { Fold.take(&fieldBuffer) }

  func giveBack(scratch buffer: consuming [UInt8]) { scratch = buffer }
  func giveBack(keyBuffer buffer: consuming [UInt8]) { keyBuffer = buffer }
  func giveBack(fieldBuffer buffer: consuming [UInt8]) { fieldBuffer = buffer }

  private static func take(_ kept: inout [UInt8]) -> [UInt8] {
    var buffer: [UInt8] = []
    swap(&buffer, &kept)
    buffer.removeAll(keepingCapacity: true)
    return buffer
  }

  /// Returns the key by which changes are found: an object is the same for each entity of its hierarchy.
  @inline(__always)
  func rootKey(_ key: ObjectKey) -> ObjectKey {
    flatModel.hasHierarchies ? ObjectKey(entity: flatModel.entities[key.entity].root, id: key.id) : key
  }

  /// Returns the number of an object's change, or `nil` if no event has touched the object.
  @inline(__always)
  func change(of key: ObjectKey) -> Int? {
    index.number(of: rootKey(key)) { rootKey(changes[$0].key) }
  }

  /// Returns the number of an object's change, adding one if no event has touched the object.
  ///
  /// The object may be of another entity of the hierarchy than the key's.
  func touch(_ key: ObjectKey) throws -> Int {
    if let number = change(of: key) { return number }
    let root = rootKey(key)
    let isAbsenceProven = bounds[root.entity].exclude(key.id)
    var (key, start) = unsafe (key, UnsafeBytes.none)
    if let record = try unsafe unsafeStoredRow(of: key) {
      unsafe start = unsafe arena.store(record)
      if flatModel.hasHierarchies {
        key = ObjectKey(entity: try model.entity(of: RecordView(record), in: key.entity), id: key.id)
      }
    }
    let number = changes.count
    unsafe changes.append(
      Change(key: key, start: start, settled: start, current: start, isAbsenceProven: isAbsenceProven))
    index.add(root, number: number) { rootKey(changes[$0].key) }
    bounds[root.entity].include(key.id)
    return number
  }

  /// Returns whether an object that is touched is of an entity or of a descendant of it.
  @inline(__always)
  func isKind(_ changed: Int, of entity: Int) -> Bool {
    !flatModel.hasHierarchies || model.entities[changes[changed].key.entity].isKind(of: model.entities[entity])
  }

  /// Returns the key of an object with its own entity; the same key if it has no record.
  ///
  /// - Parameter key: An object of the entity or of a descendant of it.
  func concrete(_ key: ObjectKey) throws -> ObjectKey {
    guard flatModel.entities[key.entity].hasRelatives else { return key }
    return changes[try touch(key)].key
  }

  /// Returns the record of the object with an identity in the hierarchy of an entity that no event has touched, or `nil` if
  /// none was found.
  ///
  /// Identities usually ascend. After a few look-ups in a hierarchy, its first and last objects are found, and an
  /// identity that is not between them is known to be absent without a look-up.
  @unsafe
  @_lifetime(immortal)
  func unsafeStoredRow(of key: ObjectKey) throws -> RawSpan? {
    // Layers below the fold's own could be changed by other code.
    guard reader.layers.count == 1 else { return try unsafe reader.unsafeRow(of: key) }
    let root = flatModel.entities[key.entity].root
    if bounds[root].exclude(key.id) { return nil }
    if bounds[root].shouldBeFound() {
      let ends = try reader.firstAndLastObject(of: flatModel.entities[root].tag)
      bounds[root].find(ends)
    }
    return try unsafe reader.unsafeRow(of: key)
  }

  /// Checks that no damage hides the record of an object that was not found.
  ///
  /// The first and the last object of a hierarchy are verified when they are found, so nothing is hidden beyond them.
  func proveAbsence(of key: ObjectKey) throws {
    if bounds[flatModel.entities[key.entity].root].exclude(key.id) { return }
    let number = change(of: key)
    if let number, changes[number].isAbsenceProven { return }
    try reader.proveAbsence(of: key)
    if let number { changes[number].isAbsenceProven = true }
  }

  /// Discards the finished commit, to fold the next one.
  package func reset() {
    changes.removeAll()
    index.removeAll()
    dirty.removeAll()
    takenKeys.removeAll()
    takenContributions.removeAll()
    if !changedGroups.isEmpty { changedGroups.removeAll() }
    derived.removeAll(keepingCapacity: true)
    if !overflows.isEmpty { overflows.removeAll() }
    if !acyclicLinks.isEmpty { acyclicLinks.removeAll() }
    if !pendingHolders.isEmpty { pendingHolders.removeAll() }
    arena.removeAll()
  }

  /// The approximate memory that the fold uses, without its layer.
  package var sizeInBytes: Int {
    arena.sizeInBytes + changes.count * (MemoryLayout<Change>.stride + 64)
  }

  /// Applies all events of a commit; when folding backward, from the last to the first.
  ///
  /// - Throws: `MalformedBytes` or `ProjectionFault` if the events are damaged or do not fit the state.
  package func apply(
    _ events: RawSpan, position: Position, time: Timestamp, direction: Direction = .forward
  ) throws {
    var reader = EventReader(events, position: position, time: time)
    switch direction {
    case .forward:
      while !reader.isAtEnd { try apply(reader.next(), position: position, time: time, direction: .forward) }
    case .backward:
      try reader.forEachReversed { try apply($0, position: position, time: time, direction: .backward) }
    }
  }

  /// Applies one event.
  package func apply(
    _ event: EventView, position: Position, time: Timestamp, direction: Direction
  ) throws {
    if parts.contains(.onlyDerivedEntities), !event.entity.isDerived { return }
    guard let entity = model.entity(tagged: event.entity) else {
      throw ProjectionFault(
        "commit \(position) speaks of an entity with the tag \(event.entity), which the model lacks")
    }
    let subject = try touch(ObjectKey(entity: entity, id: event.object))
    if changes[subject].key.entity != entity { try setEntity(entity, of: subject, by: event) }
    let moment = Moment(position: position, time: time, direction: direction)
    switch event.kind {
    case .inserted: try applyInserted(event, to: subject, at: moment)
    case .deleted: try applyDeleted(event, to: subject, at: moment)
    case .renamed, .set: try applyChanged(event, to: subject, at: moment)
    case .related, .unrelated: try applyLink(event, to: subject, at: moment)
    case .recorded: try applyMention(event, to: subject, at: moment)
    case .unknown:
      hasLeftOut = true
      try applyMention(event, to: subject, at: moment)
    }
  }

  /// Notes the entity of an object that has no record, and was touched by the name of another entity of its hierarchy.
  private func setEntity(_ entity: Int, of index: Int, by event: EventView) throws {
    guard unsafe changes[index].current.isNone else {
      let (own, other) = (model.entities[changes[index].key.entity], model.entities[entity])
      throw ProjectionFault("an event speaks of \(event.object) as of a \(other.name), and it is a \(own.name)")
    }
    changes[index].key = ObjectKey(entity: entity, id: event.object)
  }

  /// Records that an event names its object, without changing the object.
  ///
  /// Later events refer to this event's commit as the earlier one of the object. An object that does not exist yet, and
  /// never did, has no record to note it in: the event that inserts it then refers to no earlier one.
  private func applyMention(_ event: EventView, to index: Int, at moment: Moment) throws {
    let current = unsafe changes[index].current
    guard unsafe !current.isNone else { return }
    let last = moment.isForward ? moment.position : event.previous
    if isLive(index) {
      var stamps = try stamps(index)
      stamps.last = last ?? stamps.created
      try restamp(index, stamps)
    } else if let last {
      var scratch = takeScratch()
      scratch.appendTombstone(last: last, of: flatModel.entities[changes[index].key.entity].recordTag)
      setCurrent(index, to: scratch)
    }
  }

  /// The time and direction in which an event is applied.
  struct Moment {
    let position: Position
    let time: Timestamp
    let direction: Direction
    var isForward: Bool { direction == .forward }
  }
}

/// The error that events contradict the state onto which they are folded.
///
/// The journal never contains such events unless it was damaged in a way that its hashes do not reveal.
package struct ProjectionFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
