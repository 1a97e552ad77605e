#if Command

import Daybook

extension CommitTrace {
  /// A line for each commit, indented under its cause.
  ///
  ///     3  2026-01-02T03:04:05Z  shop  Order 12
  ///       7* 2026-01-02T03:04:06Z  billing  Invoice for order 12
  var lines: [String] {
    entries.map { entry in
      let indentation = String(repeating: "  ", count: min(entry.depth, CommitTrace.maximumShownDepth))
      var parts = [
        "\(entry.position)\(entry.position == position ? "* " : "  ")\(entry.happenedAt ?? entry.recordedAt)"
      ]
      if let author = entry.author { parts.append(PrintableText.line(author)) }
      if let line = entry.message?.split(whereSeparator: \.isNewline).first {
        parts.append(PrintableText.line(String(line)))
      }
      return indentation + parts.joined(separator: "  ")
    }
  }

  /// The deepest indentation; a longer chain stays at this depth.
  private static var maximumShownDepth: Int { 40 }

  /// The commits from top to bottom, each with its depth in the tree.
  var json: JSONValue {
    [
      "position": position.json, "isCutShort": .boolean(isCutShort), "commits": .array(entries.map(\.json)),
    ]
  }
}

private extension CommitTrace.Entry {
  var json: JSONValue {
    [
      "position": summary.position.json, "depth": .integer(Int64(depth)),
      "causation": summary.causation?.json ?? .null,
      "commitID": summary.commitID.map { .string("\($0)") } ?? .null,
      "author": summary.author.map { .string($0) } ?? .null,
      "message": summary.message.map { .string($0) } ?? .null,
      "correlation": summary.correlation.map { .string($0) } ?? .null,
      "recordedAt": .string("\(summary.recordedAt)"),
      "happenedAt": summary.happenedAt.map { .string("\($0)") } ?? .null,
      "events": .integer(Int64(summary.eventCount)),
    ]
  }
}

#endif
