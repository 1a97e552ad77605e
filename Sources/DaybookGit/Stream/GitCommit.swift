/// One commit of a stream.
package struct GitCommit: Hashable, Sendable {
  /// The ref that the stream names, for example `refs/heads/main`; it has no effect.
  package var ref: String

  /// The stream's own number of the commit.
  package var mark: UInt64?

  /// The commit's name in the repository (`original-oid`).
  package var hash: GitHash

  /// The author; the committer if the stream names no author.
  package var author: GitSignature

  package var committer: GitSignature

  /// The message's bytes, with U+FFFD where they are not UTF-8; it may lack the last newline.
  package var message: String

  /// The first parent, which is always the previous commit; `nil` for a root.
  package var parent: GitHash?

  /// The number of further parents of a merge. Their files are already in the commit's changes.
  package var mergeCount: Int

  package var changes: [GitChange]

  /// The number of its `commit` line in the stream, from 1.
  package var lineNumber: Int
}

extension GitCommit {
  /// The subject as in `git log --format=%s`: the first paragraph's lines, joined by spaces.
  package var subject: String {
    var lines: [Substring.UTF8View] = []
    for line in message.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let trimmed = Self.trimmingEnd(of: line)
      if !trimmed.isEmpty {
        lines.append(trimmed)
      } else if !lines.isEmpty {
        break
      }
    }
    return lines.map { String(Substring($0)) }.joined(separator: " ")
  }

  private static func trimmingEnd(of line: Substring.UTF8View) -> Substring.UTF8View {
    var line = line
    while let last = line.last, last == UInt8(ascii: " ") || (9...13).contains(last) { line.removeLast() }
    return line
  }
}

/// One file command of a commit, as written in the stream.
///
/// The commands edit a flat map of paths to files, in order; `TreeEditor` interprets them.
package enum GitChange: Hashable, Sendable {
  /// `M`: sets the file at the path.
  case modify(GitPath, GitMode, GitHash)

  /// `D`: deletes the file, or every file below the path if no file is at it.
  case delete(GitPath)

  /// `R`: renames the file, or every file below the path if no file is at it.
  case rename(from: GitPath, to: GitPath)

  /// `C`: copies the file, or every file below the path if no file is at it.
  case copy(from: GitPath, to: GitPath)

  /// `deleteall`: empties the map, which the following commands fill.
  case deleteAll
}

/// A line of commits, oldest first, each the first parent of the next.
package protocol GitCommitSource {
  /// Returns the next commit, or `nil` at the end of the history.
  mutating func next() throws -> GitCommit?
}
