import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookGit

/// Histories made with the git command, compared with `git ls-tree` after each commit.
@Suite(.hangLimit) struct GitRepositoryTests {
  private typealias Files = [[UInt8]: (mode: GitMode, blob: GitHash)]

  /// Commits trees one after the other.
  private func makeHistory(_ repository: TemporaryRepository, _ trees: [Files]) throws -> [GitHash] {
    var commits: [GitHash] = []
    for (index, files) in trees.enumerated() {
      let parents = commits.last.map { [$0] } ?? []
      commits.append(try repository.commit(repository.tree(files), parents: parents, message: "commit \(index)\n"))
    }
    return commits
  }

  /// Returns files by the bytes of their paths.
  ///
  /// A dictionary of strings would merge names that differ in normalisation.
  private func files(_ paths: KeyValuePairs<String, GitHash>, mode: GitMode = .file) -> Files {
    Files(uniqueKeysWithValues: paths.map { (Array($0.key.utf8), (mode, $0.value)) })
  }

  private func lines(_ seed: Int) -> String {
    (0..<30).map { "line \($0 * seed)\n" }.joined()
  }

  @Test func renamesAndSwapsOfFilesAndFoldersAreFollowed() throws {
    let repository = try TemporaryRepository()
    let (a, b, c) = (try repository.blob(lines(1)), try repository.blob(lines(2)), try repository.blob(lines(3)))
    let steps: [KeyValuePairs<String, GitHash>] = [
      ["foo": a, "x": b], ["foo/bar": a, "x": b], ["foo": a, "x": b], ["foo/new": c, "x": b, "y": a],
      ["foo": c, "x": b],
      ["Foo": c, "x": b], ["x": c, "foo": b], ["d/x": c, "d/foo": b], ["d": b, "x": c], ["d/e/f/g": b, "x/y": c],
      ["g": b, "d": c], ["foo/foo": b, "d": c], ["foo": b, "d": c], ["foo": b, "foo2": b, "d": c, "e": c], [:],
      ["a b": a, "a\"b": b, "a\\b": c, "a\tb/c\nd": a], ["a c": a, "a\"c d": b, "a\tb/c\ne": a, "a\\b": c],
      ["\u{E9}": a, "e\u{301}": b, "\u{10FF80}": c], ["e\u{301}": a, "\u{E9}": b, "\u{10FFFF}": c],
    ]
    _ = try makeHistory(repository, steps.map { files($0) })
    var state = (editor: TreeEditor(), tree: ReplayedTree())
    #expect(try repository.check(&state).count == steps.count)
  }

  @Test func linksSubmodulesAndNamesOfBytesAreFollowed() throws {
    let repository = try TemporaryRepository()
    let (a, b) = (try repository.blob(lines(1)), try repository.blob("x"))
    let latin: [UInt8] = [0x63, 0xE9, 0x2F, 0xFF, 0x20, 0x01]
    // Git hides changes of a submodule that the repository's configuration ignores, unless an option prevents it.
    try repository.git(["config", "submodule.sub.path", "sub"])
    try repository.git(["config", "submodule.sub.ignore", "all"])
    let modules = try repository.blob("[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n")
    let base = files([".gitmodules": modules, "a": a])
    _ = try makeHistory(
      repository,
      [
        base, base.merging(files(["sub": gitHash("1")], mode: .submodule)) { $1 },
        base.merging(files(["sub": gitHash("2")], mode: .submodule)) { $1 },
        base.merging(files(["sub/file": a])) { $1 }, base.merging(files(["sub": b], mode: .symbolicLink)) { $1 },
        base.merging(files(["sub": gitHash("3")], mode: .submodule)) { $1 },
        base.merging(files(["a": a], mode: .executable)) { $1 }, base.merging([latin: (.file, b)]) { $1 },
        base.merging([latin.reversed(): (.file, b)]) { $1 }, files(["a": b], mode: .symbolicLink),
      ])
    var state = (editor: TreeEditor(), tree: ReplayedTree())
    #expect(try repository.check(&state).count == 10)
  }

