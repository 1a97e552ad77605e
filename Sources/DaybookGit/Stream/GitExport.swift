/// The commits of a branch, streamed from `git fast-export`.
package final class GitExport: GitCommitSource {
  /// The number of commits, for a progress bar.
  package let count: Int

  /// The last commit, or the base without commits.
  package let tip: GitHash

  /// Whether renames and copies are recognised only where the content is the same, because contents are missing.
  package let hasExactRenamesOnly: Bool

  /// The running command, or `nil` if there are no commits left.
  private var running: (process: GitProcess, reader: FastExportReader)?

  init(
    repository: String, tip: GitHash, after base: GitHash?, count: Int, exactRenamesOnly: Bool, limits: FastExportLimits
  ) throws {
    self.count = count
    self.tip = tip
    hasExactRenamesOnly = exactRenamesOnly
    guard count > 0 else { return }
    let process = try GitProcess(
      Self.arguments(tip: tip, after: base, exactRenamesOnly: exactRenamesOnly), in: repository)
    running = (process, FastExportReader(process, after: base, limits: limits))
  }

  /// Returns the command line.
  ///
  /// - `--ignore-submodules=none`: a `submodule.<name>.ignore` in the repository would hide their changes.
  /// - `--reference-excluded-parents`: without it, the stream after a base would begin with a commit of all files.
  /// - `-M100%`, `-C100%`: renames and copies of unchanged files are found by the names of their contents alone.
  static func arguments(tip: GitHash, after base: GitHash?, exactRenamesOnly: Bool = false) -> [String] {
    let detection = exactRenamesOnly ? ["-M100%", "-C100%"] : ["-M", "-C"]
    let range = base.map { ["--reference-excluded-parents", "^\($0)", "\(tip)"] } ?? ["\(tip)"]
    return [
      "fast-export", "--no-data", "--show-original-ids", "--first-parent", "--reencode=yes", "--signed-tags=strip",
      "--use-done-feature", "--ignore-submodules=none",
    ] + detection + range
  }

  /// Returns the next commit, or `nil` at the end.
  ///
  /// - Throws: `GitError` if git failed, even if its output seemed complete; `FastExportError` if it cannot be read.
  ///   After either there are no more commits, and git is stopped.
  package func next() throws -> GitCommit? {
    guard let process = running?.process else { return nil }
    do {
      if let commit = try running?.reader.next() { return commit }
      running = nil
      try process.finish()
      return nil
    } catch {
      running = nil
      process.stop()
      throw error
    }
  }

  /// Stops git; there are no more commits.
  package func stop() {
    running?.process.stop()
    running = nil
  }
}
