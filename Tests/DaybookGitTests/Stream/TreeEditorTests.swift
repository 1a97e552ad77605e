import Testing

@testable import DaybookGit

/// The operations that result from the commands of one commit.
@Suite(.hangLimit) struct TreeEditorTests {
  /// An editor after commits, with the replayed tree; the last commit's operations are text.
  struct Fixture {
    var editor = TreeEditor()
    var tree = ReplayedTree()

    init(_ paths: [String] = []) throws {
      _ = try apply(paths.map { .modify(GitPath(stringLiteral: $0), .file, blobA) })
    }

    /// Applies a commit and describes its operations by the current paths of the nodes.
    mutating func apply(_ changes: [GitChange]) throws -> [String] {
      let operations = try editor.apply(changes)
      let before = names
      tree.apply(operations)
      #expect(tree.entryListing == editor.entryListing())
      #expect(tree.emptyFolders.isEmpty)
      return operations.map { describe($0, before) }
    }

    /// The last name of each node.
    private var names: [NodeID: String] {
      tree.files.mapValues(\.name).merging(tree.folders.mapValues(\.name)) { first, _ in first }
    }

    private func describe(_ operation: TreeOperation, _ before: [NodeID: String]) -> String {
      let all = before.merging(names) { old, _ in old }
      func name(_ node: NodeID) -> String { all[node].map { $0.isEmpty ? "/" : $0 } ?? "?" }
      return switch operation {
      case .insertFolder(_, let parent, let text): "folder \(text) in \(parent.map(name) ?? "nothing")"
      case .insertFile(_, let folder, let text, let mode, let blob):
        "file \(text) in \(name(folder)) \(mode) \("\(blob)".prefix(1))"
      case .setFile(let node, let mode, let blob):
        "set \(name(node))\(mode.map { " \($0)" } ?? "")\(blob.map { " \("\($0)".prefix(1))" } ?? "")"
      case .rename(let node, let text): "rename \(name(node)) to \(text)"
      case .move(let node, let folder): "move \(name(node)) to \(name(folder))"
      case .deleteFile(let node): "delete \(name(node))"
      case .deleteFolder(let node): "delete folder \(name(node))"
      }
    }
  }

  @Test func theFirstCommitInsertsTheRoot() throws {
    var editor = TreeEditor()
    #expect(try editor.apply([]) == [.insertFolder(NodeID(0), parent: nil, name: "")])
    #expect(try editor.apply([]).isEmpty)
  }

