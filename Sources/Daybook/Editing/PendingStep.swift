import DaybookEngine
import DaybookModel

/// A verb, with the number of its events and the objects that they delete.
struct PendingEdit {
  let verb: PendingVerb
  let eventCount: Int
  /// In the order of the events: an object after the objects that its delete rules delete.
  let deleted: [ObjectID]
  /// The link that the verb made or removed.
  let link: LinkIdentity?
}

/// One step that ``EditingContext/undo()`` undoes: some verbs, with their events.
struct PendingStep {
  let edits: [PendingEdit]
  /// The changes that the events make.
  let changes: [CausedChange]
  /// The entities of the objects at the ends of links, which the links do not tell in a hierarchy.
  let ends: [ObjectID: Tag]
  /// Encoded as they would be in a commit of this position and time.
  let events: [UInt8]
  let position: Position
  let time: Timestamp

  /// - Parameter builder: A builder that has made the step's events and recorded its verbs.
  init(_ builder: CommitBuilder) throws {
    (position, time) = (builder.writer.position, builder.writer.time)
    events = builder.writer.bytes
    edits = try PendingStep.edits(builder)
    changes = try PendingStep.changes(builder)
    ends = builder.model.hasHierarchies ? try PendingStep.ends(builder) : [:]
  }

  private static func edits(_ builder: CommitBuilder) throws -> [PendingEdit] {
    let writer = builder.writer
    var reader = EventReader(writer.bytes.rawSpan, position: writer.position, time: writer.time)
    var edits: [PendingEdit] = []
    var start = 0
    for (verb, end) in builder.recordedVerbs ?? [] {
      var parts = EditedParts()
      for _ in start..<end { try parts.add(reader.next()) }
      edits.append(
        PendingEdit(
          verb: PendingVerb(verb, writing: parts, in: builder.model), eventCount: end - start, deleted: parts.deleted,
          link: parts.link))
      start = end
    }
    return edits
  }

  private static func changes(_ builder: CommitBuilder) throws -> [CausedChange] {
    let writer = builder.writer
    var changes: Set<ObjectChange> = []
    try EventReader(writer.bytes.rawSpan, position: writer.position, time: writer.time)
      .forEachChange(in: builder.model) { changes.insert($0) }
    return changes.map { CausedChange(change: $0, cause: nil) }
  }

  private static func ends(_ builder: CommitBuilder) throws -> [ObjectID: Tag] {
    let writer = builder.writer
    var events = EventReader(writer.bytes.rawSpan, position: writer.position, time: writer.time)
    var ends: [ObjectID: Tag] = [:]
    while !events.isAtEnd {
      guard let link = try events.next().link else { continue }
      for case let id? in [link.from, link.to] where ends[id] == nil {
        ends[id] = try builder.find(id).map { builder.model.entities[$0.entity].tag }
      }
    }
    return ends
  }

  /// Folds the step's events, or undoes them.
  func fold(into layer: Layer, over reader: Reader, _ dependents: Dependents, _ direction: Fold.Direction) throws {
    let fold = Fold(reader: reader, layer: layer, dependents: dependents, parts: PendingStep.parts)
    try fold.apply(events.rawSpan, position: position, time: time, direction: direction)
    _ = try fold.finish()
  }

  /// The parts of the projections that a context maintains. Without unique rows, as unique values may collide during
  /// editing.
  static let parts: Fold.Parts = [.indexes, .derived]
}
