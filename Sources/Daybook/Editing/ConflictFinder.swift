import DaybookModel

/// Finds where pending edits and later commits change the same.
///
/// Commits are read as they come, and the edits at the end: of either side only those words are kept that concern
/// objects which the other one names.
struct ConflictFinder {
  private let steps: [PendingStep]
  private let model: ResolvedModel
  /// What the edits name.
  private let named: Set<ObjectID>
  private var theirs: ConflictSide
  /// The commits of others that name an object.
  private var touching: [ObjectID: [Position]] = [:]

  /// - Parameter model: The one by which the edits were made.
  init(_ steps: [PendingStep], in model: ResolvedModel) {
    (self.steps, self.model) = (steps, model)
    named = Set(steps.lazy.flatMap(\.touches).map(\.touch.object))
    theirs = ConflictSide(model)
  }

  /// Reads a commit of others.
  mutating func read(_ commit: CommitView) throws {
    let position = commit.header.position
    var events = commit.events
    while !events.isAtEnd {
      let event = try events.next()
      for id in [event.object, event.link?.from, event.link?.to] {
        guard let id, named.contains(id), touching[id]?.last != position else { continue }
        touching[id, default: []].append(position)
      }
    }
    events = commit.events
    try theirs.read(&events, count: commit.header.eventCount, at: position, where: named.contains)
  }

  /// Compares both sides.
  func clashes() throws -> EditingClashes {
    let mine = try readEdits(ignoring: [])
    // What the edits made and deleted again is no edit where others made it too.
    let passing = mine.begun.filter { mine.existence[$0] == false && theirs.existence[$0] != nil }
    return EditingClashes(
      mine: passing.isEmpty ? mine : try readEdits(ignoring: passing), theirs: theirs, passing: passing, touching)
  }

  private func readEdits(ignoring ignored: Set<ObjectID>) throws -> ConflictSide {
    var mine = ConflictSide(model, ignoring: ignored)
    for step in steps {
      var events = EventReader(step.events.span.bytes, position: step.position, time: step.time)
      for edit in step.edits {
        try mine.read(&events, count: edit.eventCount, at: step.position, about: edit.link) { touching[$0] != nil }
      }
    }
    return mine
  }
}
