#if Command

import Daybook

/// Describes commits in words.
///
///     7  2026-01-02T03:04:05Z  editor
///        first
///        Recipe Cake (26f8ad91) renamed to Chocolate cake
///
/// An object has its current name, unless the event itself contains its name; an object that is deleted or has no name
/// has only its short form.
struct CommitText {
  private let store: Store
  private var known: [ObjectID: String] = [:]

  /// The maximum number of events to describe per commit.
  private static let maximumEventCount = 50
  /// The maximum number of positions to list.
  private static let maximumPositionCount = 20
  /// The maximum number of names to keep.
  private static let maximumKnownCount = 10_000
  /// The maximum width of a value in columns.
  private static let maximumValueWidth = 60

  init(_ store: Store) {
    self.store = store
  }

  mutating func lines(of commit: Commit) throws -> [String] {
    var head = "\(commit.position)  \(commit.recordedAt)"
    if let time = commit.happenedAt { head += "  (happened \(time))" }
    if let author = commit.author { head += "  \(PrintableText.line(author))" }
    var lines = [head]
    let indentation = String(repeating: " ", count: commit.position.description.count + 2)
    if let line = commit.message?.split(whereSeparator: \.isNewline).first {
      lines.append(indentation + PrintableText.line(String(line)))
    }
    lines += CommitText.reasons(of: commit).map { indentation + PrintableText.line($0) }
    if let model = commit.model {
      lines.append("\(indentation)Model with \(model.entities.map(\.name).joined(separator: ", "))")
    }
    for event in commit.events.prefix(CommitText.maximumEventCount) {
      lines.append(indentation + PrintableText.line(try sentence(event)))
    }
    let further = commit.events.count - CommitText.maximumEventCount
    if further > 0 { lines.append("\(indentation)and \(further) more events") }
    return lines
  }

  /// Describes why the commit was written.
  private static func reasons(of commit: Commit) -> [String] {
    var lines: [String] = []
    if !commit.undoes.isEmpty { lines.append("Undoes \(text(commit.undoes))") }
    if !commit.redoes.isEmpty { lines.append("Redoes \(text(commit.redoes))") }
    if let causation = commit.causation { lines.append("Caused by \(causation)") }
    if let correlation = commit.correlation { lines.append("Part of \(correlation)") }
    if !commit.metadata.isEmpty {
      lines.append(
        "With \(commit.metadata.entries.map { "\($0.key) \(text($0.value, .string))" }.joined(separator: ", "))")
    }
    return lines
  }

  private static func text(_ positions: [Position]) -> String {
    let shown = positions.prefix(maximumPositionCount).map(\.description).joined(separator: ", ")
    let further = positions.count - maximumPositionCount
    return further > 0 ? "\(shown) and \(further) more" : shown
  }

  /// Describes an event as a sentence about its subject.
  mutating func sentence(_ event: Event) throws -> String {
    try "\(subject(event)) \(predicate(event))"
  }

  /// Describes an event without its subject.
  mutating func predicate(_ event: Event) throws -> String {
    switch event.content {
    case .inserted(let fields, _):
      let text = fields.map { "\($0.name) \(CommitText.text($0.value, $0.type))" }.joined(separator: ", ")
      return "inserted\(text.isEmpty ? "" : ": \(text)")"
    case .renamed(let change): return "renamed to \(CommitText.text(change.new, change.type))"
    case .set(let changes):
      return "set \(changes.map(CommitText.text).joined(separator: ", "))"
    case .related(let link):
      guard let to = link.to else { return "related" }
      if link.from == to { return try "moved \(name(of: to)) within \(link.relationship)" }
      let former = try link.from.map { try " instead of \(name(of: $0))" } ?? ""
      return try "related to \(name(of: to)) as \(link.relationship)\(former)"
    case .unrelated(let link):
      return try "unrelated from \(link.from.map { try name(of: $0) } ?? "nothing") as \(link.relationship)"
    case .deleted: return "deleted"
    case .recorded(let name, let fields):
      let text = fields.map { "\($0.name) \(CommitText.text($0.value, $0.type))" }.joined(separator: ", ")
      return "recorded \(name)\(text.isEmpty ? "" : ": \(text)")"
    case .unknown(let content): return "touched by a later version of Daybook (\(content.count) bytes)"
    }
  }

  private mutating func subject(_ event: Event) throws -> String {
    // The event shows the new name; the subject has the old one.
    if case .renamed(let change) = event.content {
      return "\(event.entity) \(CommitText.text(change.old, change.type)) (\(event.object.shortForm))"
    }
    return try "\(event.entity) \(name(of: event.object))"
  }

  /// `servings 4 → 8`.
  static func text(_ change: Event.Change) -> String {
    "\(change.name) \(text(change.old, change.type)) → \(text(change.new, change.type))"
  }

  /// Returns the object's current name and its short form.
  mutating func name(of id: ObjectID) throws -> String {
    if let text = known[id] { return text }
    let name = try store.read { head in
      try head.reading(objectWith: id) { reader in
        try reader.get(id).flatMap { object in
          let entity = reader.model.entities.first { $0.name == object.entity }
          return entity?.nameAttribute.map { object[$0] }
        }
      }
    }
    let text = name.map { "\(CommitText.text($0, .string)) (\(id.shortForm))" } ?? "(\(id.shortForm))"
    if known.count >= CommitText.maximumKnownCount { known.removeAll() }
    known[id] = text
    return text
  }

  static func text(_ value: Value, _ type: AttributeType) -> String {
    switch value {
    case .null: "nil"
    case .string(""): "“”"
    case .data(let bytes) where type == .data: "\(bytes.count) bytes"
    case .large(let value): "\(value.size) bytes (\(value.sha256.description.prefix(8)))"
    default: DisplayWidth.truncated(PrintableText.line(value.text(as: type)), to: maximumValueWidth)
    }
  }
}

#endif