  @Test func mergesAndEmptyCommitsAndTagsAreOneLine() throws {
    let repository = try TemporaryRepository()
    let a = try repository.blob("a")
    let steps: [KeyValuePairs<String, GitHash>] = [
      ["a": a], ["a": a, "b": a], ["a": a, "c": a], ["a": a, "b": a, "c": a],
    ]
    let trees = try steps.map { try repository.tree(files($0)) }
    let root = try repository.commit(trees[0], message: "root without newline")
    let side = try repository.commit(trees[2], parents: [root], branch: "side")
    let second = try repository.commit(trees[1], parents: [root], message: "")
    let empty = try repository.commit(trees[1], parents: [second], message: "one\ntwo\n\nthree\n\n")
    let merge = try repository.commit(trees[3], parents: [empty, side])
    let octopus = try repository.commit(trees[3], parents: [merge, side, root])
    try repository.git(["tag", "-a", "-m", "tag", "v1", "\(merge)"])
    try repository.git(["update-ref", "refs/tags/main", "\(root)"])
    var state = (editor: TreeEditor(), tree: ReplayedTree())
    let commits = try repository.check(branch: "main", &state)
    #expect(commits.map(\.hash) == [root, second, empty, merge, octopus])
    #expect(commits.map(\.parent) == [nil, root, second, empty, merge])
    #expect(commits.map(\.message) == ["root without newline", "", "one\ntwo\n\nthree\n\n", "message\n", "message\n"])
    for commit in commits {
      let subject = try repository.git(["log", "-1", "--format=%s", "\(commit.hash)"])
      #expect(Array(commit.subject.utf8) == subject)
    }
    #expect(
      commits[0].author
        == GitSignature(name: "A", email: "a@example.org", seconds: 1_000_000_000, zoneOffsetInMinutes: 60))
    #expect(commits[0].committer.seconds == 1_000_000_100 && commits[0].committer.zoneOffsetInMinutes == -60)
    #expect(try repository.repository.firstParentCount(of: octopus) == 5)
    #expect(try repository.repository.firstParentCount(of: octopus, after: second) == 3)
    #expect(try repository.repository.tip(of: "side") == side)
    #expect(try repository.repository.tip(of: "v1") == merge)
    #expect(try repository.repository.tip(of: "refs/tags/main") == root)
  }

  @Test func oddCommitObjectsAreRead() throws {
    let repository = try TemporaryRepository()
    let tree = try repository.tree(files(["a": try repository.blob("a")]))
    let people = ["<> 0 +0000", "A <> -5 +0000", "A <a <b>> 7 +9999", "A B <a@b> 99999999999999999999 -0030"]
    var parent: GitHash?
    for person in people {
      let text =
        "tree \(tree)\n\(parent.map { "parent \($0)\n" } ?? "")author \(person)\ncommitter \(person)\n\nm"
      let commit = try repository.hash(
        ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], input: Array(text.utf8))
      parent = commit
    }
    let latin =
      Array("tree \(tree)\nparent \(parent!)\nauthor J".utf8) + [0xE9] + Array(" <a@b> 1 +0000\n".utf8)
      + Array("committer C <c@d> 1 +0000\nencoding ISO-8859-1\n\nd".utf8) + [0xE9]
    parent = try repository.hash(["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], input: latin)
    try repository.git(["update-ref", "refs/heads/main", "\(parent!)"])
    var state = (editor: TreeEditor(), tree: ReplayedTree())
    let commits = try repository.check(&state)
    #expect(commits.map(\.committer.seconds) == [0, -5, 7, 0, 1])
    #expect(commits.last?.author.name == "J\u{FFFD}" && commits.last?.message == "d\u{E9}")
  }

  @Test func aRandomHistoryIsFollowed() throws {
    var random = SeededRandom(seed: Seeds.one)
    let repository = try TemporaryRepository()
    let blobs =
      try (1...6).map { try repository.blob(lines($0)) } + (1...6).map { try repository.blob(lines($0) + "+\n") }
    let names = ["a", "b", "foo", "x y", "\u{E9}", "q\"", "\u{7F}"].map { Array($0.utf8) } + [[0xFF]]
    var current: Files = [:]
    var trees: [Files] = []
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 0..<8, using: &random) { change(&current, names, blobs, &random) }
      trees.append(current)
    }
    let commits = try makeHistory(repository, trees)
    let comment: Comment = "seed \(random.seed)"
    var state = (editor: TreeEditor(), tree: ReplayedTree())
    #expect(try repository.check(&state, comment).map(\.hash) == commits, comment)

    // Two runs produce the same history, from any commit on.
    let base = Int.random(in: 0..<40, using: &random)
    try repository.git(["update-ref", "refs/heads/old", "\(commits[base])"])
    state = (editor: TreeEditor(), tree: ReplayedTree())
    let first = try repository.check(branch: "old", &state, comment)
    state.editor = try state.tree.takeOver()
    let second = try repository.check(branch: "main", after: commits[base], &state, comment)
    #expect((first + second).map(\.hash) == commits, comment)
    #expect(second.first?.parent == (second.isEmpty ? nil : commits[base]), comment)
  }

  /// Sets, deletes or moves a path; removes conflicting paths.
  private func change(_ files: inout Files, _ names: [[UInt8]], _ blobs: [GitHash], _ random: inout SeededRandom) {
    let depth = Int.random(in: 1...3, using: &random)
    let parts = (0..<depth).map { _ in names.randomElement(using: &random)! }
    let path = Array(parts.joined(separator: [47]))
    let old = files.keys.sorted { $0.lexicographicallyPrecedes($1) }.randomElement(using: &random)
    if let old, random.isTrue(percent: 25) {
      files[old] = nil
      return
    }
    var file = (GitMode.allCases.randomElement(using: &random)!, blobs.randomElement(using: &random)!)
    if let old, random.isTrue(percent: 50) { file = files.removeValue(forKey: old)! }
    for other in files.keys where other.starts(with: path + [47]) || path.starts(with: other + [47]) {
      files[other] = nil
    }
    files[path] = file
  }
}

