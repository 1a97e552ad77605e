import Foundation
import Testing

@testable import DaybookGit

/// A repository made with git, without a checkout, so that names may be any bytes.
final class TemporaryRepository {
  let path: String
  var repository: GitRepository { GitRepository(path: path) }

  /// Clones a repository without some of its objects, which could be fetched from it later.
  ///
  /// - Parameter filter: What is left out: `blob:none` for all contents, `tree:0` for the folders too.
  convenience init(partialCloneOf source: TemporaryRepository, filter: String) throws {
    try self.init()
    try source.git(["config", "uploadpack.allowFilter", "true"])
    try FileManager.default.removeItem(atPath: path)
    try source.git(["clone", "--quiet", "--bare", "--filter=\(filter)", "file://\(source.path)", path])
  }

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-git-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try git(["init", "--quiet", "--bare", "--initial-branch=main"])
  }

  deinit {
    // A folder that remains in the temporary directory fails no test.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Runs git and returns its output, without the last newline.
  @discardableResult
  func git(_ arguments: [String], input: [UInt8] = [], isBinary: Bool = false) throws -> [UInt8] {
    let process = Process()
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.executableURL = try GitEnvironment.executable()
    process.arguments = ["-C", path] + arguments
    process.environment = GitEnvironment.variables().merging([
      "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "1000000000 +0100",
      "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.org", "GIT_COMMITTER_DATE": "1000000100 -0100",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_ALLOW_PROTOCOL": "file",
    ]) { _, new in new }
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    try process.run()
    // The input and output fit a pipe's buffer.
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
    try standardInput.fileHandleForWriting.close()
    var output = [UInt8](try standardOutput.fileHandleForReading.readToEnd() ?? Data())
    let errors = try standardError.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "git \(arguments): \(String(decoding: errors, as: UTF8.self))")
    if !isBinary, output.last == 10 { output.removeLast() }
    return output
  }

  func hash(_ arguments: [String], input: [UInt8] = []) throws -> GitHash {
    try #require(GitHash(try git(arguments, input: input)))
  }

  func blob(_ text: String) throws -> GitHash {
    try hash(["hash-object", "-w", "--stdin"], input: Array(text.utf8))
  }

  /// Writes a tree of exactly these files.
  func tree(_ files: [[UInt8]: (mode: GitMode, blob: GitHash)]) throws -> GitHash {
    try git(["read-tree", "--empty"])
    let lines = files.map { path, file in Array("\(file.mode) \(file.blob)\t".utf8) + path + [0] }
    try git(["update-index", "-z", "--index-info"], input: Array(lines.joined()))
    return try hash(["write-tree"])
  }

  /// Makes a commit and moves a branch to it.
  @discardableResult
  func commit(
    _ tree: GitHash, parents: [GitHash] = [], message: String = "message\n", branch: String = "main"
  ) throws -> GitHash {
    let arguments = parents.flatMap { ["-p", "\($0)"] }
    let commit = try hash(["commit-tree", "\(tree)"] + arguments, input: Array(message.utf8))
    try git(["update-ref", "refs/heads/\(branch)", "\(commit)"])
    return commit
  }

  /// Returns git's listing of a commit, in the form of `TreeEditor.entryListing`.
  func entryListing(of commit: GitHash) throws -> [UInt8] {
    let output = try git(["ls-tree", "-r", "-z", "--full-tree", "\(commit)"], isBinary: true)
    return output.split(separator: 0).flatMap { line -> [UInt8] in
      // `mode type hash<TAB>path`; the type follows from the mode.
      let fields = line.split(separator: 32, maxSplits: 2)
      var entry = Array(fields[0])
      entry += [32]
      entry += fields[2]
      entry += [10]
      return entry
    }
  }

  /// Exports a branch and compares the tree with git's after each commit.
  func check(
    branch: String? = nil, after base: GitHash? = nil, _ state: inout (editor: TreeEditor, tree: ReplayedTree),
    _ comment: Comment? = nil
  ) throws -> [GitCommit] {
    let export = try repository.export(branch: branch, after: base)
    var commits: [GitCommit] = []
    while let commit = try export.next() {
      commits.append(commit)
      state.tree.apply(try state.editor.apply(commit.changes), comment)
      let expected = try entryListing(of: commit.hash)
      #expect(state.editor.entryListing() == expected, comment)
      #expect(state.tree.entryListing == expected, comment)
      #expect(state.tree.emptyFolders.isEmpty, comment)
    }
    #expect(commits.count == export.count, comment)
    #expect(commits.last?.hash ?? base == export.tip, comment)
    return commits
  }
}
