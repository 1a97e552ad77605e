import DaybookEngine
import DaybookModel

/// Finds facts that both pending edits and later commits change.
///
/// Commits are read one after the other, and the edits at the end. Of the commits only statements about objects that
/// the edits name are kept.
struct ConflictFinder {
  private let steps: [PendingStep]
  private let model: ResolvedModel
  /// The objects that the edits name.
  private let named: Set<ObjectID>
  private var theirs: ConflictSide
  /// The positions of the other writers' commits that name each object.
  private var touching: [ObjectID: [Position]] = [:]

  /// - Parameter model: The model by which the edits were made.
  init(_ steps: [PendingStep], in model: ResolvedModel) {
    (self.steps, self.model) = (steps, model)
    named = Set(steps.lazy.flatMap(\.changes).map(\.change.object))
    theirs = ConflictSide(model)
  }

  /// Reads a commit by another writer.
  mutating func read(_ commit: CommitView) throws {
    let position = commit.header.position
    var events = commit.events
    while !events.isAtEnd {
      let event = try events.next()
      // What was recorded about an object contradicts no edit of it.
      if event.kind == .recorded { continue }
      for id in [event.object, event.link?.from, event.link?.to] {
        guard let id, named.contains(id), touching[id]?.last != position else { continue }
        touching[id, default: []].append(position)
      }
    }
    events = commit.events
    try theirs.read(&events, count: commit.header.eventCount, at: position, where: named.contains)
  }

  /// Compares both sides and returns the conflicts.
  ///
  /// - Parameters:
  ///   - present: The model by which the edits will be carried out.
  ///   - models: The positions of the models since the edits' position.
  func clashes(under present: ResolvedModel, of models: [Position]) throws -> EditingClashes {
    let mine = try readEdits(ignoring: [])
    // Edits of an object that they insert and delete again are ignored if other commits insert or delete it too.
    let passing = mine.begun.filter { mine.isPassing($0) && theirs.existence[$0] != nil }
    return EditingClashes(
      mine: passing.isEmpty ? mine : try readEdits(ignoring: passing), theirs: theirs, passing: passing, touching,
      removed: removedParts(under: present), by: models)
  }

  private func removedParts(under present: ResolvedModel) -> Set<PendingVerb.RemovedPart> {
    if present === model { return [] }
    return Set(steps.lazy.flatMap(\.edits).compactMap { $0.verb.removedPart(from: model, in: present) })
  }

  private func readEdits(ignoring ignored: Set<ObjectID>) throws -> ConflictSide {
    let ends = steps.reduce(into: [:]) { $0.merge($1.ends) { $1 } }
    var mine = ConflictSide(model, ignoring: ignored, entities: ends)
    for step in steps {
      var events = EventReader(step.events.rawSpan, position: step.position, time: step.time)
      for edit in step.edits {
        try mine.read(&events, count: edit.eventCount, at: step.position, about: edit.link) { _ in true }
      }
    }
    return mine
  }
}
