import DaybookTestSupport
import Testing

@testable import DaybookGit

/// A dictionary of paths, which implements the contract in the simplest way.
struct FlatModel {
  struct File: Hashable {
    var identity: Int
    var mode: GitMode
    var blob: GitHash
    var write: Int
  }

  typealias Path = [String]

  private(set) var files: [Path: File] = [:]
  private var start: [Path: File] = [:]
  private var nextIdentity = 0
  private var writeCount = 0

  /// Begins a commit.
  mutating func begin() {
    start = files
  }

  mutating func perform(_ change: GitChange) {
    switch change {
    case .modify(let path, let mode, let blob): write(Self.names(path), mode, blob)
    case .delete(let path): for path in selection(path) { files[path] = nil }
    case .rename(let source, let target) where source != target: rename(source, to: target)
    case .copy(let source, let target) where source != target: copy(source, to: target)
    case .deleteAll: files = [:]
    default: break
    }
  }

  /// Ends a commit: if a file and a folder have the same path, the later one stays.
  mutating func settle() {
    let written = files
    for (path, file) in written {
      let isBeaten = written.contains { other, winner in
        other != path && (other.starts(with: path) || path.starts(with: other)) && winner.write > file.write
      }
      if isBeaten { files[path] = nil }
    }
  }

  static func names(_ path: GitPath) -> Path {
    path.description.split(separator: "/").map(String.init)
  }

  /// Returns the file at a path, or every file below the path if no file is at it.
  func selection(_ path: GitPath) -> [Path] {
    let path = Self.names(path)
    return files[path] != nil ? [path] : files.keys.filter { $0.starts(with: path) }
  }

  private mutating func write(_ path: Path, _ mode: GitMode, _ blob: GitHash) {
    writeCount += 1
    var identity = files[path]?.identity
    if identity == nil, let earlier = start[path], !files.values.contains(where: { $0.identity == earlier.identity }) {
      identity = earlier.identity
    }
    nextIdentity += 1
    files[path] = File(identity: identity ?? nextIdentity, mode: mode, blob: blob, write: writeCount)
  }

  private mutating func rename(_ source: GitPath, to target: GitPath) {
    let (source, selected) = (Self.names(source), selection(source))
    let moved = selected.map { ($0, files[$0]!) }
    for path in selected { files[path] = nil }
    if selected != [source] { clear(target) }
    for (path, file) in moved.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
      writeCount += 1
      var file = file
      file.write = writeCount
      files[Self.names(target) + path.dropFirst(source.count)] = file
    }
  }

  private mutating func copy(_ source: GitPath, to target: GitPath) {
    let (source, selected) = (Self.names(source), selection(source))
    let copied = selected.map { ($0, files[$0]!) }
    if selected != [source] { clear(target) }
    for (path, file) in copied.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
      write(Self.names(target) + path.dropFirst(source.count), file.mode, file.blob)
    }
  }

  private mutating func clear(_ path: GitPath) {
    let names = Self.names(path)
    for path in files.keys where path.starts(with: names) { files[path] = nil }
  }
}

@Suite(.hangLimit) struct TreeEditorModelTests {
  /// The parameters of a random history.
  struct Recipe {
    var names: [String]
    var depth: Int
    var commandCount: Int
    var hasRenames = true
  }

  @Test func randomCommandsGiveTheTreeOfTheModel() throws {
    var random = SeededRandom(seed: Seeds.one)
    for _ in 0..<300 {
      let names = Array(
        ["a", "b", "c", "foo", "bar", "x"].shuffled(using: &random).prefix(Int.random(in: 2...6, using: &random)))
      let recipe = Recipe(
        names: names, depth: Int.random(in: 1...4, using: &random), commandCount: Int.random(in: 1...25, using: &random)
      )
      try check(recipe, &random)
    }
  }

  @Test func withoutRenamesNoSiblingsEverClash() throws {
    var random = SeededRandom(seed: Seeds.one)
    for _ in 0..<150 {
      let recipe = Recipe(
        names: ["a", "b", "c"], depth: 4, commandCount: Int.random(in: 1...25, using: &random), hasRenames: false)
      try check(recipe, &random)
    }
  }

  private func check(_ recipe: Recipe, _ random: inout SeededRandom) throws {
    var editor = TreeEditor()
    var tree = ReplayedTree()
    var model = FlatModel()
    var nodes: [Int: NodeID] = [:]
    for index in 0..<12 {
      let changes = makeCommit(recipe, &model, &random)
      let comment: Comment = "seed \(random.seed), commit \(index): \(changes)"
      tree.apply(try editor.apply(changes), comment)
      expectEqual(tree, model, &nodes, comment)
      #expect(tree.entryListing == editor.entryListing(), comment)
      #expect(tree.emptyFolders.isEmpty, comment)
      if !recipe.hasRenames { #expect(tree.clashCount == 0, comment) }
      if random.isTrue(percent: 20) { editor = try tree.takeOver() }
    }
  }

  /// Returns commands that fit the tree, each performed on the model.
  private func makeCommit(_ recipe: Recipe, _ model: inout FlatModel, _ random: inout SeededRandom) -> [GitChange] {
    var changes: [GitChange] = []
    model.begin()
    for _ in 0..<Int.random(in: 0...recipe.commandCount, using: &random) {
      let change = makeChange(recipe, &random)
      guard fits(change, model) else { continue }
      model.perform(change)
      changes.append(change)
    }
    model.settle()
    return changes
  }

  private func fits(_ change: GitChange, _ model: FlatModel) -> Bool {
    switch change {
    case .rename(let source, _), .copy(let source, _): !model.selection(source).isEmpty
    default: true
    }
  }

  private func makeChange(_ recipe: Recipe, _ random: inout SeededRandom) -> GitChange {
    // Sometimes the root, as a source or to delete.
    let path = makePath(recipe, &random)
    let source = random.isTrue(percent: 2) ? "" : path
    let other = makePath(recipe, &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45:
      return .modify(
        path, GitMode.allCases.randomElement(using: &random)!, [blobA, blobB, blobC].randomElement(using: &random)!)
    case 45..<70: return .delete(source)
    case 70..<88: return recipe.hasRenames ? .rename(from: source, to: other) : .delete(source)
    case 88..<98: return .copy(from: source, to: other)
    default: return .deleteAll
    }
  }

  private func makePath(_ recipe: Recipe, _ random: inout SeededRandom) -> GitPath {
    let depth = Int.random(in: 1...recipe.depth, using: &random)
    let names = (0..<depth).map { _ in recipe.names.randomElement(using: &random)! }
    return GitPath(stringLiteral: names.joined(separator: "/"))
  }

  private func expectEqual(_ tree: ReplayedTree, _ model: FlatModel, _ nodes: inout [Int: NodeID], _ comment: Comment) {
    let paths = tree.paths
    #expect(Set(paths.keys) == Set(model.files.keys.map { Array($0.joined(separator: "/").utf8) }), comment)
    for (names, file) in model.files {
      guard let node = paths[Array(names.joined(separator: "/").utf8)] else { continue }
      let known = nodes[file.identity] ?? node
      nodes[file.identity] = node
      #expect(node == known, comment)
      #expect(tree.files[node]?.mode == file.mode && tree.files[node]?.blob == file.blob, comment)
    }
  }
}
