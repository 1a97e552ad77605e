/// Reads the output of `git fast-export --no-data --show-original-ids`, one commit at a time.
///
///     var reader = FastExportReader(FileSource(.standardInput))
///     while let commit = try reader.next() {
///       operations = try editor.apply(commit.changes)
///     }
///
/// A stream is a sequence of commands, one per line, some followed by data of a stated length. The reader returns
/// commits; it uses resets only to determine a commit's parent, and skips tags, file contents, notes, signatures,
/// progress and comments. All commits count, whatever ref they name, and each must continue the previous one: an import
/// is one line of history.
///
/// A commit needs its hash (`original-oid`) and each file its blob's hash. With contents in the stream, a file names
/// them by a mark, and the reader keeps the hash of each marked blob.
///
/// It reads in pieces of 128 KiB and holds one commit; `FastExportLimits` bounds its size. No input makes it trap: it
/// throws a `FastExportError` for invalid input, and rethrows errors of the source.
package struct FastExportReader: GitCommitSource {
  var input: StreamInput
  let limits: FastExportLimits

  /// A line that was read and belongs to the next command.
  var heldLine: ArraySlice<UInt8>?

  /// The hashes of file contents with a mark.
  var blobHashes: [UInt64: GitHash] = [:]

  /// The tip of each ref in the stream, where a commit without `from` continues.
  var tips: [[UInt8]: Tip] = [:]

  /// The last commit of the stream so far.
  var previous: (mark: UInt64?, hash: GitHash)?

  /// The commit after which to continue.
  let base: GitHash?

  private var isPastBase: Bool
  private var isDonePromised = false
  private var isFinished = false

  /// The number of commits skipped because they are not after the base.
  package private(set) var skippedCount = 0

  /// The target of a ref or a `from`.
  enum Tip: Hashable {
    case commit(GitHash)
    /// A target other than a known commit: an older mark, or an unknown ref.
    case unknown(String)
  }

  /// Creates a reader of a stream.
  ///
  /// - Parameters:
  ///   - source: The stream's bytes, from its start.
  ///   - base: The last commit that the caller already has. The stream may contain the whole history, whose commits up
  ///     to the base are then skipped, or only the commits after the base. Without it, the stream must begin with a
  ///     root.
  ///   - limits: The limits on the stream.
  package init(_ source: any ByteSource, after base: GitHash? = nil, limits: FastExportLimits = FastExportLimits()) {
    input = StreamInput(source, lineLimit: limits.lineLength)
    self.base = base
    self.limits = limits
    isPastBase = base == nil
  }

  /// Returns the next commit, or `nil` at the end of the stream.
  ///
  /// With a base, the first call skips the commits up to the base.
  ///
  /// - Throws: `FastExportError`; after that there are no more commits. `.historyDiverged` comes before the first
  ///   commit.
  package mutating func next() throws -> GitCommit? {
    guard !isFinished else { return nil }
    // Set first, so that an error ends the stream as well.
    isFinished = true
    if !isPastBase, let commit = try firstCommitAfterBase() {
      isFinished = false
      return commit
    }
    let commit = isPastBase ? try nextCommit() : nil
    isFinished = commit == nil
    return commit
  }

  /// Reads commands until one is a commit.
  private mutating func nextCommit() throws -> GitCommit? {
    while let line = try nextLine(acceptingUnended: "done") {
      if line.isEmpty { continue }
      if line.elementsEqual("done".utf8) { return nil }
      if let ref = line.argument(of: "commit") { return try readCommit(ref: ref) }
      try readOther(line)
    }
    return nil
  }

  /// Reads a command that is not a commit.
  private mutating func readOther(_ line: ArraySlice<UInt8>) throws {
    if let ref = line.argument(of: "reset") { return try readReset(ref) }
    if line.elementsEqual("blob".utf8) { return try readBlob() }
    if line.argument(of: "tag") != nil { return try readTag() }
    if let feature = line.argument(of: "feature") { return try readFeature(feature) }
    if line.elementsEqual("alias".utf8) { return try skipLines(of: "alias", ["mark", "to"]) }
    if line.elementsEqual("checkpoint".utf8) { return }
    if line.argument(of: "progress") != nil || line.argument(of: "option") != nil { return }
    let isKnown = ["ls", "cat-blob", "get-mark"].contains { line.argument(of: $0) != nil }
    throw error(
      isKnown ? .unsupported : .malformed,
      "`\(line.excerpt)` is not a command of git fast-export; check that this is its output, whole and unchanged")
  }

  private mutating func readFeature(_ feature: ArraySlice<UInt8>) throws {
    let known = [
      "done", "date-format=raw", "date-format=raw-permissive", "relative-marks", "no-relative-marks", "force",
      "cat-blob",
      "get-mark", "ls", "notes",
    ]
    let text = String(decoding: feature, as: UTF8.self)
    let isKnown = known.contains(text) || text.hasPrefix("import-marks") || text.hasPrefix("export-marks=")
    guard isKnown else {
      throw error(.unsupported, "the stream needs `\(feature.excerpt)`, which is unknown here; write it without")
    }
    if text == "done" { isDonePromised = true }
  }
}

