/// One commit of a stream.
package struct GitCommit: Hashable, Sendable {
  /// The ref that the stream says it is for, for example `refs/heads/main`; it decides nothing.
  package var ref: String

  /// The stream's own number for it.
  package var mark: UInt64?

  /// Its name in the repository (`original-oid`).
  package var hash: GitHash

  /// Who wrote it; the committer if the stream names no author.
  package var author: GitSignature

  package var committer: GitSignature

  /// The message, byte for byte but for U+FFFD where it is not UTF-8; it may lack the last newline.
  package var message: String

  /// The first parent, which is always the commit before; `nil` for a root.
  package var parent: GitHash?

  /// How many further parents a merge has. Their files are in the commit's changes already.
  package var mergeCount: Int

  package var changes: [GitChange]

  /// Where its `commit` line is in the stream, from 1.
  package var lineNumber: Int
}

extension GitCommit {
  /// What `git log --format=%s` prints: the lines of the message's first paragraph, joined by spaces.
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
