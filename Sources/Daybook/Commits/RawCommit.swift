import DaybookModel

/// A commit as stored in the journal. `docs/file-format.md` describes the bytes.
public struct RawCommit: Sendable, Hashable {
  /// The commit's position.
  public let position: Position
  /// The commit's hash: the SHA-256 of its header, in hexadecimal digits.
  public let hash: String
  /// The encoded header, with the author, the times and the digest of the body.
  public let header: [UInt8]
  /// The encoded events, or the model's JSON for a commit of a model.
  public let body: [UInt8]

  init(_ commit: CopiedCommit) {
    position = commit.header.position
    hash = "\(commit.hash)"
    var header: [UInt8] = []
    commit.header.append(to: &header)
    self.header = header
    body = commit.body
  }
}