  @Test func aNewPathInsertsItsFolders() throws {
    var fixture = try Fixture()
    let operations = try fixture.apply([
      .modify("a/b/c", .file, blobA), .modify("a/d", .executable, blobB), .modify("e", .symbolicLink, blobC),
    ])
    #expect(
      operations == [
        "folder a in /", "file e in / 120000 c", "folder b in a", "file d in a 100755 b", "file c in b 100644 a",
      ])
  }

  @Test func onlyWhatChangesIsSet() throws {
    var fixture = try Fixture(["a"])
    #expect(try fixture.apply([.modify("a", .file, blobA)]).isEmpty)
    #expect(try fixture.apply([.modify("a", .file, blobB)]) == ["set a b"])
    #expect(try fixture.apply([.modify("a", .executable, blobB)]) == ["set a 100755"])
    #expect(try fixture.apply([.modify("a", .file, blobA)]) == ["set a 100644 a"])
    #expect(try fixture.apply([.modify("a", .file, blobC), .modify("a", .file, blobA)]).isEmpty)
  }

  @Test func aRenameKeepsTheFile() throws {
    var fixture = try Fixture(["a/b", "a/k"])
    #expect(try fixture.apply([.rename(from: "a/b", to: "a/c")]) == ["rename b to c"])
    #expect(try fixture.apply([.rename(from: "a/c", to: "c")]) == ["move c to /"])
    #expect(try fixture.apply([.rename(from: "c", to: "d/e")]) == ["folder d in /", "move c to d", "rename c to e"])
    #expect(
      try fixture.apply([.rename(from: "d/e", to: "a/e"), .modify("a/e", .file, blobB)])
        == ["move e to a", "delete folder d", "set e b"])
    #expect(fixture.tree.paths.count == 2)
  }

  @Test func aRenameThereAndBackIsNothing() throws {
    var fixture = try Fixture(["a"])
    #expect(try fixture.apply([.rename(from: "a", to: "x/y"), .rename(from: "x/y", to: "a")]).isEmpty)
    #expect(try fixture.apply([.rename(from: "a", to: "a")]).isEmpty)
  }

  @Test func aRenameReplacesItsTarget() throws {
    var fixture = try Fixture(["a", "b"])
    #expect(try fixture.apply([.rename(from: "a", to: "b")]) == ["delete b", "rename a to b"])
  }

  @Test func aCopyIsNew() throws {
    var fixture = try Fixture(["a"])
    #expect(
      try fixture.apply([.copy(from: "a", to: "b"), .modify("a", .file, blobB), .copy(from: "a", to: "c")])
        == ["file b in / 100644 a", "file c in / 100644 b", "set a b"])
  }

  @Test func emptiedFoldersGoDeepestFirst() throws {
    var fixture = try Fixture(["a/b/c/d", "e/f", "g"])
    #expect(
      try fixture.apply([.delete("e/f"), .delete("a/b/c/d")])
        == ["delete f", "delete d", "delete folder c", "delete folder b", "delete folder e", "delete folder a"])
  }

  @Test func aFolderEmptiedAndRefilledStays() throws {
    var fixture = try Fixture(["a/b/c", "d"])
    #expect(
      try fixture.apply([.delete("a/b/c"), .modify("a/b/e", .file, blobB)]) == ["delete c", "file e in b 100644 b"])
    #expect(try fixture.apply([.delete("a"), .rename(from: "d", to: "a/b/d")]) == ["delete e", "move d to b"])
  }

  @Test func deletingNothingIsNothing() throws {
    var fixture = try Fixture(["a/b"])
    #expect(try fixture.apply([.delete("x"), .delete("a/x"), .delete("a/b/x")]).isEmpty)
  }

  @Test func aFileThatComesBackIsTheSame() throws {
    var fixture = try Fixture(["a", "b/c"])
    let all: [GitChange] = [.deleteAll, .modify("b/c", .file, blobA), .modify("a", .file, blobA)]
    #expect(try fixture.apply(all).isEmpty)
    #expect(try fixture.apply([.delete("a"), .modify("a", .file, blobB)]) == ["set a b"])
    #expect(try fixture.apply(all + [.modify("x", .file, blobC)]) == ["file x in / 100644 c", "set a a"])
    #expect(
      try fixture.apply([.deleteAll, .modify("a", .file, blobA)]) == ["delete x", "delete c", "delete folder b"])
  }

  @Test func commandsOnAFolderAreForAllBelow() throws {
    var fixture = try Fixture(["a/b", "a/c/d", "e"])
    #expect(
      try fixture.apply([.copy(from: "a", to: "x/y")])
        == ["folder x in /", "folder y in x", "folder c in y", "file b in y 100644 a", "file d in c 100644 a"])
    #expect(
      try fixture.apply([.rename(from: "x/y", to: "e")])
        == [
          "delete e", "folder e in /", "folder c in e", "move b to e", "move d to c", "delete folder c",
          "delete folder y", "delete folder x",
        ])
    #expect(
      Set(fixture.tree.paths.keys.map { String(decoding: $0, as: UTF8.self) }) == ["a/b", "a/c/d", "e/b", "e/c/d"])
    _ = try fixture.apply([.rename(from: "e", to: "e/e")])
    #expect(fixture.tree.paths.keys.contains(Array("e/e/c/d".utf8)) && fixture.tree.files.count == 4)
    _ = try fixture.apply([.rename(from: "", to: "all")])
    #expect(fixture.tree.paths.keys.contains(Array("all/a/c/d".utf8)) && fixture.tree.files.count == 4)
    _ = try fixture.apply([.rename(from: "all/a", to: "")])
    #expect(Set(fixture.tree.paths.keys.map { String(decoding: $0, as: UTF8.self) }) == ["b", "c/d"])
    _ = try fixture.apply([.delete("")])
    #expect(fixture.tree.files.isEmpty && fixture.tree.folders.count == 1)
  }

  @Test func aFileHasPrecedenceOverAFolder() throws {
    var fixture = try Fixture(["foo"])
    let operations = try fixture.apply([.modify("foo/bar", .file, blobB), .delete("foo")])
    #expect(operations == ["delete foo", "folder foo in /", "file bar in foo 100644 b"])
    #expect(
      try fixture.apply([.modify("foo", .file, blobC), .rename(from: "foo", to: "x"), .delete("foo")])
        == ["delete bar", "file x in / 100644 c", "delete folder foo"])
  }

  @Test func namesAreBytes() throws {
    var fixture = try Fixture()
    let latin: [UInt8] = [0x63, 0xE9]
    let names = [
      latin, Array("\u{E9}".utf8), Array("e\u{301}".utf8), Array("\u{10FFE9}".utf8), Array("A".utf8), Array("a".utf8),
    ]
    _ = try fixture.apply(names.map { .modify(GitPath(bytes: $0), .file, blobA) })
    #expect(Set(fixture.tree.paths.keys) == Set(names))
    #expect(fixture.editor.listing().map(\.path.bytes) == names.sorted { $0.lexicographicallyPrecedes($1) })
    _ = try fixture.apply([.rename(from: "a", to: "b"), .delete("e\u{301}")])
    #expect(fixture.tree.files.count == 5)
  }

  @Test func whatIsNotThereCannotMove() throws {
    for change in [GitChange.rename(from: "x", to: "y"), .copy(from: "a/x", to: "y"), .copy(from: "a/b/c", to: "y")] {
      var fixture = try Fixture(["a/b"])
      #expect(throws: TreeError.self) { try fixture.apply([change]) }
    }
    var fixture = try Fixture(["a/b"])
    #expect(throws: TreeError.self) { try fixture.apply([.delete("a/b"), .rename(from: "a", to: "y")]) }
    fixture = try Fixture(["a/b"])
    #expect(throws: TreeError.self) { try fixture.apply([.rename(from: "a/b", to: "")]) }
    fixture = try Fixture(["a/b"])
    let deep = GitPath(bytes: Array(repeating: [UInt8(ascii: "x")], count: 5000).joined(separator: [47]).map { $0 })
    #expect(throws: TreeError.self) { try fixture.apply([.modify(deep, .file, blobA)]) }
  }
}