// MARK: - Errors

extension GitRepositoryTests {
  private func expectError(_ kind: GitError.Kind, _ body: () throws -> Void) {
    let error = #expect(throws: GitError.self) { try body() }
    #expect(error?.kind == kind, "\(error.map(\.description) ?? "")")
  }

  @Test func faultsAreTold() throws {
    let repository = try TemporaryRepository()
    expectError(.emptyRepository) { _ = try repository.repository.export() }
    expectError(.unknownBranch) { _ = try repository.repository.export(branch: "main") }
    for path in ["/", "/nowhere/at/all", "-x"] {
      expectError(.notARepository) { _ = try GitRepository(path: path).export() }
    }
    let commit = try repository.commit(repository.tree(files(["a": try repository.blob("a")])))
    for branch in ["nothing", "-x", "--help", "", "main..main", "^main", "main\0", "a b"] {
      expectError(.unknownBranch) { _ = try repository.repository.export(branch: branch) }
    }
    #expect(throws: GitError.self) { try GitEnvironment.executable(searchPath: "/nowhere:") }
    let failing = try GitProcess(["rev-list", "nothing", "--"], in: repository.path)
    expectError(.failed) { _ = try failing.read(upTo: 10) }
    #expect(try repository.repository.tip() == commit)
  }

  @Test func aBranchThatLooksLikeAnOptionIsABranch() throws {
    let repository = try TemporaryRepository()
    let commit = try repository.commit(repository.tree(files(["a": try repository.blob("a")])), branch: "--help")
    var state = (editor: TreeEditor(), tree: ReplayedTree())
    #expect(try repository.check(branch: "--help", &state).map(\.hash) == [commit])
  }

  @Test func aRewrittenHistoryHasDiverged() throws {
    let repository = try TemporaryRepository()
    let trees = try ["a", "b", "c"].map { try repository.tree(files([$0: try repository.blob($0)])) }
    let root = try repository.commit(trees[0])
    let old = try repository.commit(trees[1], parents: [root])
    let side = try repository.commit(trees[2], parents: [root], branch: "side")
    let new = try repository.commit(trees[2], parents: [root, old])
    for base in [old, side, gitHash("1")] {
      expectError(.historyDiverged) { _ = try repository.repository.export(after: base) }
    }
    let rest = try repository.repository.export(after: root)
    #expect(try rest.next()?.hash == new && rest.next() == nil && rest.count == 1)
    let nothing = try repository.repository.export(after: new)
    #expect(try nothing.next() == nil && nothing.count == 0)
  }

  @Test func aReaderMayStopBeforeTheEnd() throws {
    let repository = try TemporaryRepository()
    var stream = "blob\nmark :1\ndata 1\na\n"
    for index in 0..<3000 {
      stream += "commit refs/heads/main\ncommitter C <c@example.org> \(index) +0000\ndata 200\n"
      stream += String(repeating: "x", count: 200) + "\nM 100644 :1 \(index)\n\n"
    }
    try repository.git(["fast-import", "--quiet"], input: Array(stream.utf8))
    let export = try repository.repository.export()
    #expect(try export.next() != nil && export.count == 3000)
    export.stop()
    #expect(try export.next() == nil)
    // Without `stop`, releasing the last reference ends the process.
    for _ in 0..<3 { _ = try repository.repository.export().next() }
    var count = 0
    let whole = try repository.repository.export()
    while try whole.next() != nil { count += 1 }
    #expect(count == 3000)
  }

  @Test func muchTextOnStandardErrorStopsNothing() throws {
    let repository = try TemporaryRepository()
    // An alias runs a shell, which writes more than a pipe holds.
    let process = try GitProcess(
      ["-c", "alias.noise=!seq 1 50000 >&2; echo out; echo the end >&2; exit 3", "noise"], in: repository.path)
    #expect(try process.read(upTo: 4) == Array("out\n".utf8))
    let error = #expect(throws: GitError.self) { try process.read(upTo: 4) }
    #expect(error?.message.hasSuffix("50000\nthe end") == true && error?.message.contains("status 3") == true)
  }
}
