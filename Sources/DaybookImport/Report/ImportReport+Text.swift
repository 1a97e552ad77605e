#if Import

extension ImportReport {
  /// The report for people: a line for each entity, and what differs from the source.
  package var text: String {
    var lines: [String] = []
    if let version { lines.append("Version of the source: \(version)") }
    lines += entities.map(\.line)
    let renamed = entities.flatMap(\.renames)
    lines += section("Renamed", renamed)
    lines += section("Dropped", dropped.map { "\($0.what): \($0.why)" } + entities.flatMap(\.drops))
    lines += section("Changed", changed.map { "\($0.what): \($0.from) became \($0.to) (\($0.why))" })
    lines += section("Values", values.map(\.line))
    lines += section("Tables that were not read", skippedTables)
    lines += section("Notes", notes)
    lines.append(end)
    return lines.joined(separator: "\n")
  }

  private var end: String {
    guard let head else { return "Nothing was written." }
    switch commitCount {
    case 0: return "Nothing new; the head is \(head)."
    case 1: return "Imported in 1 commit; the head is \(head)."
    default: return "Imported in \(commitCount) commits; the head is \(head)."
    }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["\(title):"] + lines.map { "  " + $0 }
  }
}

extension EntityReport {
  fileprivate var line: String {
    let numbers = [(changes?.inserted, "inserted"), (changes?.changed, "changed"), (changes?.deleted, "deleted")]
    let parts = numbers.compactMap { count, word in count.flatMap { $0 > 0 ? "\($0) \(word)" : nil } }
    return (["\(newName): \(objectCount) \(objectCount == 1 ? "object" : "objects")"] + parts).joined(separator: ", ")
  }

  fileprivate var fields: [FieldReport] { attributes + relationships }

  fileprivate var renames: [String] {
    let own = name == newName ? [] : ["\(name) as \(newName)"]
    return own
      + fields.filter { $0.name != $0.newName && $0.dropReason == nil }.map { "\(name).\($0.name) as \($0.newName)" }
  }

  fileprivate var drops: [String] {
    fields.compactMap { field in field.dropReason.map { "\(name).\(field.name): \($0)" } }
  }
}

extension ValueReport {
  fileprivate var line: String {
    var text = what
    if count > 0 { text += ": \(count)" }
    if let was, let became { text += ", \(was) became \(became)" }
    if let first { text += ", first in \(first)" }
    return text
  }
}

#endif