// MARK: - Order

extension TreeEditorTests {
  @Test func aFileBecomesAFolderAroundItself() throws {
    var fixture = try Fixture(["foo"])
    #expect(
      try fixture.apply([.rename(from: "foo", to: "foo/bar")])
        == ["rename foo to bar", "folder foo in /", "move foo to foo"])
    #expect(fixture.tree.clashCount == 0)
  }

  @Test func aFileThatGoesHalfwayIsNotMetByANewOne() throws {
    var fixture = try Fixture(["foo"])
    #expect(
      try fixture.apply([.modify("bar", .file, blobB), .rename(from: "foo", to: "foo/bar")])
        == ["rename foo to bar", "folder foo in /", "move foo to foo", "file bar in / 100644 b"])
    #expect(fixture.tree.clashCount == 0)
    fixture = try Fixture(["foo/bar"])
    #expect(
      try fixture.apply([.modify("bar/x", .file, blobB), .rename(from: "foo/bar", to: "foo")])
        == ["move bar to /", "delete folder foo", "rename bar to foo", "folder bar in /", "file x in bar 100644 b"])
    #expect(fixture.tree.clashCount == 0)
  }

  @Test func aFolderBecomesItsFile() throws {
    var fixture = try Fixture(["foo/bar"])
    #expect(
      try fixture.apply([.rename(from: "foo/bar", to: "foo")])
        == ["move bar to /", "delete folder foo", "rename bar to foo"])
    #expect(fixture.tree.clashCount == 0)
    fixture = try Fixture(["foo/x/bar"])
    #expect(
      try fixture.apply([.rename(from: "foo/x/bar", to: "foo")])
        == ["move bar to /", "delete folder x", "delete folder foo", "rename bar to foo"])
    #expect(fixture.tree.clashCount == 0)
  }

  @Test func aFolderIsReplacedByANewFile() throws {
    var fixture = try Fixture(["foo/bar", "foo/baz/x"])
    #expect(
      try fixture.apply([
        .delete("foo/bar"), .delete("foo/baz/x"), .modify("foo", .submodule, blobB),
      ]) == ["delete bar", "delete x", "delete folder baz", "delete folder foo", "file foo in / 160000 b"])
  }

  @Test func aChainOfRenamesGoesFromItsEnd() throws {
    var fixture = try Fixture(["a", "b", "c"])
    let operations = try fixture.apply([
      .rename(from: "c", to: "d"), .rename(from: "b", to: "c"), .rename(from: "a", to: "b"),
    ])
    #expect(operations == ["rename c to d", "rename b to c", "rename a to b"])
    _ = try fixture.apply([
      .rename(from: "b", to: "t"), .rename(from: "c", to: "u"), .rename(from: "d", to: "e"),
      .rename(from: "u", to: "d"),
      .rename(from: "t", to: "c"),
    ])
    #expect(fixture.tree.clashCount == 0)
  }

  @Test func filesInTwoFoldersChangePlacesWithoutAClash() throws {
    var fixture = try Fixture(["a", "x/b"])
    let before = fixture.tree.paths
    _ = try fixture.apply([.rename(from: "a", to: "t"), .rename(from: "x/b", to: "a"), .rename(from: "t", to: "x/b")])
    #expect(fixture.tree.clashCount == 0)
    #expect(fixture.tree.paths[Array("a".utf8)] == before[Array("x/b".utf8)])
  }

  @Test func aCycleInOneFolderIsBrokenOnce() throws {
    var fixture = try Fixture(["a", "b"])
    let before = fixture.tree.paths
    _ = try fixture.apply([.rename(from: "a", to: "t"), .rename(from: "b", to: "a"), .rename(from: "t", to: "b")])
    #expect(fixture.tree.clashCount == 1)
    #expect(fixture.tree.paths[Array("a".utf8)] == before[Array("b".utf8)])
    fixture = try Fixture(["foo"])
    #expect(try fixture.apply([.rename(from: "foo", to: "foo/foo")]) == ["folder foo in /", "move foo to foo"])
    #expect(try fixture.apply([.rename(from: "foo/foo", to: "foo")]) == ["move foo to /", "delete folder foo"])
  }

  @Test func ofAFileAndAFolderTheLaterCommandWins() throws {
    var fixture = try Fixture(["foo"])
    #expect(
      try fixture.apply([.modify("foo/bar", .file, blobB)]) == [
        "delete foo", "folder foo in /", "file bar in foo 100644 b",
      ])
    _ = try fixture.apply([
      .modify("foo/a", .file, blobB), .modify("foo", .file, blobB), .modify("foo/b", .file, blobB),
    ])
    #expect(Set(fixture.tree.paths.keys) == [Array("foo/b".utf8)])
    _ = try fixture.apply([.modify("foo/a", .file, blobB), .modify("foo", .file, blobB)])
    #expect(Set(fixture.tree.paths.keys) == [Array("foo".utf8)])
  }
}