// MARK: - Continuing

extension FastExportReader {
  /// Skips the history up to the base.
  ///
  /// Returns the commit after it, or `nil` if the base is the last.
  private mutating func firstCommitAfterBase() throws -> GitCommit? {
    guard let base else { return nil }
    while let commit = try nextCommit() {
      if skippedCount == 0, commit.parent == base {
        isPastBase = true
        return commit
      }
      skippedCount += 1
      guard commit.hash == base else { continue }
      isPastBase = true
      return try nextCommit()
    }
    // A stream without further commits contains only the ref's tip.
    let isUpToDate = skippedCount == 0 && tips.values.contains(.commit(base))
    guard isUpToDate else {
      throw error(
        .historyDiverged,
        "the history does not hold \(base), the last commit imported; it was rewritten, import it into a new store")
    }
    return nil
  }
}

// MARK: - Lines

extension FastExportReader {
  /// Returns the next line that is not a comment, or `nil` at the end of the stream.
  ///
  /// A commit's file commands end only with the next command. So this method detects a missing `done`: a commit that is
  /// cut between two lines never counts as complete.
  mutating func nextLine(acceptingUnended unendedLine: String? = nil) throws -> ArraySlice<UInt8>? {
    if let line = heldLine {
      heldLine = nil
      return line
    }
    while let line = try input.nextLine(acceptingUnended: unendedLine) {
      if line.first != UInt8(ascii: "#") { return line }
    }
    guard !isDonePromised else {
      throw error(.truncated, "the stream ends without its `done`; git did not finish writing it, write it again")
    }
    return nil
  }

  /// Returns the next line of a command that cannot end here.
  mutating func requiredLine(in command: String) throws -> ArraySlice<UInt8> {
    guard let line = try nextLine() else {
      throw error(.truncated, "the stream stops inside a `\(command)` command; it was cut, write it again")
    }
    return line
  }

  /// Creates an error at the current line.
  func error(_ kind: FastExportError.Kind, _ message: String) -> FastExportError {
    input.error(kind, message)
  }
}

extension ArraySlice<UInt8> {
  /// Returns the rest of a line after a word and a space, or `nil` if it starts otherwise.
  func argument(of word: String) -> ArraySlice<UInt8>? {
    guard starts(with: word.utf8) else { return nil }
    let rest = dropFirst(word.utf8.count)
    guard rest.first == UInt8(ascii: " ") else { return nil }
    return rest.dropFirst()
  }

  /// The start of a line, long enough to identify it in an error message.
  var excerpt: String {
    count <= 80 ? String(decoding: self, as: UTF8.self) : String(decoding: prefix(77), as: UTF8.self) + "..."
  }
}

/// The limits of a reader, so that no stream makes it use memory without bound.
///
/// The defaults are beyond any known repository. A stream that exceeds a limit is refused with an error that names the
/// limit.
package struct FastExportLimits: Hashable, Sendable {
  /// The longest line, and so approximately the longest path: 1 MiB.
  package var lineLength = 1 << 20

  /// The longest commit message: 64 MiB. File contents are skipped, at any length.
  package var messageLength = 64 << 20

  /// The maximum number of file commands of one commit.
  ///
  /// A commit without parent has one for each of its files.
  package var changesPerCommit = 8_000_000

  /// The maximum size of the lines of one commit's file commands: 1 GiB.
  package var changeBytesPerCommit = 1 << 30

  /// The maximum number of marked file contents. A stream written with `--no-data` has none.
  package var blobMarks = 32_000_000

  /// The maximum number of refs that are reset in a stream.
  package var refs = 4_000_000

  package init() {}
}

/// The reason why a `git fast-export` stream could not be read, with its place and a remedy.
///
/// The commits returned before it are complete and correct; the reader returns none after it.
package struct FastExportError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The stream stops inside a command, or before the `done` that it promised.
    case truncated
    /// Bytes that the format does not allow at that place.
    case malformed
    /// Something valid that an import cannot read, such as file contents in place of hashes.
    case unsupported
    /// One of `FastExportLimits` is exceeded.
    case limitExceeded
    /// The stream names objects only by its own numbers.
    case missingOriginalID
    /// A commit whose first parent is not the previous commit.
    case notLinear
    /// The history does not contain the commit after which it should continue.
    case historyDiverged
  }

  package let kind: Kind

  /// The faulty line, from 1.
  ///
  /// Lines inside messages and file contents count as well, as in a text editor.
  package let lineNumber: Int

  /// The start of that line, in bytes from the start of the stream.
  package let byteOffset: Int

  /// The fault, with the faulty value, and the remedy.
  package let message: String
}

extension FastExportError: CustomStringConvertible {
  package var description: String {
    "git stream, line \(lineNumber) (byte \(byteOffset)): \(message)"
  }
}
