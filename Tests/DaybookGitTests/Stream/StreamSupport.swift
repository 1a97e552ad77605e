import Foundation
import Testing

@testable import DaybookGit

/// Returns few bytes at a time, so that every line is cut somewhere.
struct TricklingSource: ByteSource {
  var rest: ArraySlice<UInt8>
  let pieceLength: Int

  init(_ bytes: [UInt8], pieceLength: Int) {
    rest = bytes[...]
    self.pieceLength = pieceLength
  }

  mutating func read(upTo count: Int) -> [UInt8] {
    let piece = Array(rest.prefix(min(count, pieceLength)))
    rest = rest.dropFirst(piece.count)
    return piece
  }
}

/// Returns a hash of one repeated digit.
func gitHash(_ digit: Character) -> GitHash {
  GitHash(String(repeating: digit, count: 40))!
}

let blobA = gitHash("a")
let blobB = gitHash("b")
let blobC = gitHash("c")

/// Returns all commits of a stream.
func readCommits(_ stream: String, after base: GitHash? = nil, limits: FastExportLimits = .init()) throws -> [GitCommit]
{
  try readCommits(Array(stream.utf8), after: base, limits: limits)
}

func readCommits(_ bytes: [UInt8], after base: GitHash? = nil, limits: FastExportLimits = .init()) throws -> [GitCommit]
{
  var reader = FastExportReader(MemorySource(bytes), after: base, limits: limits)
  var commits: [GitCommit] = []
  while let commit = try reader.next() { commits.append(commit) }
  return commits
}

/// Returns the error of a stream, which must have one.
func streamError(_ stream: String, after base: GitHash? = nil, limits: FastExportLimits = .init()) -> FastExportError? {
  #expect(throws: FastExportError.self) { try readCommits(stream, after: base, limits: limits) }
}

/// Returns a commit command with the message "m".
func commitCommand(
  _ digit: Character, mark: Int? = nil, from: String? = nil, ref: String = "refs/heads/main", changes: [String] = []
) -> String {
  """
  commit \(ref)
  \(mark.map { "mark :\($0)\n" } ?? "")original-oid \(gitHash(digit))
  author A <a@example.org> 1 +0000
  committer C <c@example.org> 2 +0100
  data 1
  m\(from.map { "\nfrom \($0)" } ?? "")
  \(changes.map { $0 + "\n" }.joined())

  """
}