// MARK: - Taking over

extension TreeEditorTests {
  private func root(_ name: String = "") -> TreeFolder { TreeFolder(id: NodeID(5), parent: nil, name: name) }

  private func file(_ id: Int, in folder: Int = 5, _ name: String) -> TreeFile {
    TreeFile(id: NodeID(id), folder: NodeID(folder), name: name, mode: .file, blob: blobA)
  }

  @Test func newNodesFollowThoseTakenOver() throws {
    var editor = try TreeEditor(
      folders: [TreeFolder(id: NodeID(9), parent: NodeID(5), name: "a"), root()], files: [file(2, in: 9, "b")])
    #expect(editor.pathListing() == Array("a/b\n".utf8))
    #expect(
      try editor.apply([.rename(from: "a/b", to: "c"), .modify("d", .file, blobB)]) == [
        .move(NodeID(2), to: NodeID(5)), .rename(NodeID(2), name: "c"),
        .insertFile(NodeID(10), folder: NodeID(5), name: "d", mode: .file, blob: blobB), .deleteFolder(NodeID(9)),
      ])
  }

  @Test func whatIsNoTreeIsRefused() {
    let folder = { (id: Int, parent: Int, name: String) in
      TreeFolder(id: NodeID(id), parent: NodeID(parent), name: name)
    }
    for (folders, files) in [
      ([], []), ([root(), root()], []), ([root("x")], []), ([root(), folder(1, 7, "a")], []),
      ([root(), folder(1, 2, "a"), folder(2, 1, "b")], []), ([root(), folder(1, 1, "a")], []),
      ([root(), folder(1, 5, "a"), folder(2, 5, "a")], []), ([root(), folder(1, 5, "a/b")], []),
      ([root(), folder(1, 5, "")], []), ([root()], [file(1, in: 2, "a")]), ([root()], [file(1, "a"), file(2, "a")]),
      ([root(), folder(1, 5, "a")], [file(2, "a")]), ([root()], [file(5, "a")]), ([root()], [file(-1, "a")]),
      ([root()], [file(.max, "a")]), ([root()], [file(1, "a"), file(1, "b")]), ([root()], [file(1, "a\0")]),
      ([root(), folder(1, 5, "a"), folder(1, 5, "b")], []),
    ] as [([TreeFolder], [TreeFile])] {
      #expect(throws: TreeError.self) { try TreeEditor(folders: folders, files: files) }
    }
  }
}
