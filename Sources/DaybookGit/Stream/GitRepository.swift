/// A repository, read with the git command.
///
///     let export = try GitRepository(path: ".").export(branch: "main")
///     while let commit = try export.next() { … }
///
/// Branches are turned into hashes before anything else, and only hashes are handed on: a name that begins with `-` is
/// no option then, and a branch that moves in the meantime is read as it was.
package struct GitRepository: Sendable {
  package let path: String

  /// - Parameter path: A directory in the repository.
  package init(path: String) {
    self.path = path
  }

  /// The commit that a branch is at.
  ///
  /// - Parameter branch: A branch, or anything else that git takes for a commit; `HEAD` if it is `nil`.
  /// - Throws: `GitError`.
  package func tip(of branch: String? = nil) throws -> GitHash {
    let candidates = branch.map { ["refs/heads/\($0)", $0] } ?? ["HEAD"]
    for name in candidates where !name.utf8.contains(0) {
      if let hash = try commit(named: name) { return hash }
    }
    try checkRepository()
    guard let branch else {
      throw GitError(
        kind: .emptyRepository, message: "the repository `\(path)` has no commits on its current branch; name another")
    }
    throw GitError(
      kind: .unknownBranch, message: "the repository `\(path)` has no branch `\(branch)`; `git branch --all` lists them"
    )
  }

  private func commit(named name: String) throws -> GitHash? {
    let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"]
    do {
      return GitHash(try output(of: arguments))
    } catch let error as GitError where error.kind == .failed {
      // Git says the same for an unknown name and for no repository; the caller tells them apart.
      return nil
    }
  }

  private func checkRepository() throws {
    do {
      _ = try output(of: ["rev-parse", "--git-dir"])
    } catch let error as GitError where error.kind == .failed {
      throw GitError(kind: .notARepository, message: "`\(path)` is not a git repository: \(error.message)")
    }
  }

  /// How many commits a branch has on its line of first parents.
  ///
  /// - Parameters:
  ///   - tip: The line's last commit.
  ///   - base: A commit of it which does not count, and neither does what is before; `nil` to count all.
  /// - Throws: `GitError`, with kind `.historyDiverged` if the base is not on the line.
  package func firstParentCount(of tip: GitHash, after base: GitHash? = nil) throws -> Int {
    guard let base else {
      let text = try output(of: ["rev-list", "--count", "--first-parent", tip.description, "--"])
      guard let count = Int(text) else {
        throw GitError(kind: .failed, message: "`git rev-list --count` says `\(text)`, which is no number")
      }
      return count
    }
    return try distance(from: tip, to: base)
  }

  /// Lists the line from its end, where the base is as a rule.
  private func distance(from tip: GitHash, to base: GitHash) throws -> Int {
    let process = try GitProcess(["rev-list", "--first-parent", tip.description, "--"], in: path)
    defer { process.stop() }
    var lines = StreamInput(process, lineLimit: 1 << 10)
    let digits = base.digits
    var count = 0
    while let line = try lines.nextLine() {
      if line.elementsEqual(digits) { return count }
      count += 1
    }
    throw GitError(
      kind: .historyDiverged,
      message: "the branch does not hold \(base), the last commit imported; "
        + "it was rewritten or is another branch, import it into a new store")
  }

  /// What a command writes, without the newline at its end.
  private func output(of arguments: [String]) throws -> String {
    let process = try GitProcess(arguments, in: path)
    var bytes: [UInt8] = []
    while case let piece = try process.read(upTo: 1 << 16), !piece.isEmpty { bytes += piece }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
