/// A repository, read with the git command.
///
///     let export = try GitRepository(path: ".").export(branch: "main")
///     while let commit = try export.next() { … }
///
/// Branches are resolved to hashes first, and only hashes are passed to later commands: so a name that begins with `-`
/// is no option, and a branch that moves during the import is read at its first tip.
package struct GitRepository: Sendable {
  package let path: String

  /// - Parameter path: A directory in the repository.
  package init(path: String) {
    self.path = path
  }

  /// Returns the commit at a branch's tip.
  ///
  /// - Parameter branch: A branch, or any other name that git resolves to a commit; `HEAD` if it is `nil`.
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
      // Git reports the same error for an unknown name and for no repository; the caller distinguishes them.
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

  /// Returns the number of commits on a branch's line of first parents.
  ///
  /// - Parameters:
  ///   - tip: The line's last commit.
  ///   - base: A commit of the line; only commits after it count. `nil` to count all.
  /// - Throws: `GitError`, with kind `.historyDiverged` if the base is not on the line.
  package func firstParentCount(of tip: GitHash, after base: GitHash? = nil) throws -> Int {
    guard let base else {
      let text = try output(of: ["rev-list", "--count", "--first-parent", tip.description, "--"])
      guard let count = Int(text) else {
        throw GitError(kind: .failed, message: "`git rev-list --count` printed `\(text)`, which is not a number")
      }
      return count
    }
    return try distance(from: tip, to: base)
  }

  /// Counts the line's commits from its end, which is usually near the base.
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

  /// Returns a command's output, without the newline at its end.
  private func output(of arguments: [String]) throws -> String {
    let process = try GitProcess(arguments, in: path)
    var bytes: [UInt8] = []
    while case let piece = try process.read(upTo: 1 << 16), !piece.isEmpty { bytes += piece }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension GitRepository {
  /// Starts to read a branch's line of first parents, oldest commit first.
  ///
  /// - Parameters:
  ///   - branch: The branch; `HEAD` if it is `nil`.
  ///   - base: The last commit that the caller already has, after which reading begins; `nil` for all commits.
  /// - Throws: `GitError`, with kind `.historyDiverged` if the base is not on the line.
  package func export(
    branch: String? = nil, after base: GitHash? = nil, limits: FastExportLimits = FastExportLimits()
  ) throws -> GitExport {
    let tip = try tip(of: branch)
    let count = try firstParentCount(of: tip, after: base)
    return try GitExport(
      repository: path, tip: tip, after: base, count: count,
      exactRenamesOnly: count > 0 ? try lacksContents(of: tip) : false, limits: limits)
  }

  /// Returns whether the repository is a partial clone that lacks contents of files, which are not fetched.
  ///
  /// The similarity of two files needs their contents; their names, and the names of their contents, are in the folders.
  ///
  /// - Throws: `GitError` with the kind `missingObjects` if folders are missing, without which nothing can be read.
  private func lacksContents(of tip: GitHash) throws -> Bool {
    guard try isPartialClone() else { return false }
    if let folder = try firstMissingObject(of: tip, options: ["--filter=blob:none"]) {
      throw GitError(
        kind: .missingObjects,
        message: "the repository `\(path)` is a partial clone without all folders of its history, such as \(folder); "
          + "nothing was imported, complete it with `git fetch --refetch --filter=blob:none` or import another clone")
    }
    return try firstMissingObject(of: tip) != nil
  }

  private func isPartialClone() throws -> Bool {
    do {
      let pattern = "^(remote\\..*\\.(promisor|partialclonefilter)|extensions\\.partialclone)$"
      return try !output(of: ["config", "--get-regexp", pattern]).isEmpty
    } catch let error as GitError where error.kind == .failed {
      // Git ends with status 1 if no variable matches.
      return false
    }
  }

  /// Returns an object of a branch's line of first parents that the repository lacks, or `nil` if it has all.
  private func firstMissingObject(of tip: GitHash, options: [String] = []) throws -> String? {
    let process = try GitProcess(
      ["rev-list", "--objects", "--missing=print", "--first-parent"] + options + [tip.description, "--"], in: path)
    defer { process.stop() }
    // A line has an object and its path.
    var lines = StreamInput(process, lineLimit: 1 << 20)
    while let line = try lines.nextLine() {
      if line.first == UInt8(ascii: "?") { return String(decoding: line.dropFirst(), as: UTF8.self) }
    }
    return nil
  }
}

/// The reason why git could not provide a history.
package struct GitError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// There is no `git` command.
    case gitMissing
    /// The directory is in no repository, or in a repository that git refuses.
    case notARepository
    /// The repository, or the branch checked out, has no commits.
    case emptyRepository
    /// The repository has no such branch.
    case unknownBranch
    /// The branch does not contain the commit after which to continue.
    case historyDiverged
    /// The repository lacks objects without which the history cannot be read.
    case missingObjects
    /// Git failed with an error of its own.
    case failed
  }

  package let kind: Kind

  /// The fault, with the faulty value, git's own message, and the remedy.
  package let message: String
}

extension GitError: CustomStringConvertible {
  package var description: String { message }
}
