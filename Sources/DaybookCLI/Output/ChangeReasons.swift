#if Command

import Daybook

/// Explains why rows changed: the commits that touched their data, their authors and events.
///
///     ~ Chocolate cake (26f8ad91)
///       7  2026-01-02T03:04:05Z  editor  “first”: renamed to Chocolate cake; set servings 4 → 8
struct ChangeReasons {
  private let store: Store
  private var words: CommitText
  /// The commits used last.
  private var commits: [Position: KnownCommit] = [:]

  private struct KnownCommit {
    let commit: Commit
    /// The former names of the objects that the commit deleted.
    var formerNames: [ObjectID: String] = [:]
  }

  /// The maximum number of commits per row, counted from the last one.
  private static let maximumCauseCount = 3
  /// The maximum number of events per commit.
  private static let maximumEventCount = 3
  /// The maximum number of commits to keep.
  private static let maximumKnownCount = 64
  /// The maximum width of a message in columns.
  private static let maximumMessageWidth = 40

  init(_ store: Store) {
    self.store = store
    words = CommitText(store)
  }

  /// Returns the change of a row, and a line for each commit that caused it.
  mutating func lines(for row: RowChange<ObjectID>, in change: ResultsChange) throws -> [String] {
    let former = try row.to == nil ? formerName(of: row.id, in: change) : nil
    let name = try change.keys[row.id].map(GroupColumns.label(of:)) ?? former ?? words.name(of: row.id)
    let head = "\(row.sign) \(name)"
    guard let causes = change.causes[row.id] else {
      return [head, "  crossed the edge of the window as others came or went"]
    }
    if causes.isEmpty { return [head, "  its time came"] }
    var lines = [head]
    let earlier = causes.count - ChangeReasons.maximumCauseCount
    if earlier > 0 { lines.append("  \(earlier) earlier commits") }
    for position in causes.suffix(ChangeReasons.maximumCauseCount) {
      guard let commit = try commit(at: position) else { continue }
      lines.append("  \(try text(of: commit.commit, for: row.id))")
    }
    return lines.map(PrintableText.line)
  }

  /// Returns the former names of removed rows, if the difference's commits contain them.
  mutating func formerNames(in change: ResultsChange) throws -> [ObjectID: String] {
    var names: [ObjectID: String] = [:]
    for row in change.difference.rows where row.to == nil {
      if let name = try formerName(of: row.id, in: change) { names[row.id] = name }
    }
    return names
  }

  /// Returns the name of an object that the last causing commit deleted.
  private mutating func formerName(of id: ObjectID, in change: ResultsChange) throws -> String? {
    try change.causes[id]?.last.flatMap { try commit(at: $0)?.formerNames[id] }
  }

  private mutating func text(of commit: Commit, for id: ObjectID) throws -> String {
    var text = "\(commit.position)  \(commit.recordedAt)"
    if let author = commit.author { text += "  \(author)" }
    if let line = commit.message?.split(whereSeparator: \.isNewline).first {
      text += "  “\(DisplayWidth.truncated(String(line), to: ChangeReasons.maximumMessageWidth))”"
    }
    let events = try events(of: commit, for: id)
    var parts = try events.prefix(ChangeReasons.maximumEventCount).map { event in
      try event.object == id ? words.predicate(event) : words.sentence(event)
    }
    let further = events.count - parts.count
    if further > 0 { parts.append("\(further) more") }
    return parts.isEmpty ? text : "\(text): \(parts.joined(separator: "; "))"
  }

  /// Returns the events relevant to a row.
  ///
  /// These are the events that name it, or else the events of objects to which it is linked, or else all.
  private func events(of commit: Commit, for id: ObjectID) throws -> [Event] {
    let own = commit.events.filter { $0.names(id) }
    guard own.isEmpty else { return own }
    let targets = Set(try store.get(id)?.links.compactMap(\.target) ?? [])
    let linked = commit.events.filter { targets.contains($0.object) }
    return linked.isEmpty ? commit.events : linked
  }

  private mutating func commit(at position: Position) throws -> KnownCommit? {
    if let known = commits[position] { return known }
    var log = try store.log(from: position, to: position)
    guard let commit = try log.next() else { return nil }
    var known = KnownCommit(commit: commit)
    let nameAttributes = try store.read { reader in
      reader.model.entities.reduce(into: [:]) { $0[$1.name] = $1.nameAttribute }
    }
    for event in commit.events {
      guard case .deleted(let fields, _) = event.content else { continue }
      guard let field = fields.first(where: { $0.name == nameAttributes[event.entity] }) else { continue }
      known.formerNames[event.object] = "\(CommitText.text(field.value, field.type)) (\(event.object.shortForm))"
    }
    if commits.count >= ChangeReasons.maximumKnownCount { commits.removeAll() }
    commits[position] = known
    return known
  }
}

#endif
