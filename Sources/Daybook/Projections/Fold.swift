import DaybookModel
import LMDB

/// Folds events into the built-in projections: the one place that knows what an event does to objects, links, views,
/// constraints and derived values.
///
/// A write, catching up, a rebuild, and with ``Direction/backward`` the past and the old side of a difference, all fold
/// with this code. Events are applied one by one; ``settle()`` makes what they did visible to readers of the tables, and
/// ``finish()`` closes a commit.
///
/// What is folded is the *net change of each object*. An object's record is kept here while events touch it. Before the
/// first change that could alter a row of a view, the row's present key is computed and kept ("taken"); settling then
/// computes the new key and replaces the one by the other if they differ. The key can be taken so late because nothing
/// that it depends on has changed since the last settling: whatever changes such a thing takes the key first. Rows of
/// constraints are replaced only when the commit is finished, all old ones out and then all new ones in, so two objects
/// may swap their unique names.
///
/// Links go to the layer at once, because the next operation of the same commit may have to find them.
package final class Fold {
  package enum Direction: Sendable { case forward, backward }

  /// Which projections are kept up beside objects and links. A rebuild leaves the others out and builds them at the end.
  package struct Parts: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let views = Parts(rawValue: 1)
    package static let unique = Parts(rawValue: 2)
    package static let derived = Parts(rawValue: 4)
    package static let all: Parts = [.views, .unique, .derived]
  }

  let reader: Reader
  let layer: Layer
  let model: ResolvedModel
  let uses: ModelUses
  let shape: ModelShape
  let parts: Parts

  // One thread folds, and no method lends these to code that could come back to the fold: the checks for overlapping
  // access took a tenth of a write.
  @exclusivity(unchecked) var changes = PlainList<Change>()
  @exclusivity(unchecked) private var index = ObjectIndex()
  @exclusivity(unchecked) private var bounds: [IdentityBounds]
  /// The changes that differ, or may differ, from what the layer holds.
  @exclusivity(unchecked) var dirty = PlainList<Int>()
  @exclusivity(unchecked) var takenKeys = PlainList<TakenKey>()
  @exclusivity(unchecked) var derived: [DerivedKey: DerivedChange] = [:]
  /// The sums that the events so far leave without a value that their type can hold.
  @exclusivity(unchecked) var overflows: Set<DerivedKey> = []
  /// Holds the records and keys that the members above refer to. It only grows until the next commit; so that many
  /// changes of one large object do not keep a copy each, a record that nothing refers to is overwritten.
  let arena = ByteArena()
  /// Whether events of a later version were left out.
  private(set) var hasLeftOut = false
  // Buffers, which are taken out while they are used: what a class holds is retained each time that it is looked at.
  /// Where a record is put together before it goes to the arena.
  @exclusivity(unchecked) private var scratch: [UInt8] = []
  @exclusivity(unchecked) private var keyBuffer: [UInt8] = []
  @exclusivity(unchecked) private var fieldBuffer: [UInt8] = []

  /// - Parameters:
  ///   - reader: What the events are folded onto; `layer` is its highest layer.
  ///   - layer: Where the changes go.
  package init(reader: Reader, layer: Layer, uses: ModelUses, parts: Parts = .all) {
    precondition(reader.layers.last === layer, "A fold writes to the layer that its reader reads first.")
    self.reader = reader
    self.layer = layer
    self.uses = uses
    self.parts = parts
    shape = uses.shape
    bounds = Array(repeating: IdentityBounds(), count: uses.shape.entities.count)
    model = reader.model
  }

  /// What a fold knows of an object that events have touched.
  struct Change: BitwiseCopyable {
    let key: ObjectKey
    /// Its record when the commit began; empty for none.
    let start: StoredBytes
    /// Its record in the layer.
    var settled: StoredBytes
    /// Its record now.
    var current: StoredBytes
    /// A run in the arena that held an earlier record and may be overwritten.
    var spare = StoredBytes.none
    /// A bit for each view of the entity whose key has been taken since the last settling.
    var takenViews: UInt64 = 0
    var isDirty = false
    /// Whether an event has changed its record, if only its stamps.
    var isChanged = false
    /// Whether an event may have left it without something that it must have.
    var mayLackRequired = false
  }

  struct TakenKey: BitwiseCopyable {
    let change: Int
    let view: Int
    let key: StoredBytes
  }

  /// An empty buffer for a record, with the capacity of the last one.
  func takeScratch() -> [UInt8] { Fold.take(&scratch) }

  /// An empty buffer for a key. Who takes it gives it back, and lends it to what makes the key meanwhile.
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

  /// The number of an object's change, or nil if no event has touched it.
  @inline(__always)
  func change(of key: ObjectKey) -> Int? {
    index.number(of: key) { changes[$0].key }
  }

  /// The change of an object, beginning one if no event has touched it yet.
  func touch(_ key: ObjectKey) throws -> Int {
    if let number = change(of: key) { return number }
    var start = StoredBytes.none
    if let record = try storedRecord(of: key) { start = arena.store(record) }
    let number = changes.count
    changes.append(Change(key: key, start: start, settled: start, current: start))
    index.add(key, number: number) { changes[$0].key }
    bounds[key.entity].include(key.id)
    return number
  }

  /// The record of an object that no event has touched; nil if none was found.
  ///
  /// Identities mostly rise. Once an entity was asked for a few objects, it is found out which ones are the first and the
  /// last, and what is not between them is known not to be there without looking.
  @_lifetime(immortal)
  func storedRecord(of key: ObjectKey) throws -> RawSpan? {
    // Layers under the fold's own could be changed by others.
    guard reader.layers.count == 1 else { return try reader.foundRecord(of: key) }
    if bounds[key.entity].exclude(key.id) { return nil }
    if bounds[key.entity].shouldBeFound() {
      let ends = try reader.firstAndLastObject(of: shape.entities[key.entity].tag)
      bounds[key.entity].find(ends)
    }
    return try reader.foundRecord(of: key)
  }

  /// Forgets the commit that was finished, to fold the next one.
  package func reset() {
    changes.removeAll()
    index.removeAll()
    dirty.removeAll()
    takenKeys.removeAll()
    derived.removeAll(keepingCapacity: true)
    if !overflows.isEmpty { overflows.removeAll() }
    arena.removeAll()
  }

  /// What the fold keeps in memory beside its layer, roughly.
  package var sizeInBytes: Int {
    arena.sizeInBytes + changes.count * (MemoryLayout<Change>.stride + 64)
  }

  /// Applies all events of a commit; backward, from the last to the first.
  ///
  /// - Throws: `MalformedBytes` or `ProjectionFault` if the events are damaged or do not fit what they are folded onto.
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
    guard let entity = model.entity(tagged: event.entity) else {
      throw ProjectionFault(
        "commit \(position) speaks of an entity with the tag \(event.entity), which the model lacks")
    }
    let subject = try touch(ObjectKey(entity: entity, id: event.object))
    let moment = Moment(position: position, time: time, direction: direction)
    switch event.kind {
    case .inserted: try applyInserted(event, to: subject, at: moment)
    case .deleted: try applyDeleted(event, to: subject, at: moment)
    case .renamed, .set: try applyChanged(event, to: subject, at: moment)
    case .related, .unrelated: try applyLink(event, to: subject, at: moment)
    case .unknown: try applyUnknown(event, to: subject, at: moment)
    }
  }

  /// Notes that an event touched its object, and leaves out what it says: the events behind it name it as the one before.
  private func applyUnknown(_ event: EventView, to index: Int, at moment: Moment) throws {
    hasLeftOut = true
    let current = changes[index].current
    guard !current.isNone else { return }
    let last = moment.isForward ? moment.position : event.previous
    if isLive(index) {
      var stamps = try stamps(index)
      stamps.last = last ?? stamps.created
      try restamp(index, stamps)
    } else if let last {
      var scratch = takeScratch()
      scratch.appendTombstone(last: last)
      setCurrent(index, to: scratch)
    }
  }

  /// When, and which way, an event is applied.
  struct Moment {
    let position: Position
    let time: Timestamp
    let direction: Direction
    var isForward: Bool { direction == .forward }
  }
}

/// What is wrong with events that cannot be folded: they contradict the state they are folded onto.
///
/// The journal never holds such events unless it was damaged in a way that its hashes do not show.
package struct ProjectionFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
