import Daybook
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookGit

/// Histories made with git: after each commit the store's tree equals `git ls-tree`.
@Suite(.hangLimit) struct RepositoryImportTests {
  private typealias Files = [[UInt8]: (mode: GitMode, blob: GitHash)]

  /// Names that often cause errors: spaces, quotes, controls, similar forms, invalid UTF-8.
  private static let names: [[UInt8]] =
    ["a", "b", "a b", "a-b", "a.b", "A", "a\"b", "a\\b", "\t", "\u{E9}", "e\u{301}", "\u{10FF80}", " ", "-", "a\nb"]
    .map { Array($0.utf8) } + [[0xE9], [0xFF, 0xFE], [0x61, 0xC3]]

  private func lines(_ seed: Int) -> String {
    (0..<30).map { "line \($0 * seed)\n" }.joined()
  }

  /// Returns a path that fits into the tree: it is not below another, nor another below it.
  private func randomPath(_ files: Files, _ random: inout SeededRandom) -> [UInt8]? {
    let depth = [1, 1, 2, 2, 3, 4].randomElement(using: &random) ?? 1
    let parts = (0..<depth).map { _ in Self.names.randomElement(using: &random) ?? [0x61] }
    let path = Array(parts.joined(separator: [0x2F]))
    let isFree = files.keys.allSatisfy { other in
      other != path && !other.starts(with: path + [0x2F]) && !path.starts(with: other + [0x2F])
    }
    return isFree ? path : nil
  }

  private func change(_ files: inout Files, blobs: [GitHash], _ random: inout SeededRandom) {
    let modes: [GitMode] = [.file, .file, .file, .executable, .symbolicLink]
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      guard let path = randomPath(files, &random), let blob = blobs.randomElement(using: &random) else { return }
      files[path] = (modes.randomElement(using: &random) ?? .file, blob)
    case 4..<6:
      guard let path = anyPath(files, &random), let blob = blobs.randomElement(using: &random) else { return }
      files[path] = (modes.randomElement(using: &random) ?? .file, blob)
    case 6..<8:
      guard let path = anyPath(files, &random), let file = files.removeValue(forKey: path) else { return }
      files[randomPath(files, &random) ?? path] = file
    case 8:
      guard let first = anyPath(files, &random), let second = anyPath(files, &random) else { return }
      (files[first], files[second]) = (files[second], files[first])
    default:
      guard let path = anyPath(files, &random) else { return }
      files[path] = nil
    }
  }

  private func anyPath(_ files: Files, _ random: inout SeededRandom) -> [UInt8]? {
    files.keys.sorted { $0.lexicographicallyPrecedes($1) }.randomElement(using: &random)
  }

  @Test func renamesSwapsAndNamesOfAnyBytesAreFollowed() throws {
    var random = SeededRandom(seed: Seeds.one)
    let repository = try TemporaryRepository()
    let blobs = try (1...6).map { try repository.blob(lines($0)) }
    let target = try ImportStore()
    var files: Files = [:]
    var last: [GitHash] = []
    for round in 0..<3 {
      for _ in 0..<12 {
        for _ in 0..<Int.random(in: 0...8, using: &random) { change(&files, blobs: blobs, &random) }
        last = [try repository.commit(repository.tree(files), parents: last)]
      }
      // Each round continues where the previous one ended, with an editor built from the store.
      #expect(
        try target.importAndCheck(repository, "seed \(random.seed)").position == Position(UInt64(round + 1) * 12 + 1))
    }
  }

  @Test func filesBecomeFoldersLinksAndSubmodules() throws {
    let repository = try TemporaryRepository()
    let blob = try repository.blob(lines(1))
    let steps: [Files] = [
      [Array("a".utf8): (.file, blob)],
      [Array("a/b/c".utf8): (.file, blob)],
      [Array("a/b".utf8): (.executable, blob), Array("a/c".utf8): (.symbolicLink, blob)],
      [Array("a".utf8): (.submodule, gitHash("1"))],
      [Array("a".utf8): (.submodule, gitHash("2")), [0xFF]: (.file, blob)],
      [[0xFF, 0x2F, 0xFE]: (.file, blob)],
      [:],
    ]
    var last: [GitHash] = []
    for files in steps { last = [try repository.commit(repository.tree(files), parents: last)] }
    #expect(try ImportStore().importAndCheck(repository).commitCount == steps.count)
  }

  @Test func aBranchThatWasRewrittenIsRefused() throws {
    let repository = try TemporaryRepository()
    let tree = try repository.tree([Array("a".utf8): (.file, try repository.blob("a"))])
    let root = try repository.commit(tree)
    try repository.commit(tree, parents: [root], message: "second")
    let target = try ImportStore()
    try target.importAndCheck(repository)
    try repository.commit(tree, parents: [root], message: "another second")
    let importer = try GitImporter(target.store)
    let error = #expect(throws: GitError.self) { try repository.repository.export(after: importer.lastRevision) }
    #expect(error?.kind == .historyDiverged)
    #expect(try target.store.position == 3)
  }

  /// A history in which similarity finds a rename: a file moves and changes in one commit, others only move.
  private func renamingRepository() throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    let (old, new) = (try repository.blob(lines(1)), try repository.blob(lines(1) + "one line more\n"))
    let other = try repository.blob(lines(7))
    let steps: [Files] = [
      [Array("a".utf8): (.file, old), Array("b".utf8): (.file, other)],
      [Array("moved/a".utf8): (.file, new), Array("moved/b".utf8): (.file, other)],
      [Array("moved/a".utf8): (.file, new)],
    ]
    var last: [GitHash] = []
    for files in steps { last = [try repository.commit(repository.tree(files), parents: last)] }
    return repository
  }

  @Test func `a clone without contents is imported with the renames of unchanged files, and fetches nothing`() throws {
    let repository = try renamingRepository()
    let clone = try TemporaryRepository(partialCloneOf: repository, filter: "blob:none")
    func objectCount() throws -> [UInt8] { try clone.git(["count-objects", "-v"]) }
    let before = try objectCount()
    let (whole, partial) = (try ImportStore(), try ImportStore())
    #expect(try !repository.repository.export().hasExactRenamesOnly)
    #expect(try clone.repository.export().hasExactRenamesOnly)
    #expect(try whole.importAndCheck(repository).commitCount == 3)
    #expect(try partial.importAndCheck(clone).commitCount == 3)
    #expect(try objectCount() == before)
    // The file that moved and changed keeps its identity only where its contents can be compared.
    func events(_ store: ImportStore) throws -> [String] {
      var log = try store.store.log(from: 3, to: 3)
      let commit = try log.next()
      return try #require(commit).events.map { "\($0.kind.rawValue) \($0.entity)" }
    }
    #expect(try !events(whole).contains("deleted File"))
    #expect(try events(partial).filter { $0 == "deleted File" }.count == 1)
  }

  @Test func `a clone without folders is refused before anything is written`() throws {
    let clone = try TemporaryRepository(partialCloneOf: renamingRepository(), filter: "tree:0")
    let error = #expect(throws: GitError.self) { try clone.repository.export() }
    #expect(error?.kind == .missingObjects, "\(String(describing: error))")
    #expect(error?.message.contains("nothing was imported") == true)
  }

  @Test func `a partial clone that has all contents is imported like a whole one`() throws {
    let clone = try TemporaryRepository(partialCloneOf: renamingRepository(), filter: "blob:limit=1m")
    #expect(try !clone.repository.export().hasExactRenamesOnly)
    #expect(try ImportStore().importAndCheck(clone).commitCount == 3)
  }
}
