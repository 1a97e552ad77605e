import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

@testable import DaybookGit

/// A store to import into, in its own directory.
final class ImportStore {
  let directory: TemporaryDirectory
  let store: Store

  init(options: StoreOptions = StoreOptions()) throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("history"), model: GitModel.model, options: options)
  }

  /// Imports the commits of a stream that the store lacks.
  @discardableResult
  func importStream(
    _ stream: [UInt8], limits: GitImporter.BatchLimits = .init(), progress: ((Int) -> Void)? = nil,
    finishingEach finish: ((GitCommit, borrowing Transaction) throws -> Void)? = nil
  ) throws -> GitImporter.Summary {
    let importer = try GitImporter(store, limits: limits)
    return try importer.run(
      FastExportReader(MemorySource(stream), after: importer.lastRevision), progress: progress, finishingEach: finish)
  }

  @discardableResult
  func importStream(_ stream: String) throws -> GitImporter.Summary {
    try importStream(Array(stream.utf8))
  }

  /// Imports new commits of a repository, and compares the tree with git's after each commit.
  @discardableResult
  func importAndCheck(_ repository: TemporaryRepository, _ comment: Comment? = nil) throws -> GitImporter.Summary {
    let importer = try GitImporter(store)
    let export = try repository.repository.export(after: importer.lastRevision)
    let summary = try importer.run(
      export,
      finishingEach: { commit, tx in
        let listing = try tx.treePaths().entryListing
        let expected = try repository.entryListing(of: commit.hash)
        #expect(listing == expected, comment)
      })
    #expect(summary.commitCount == export.count, comment)
    #expect(summary.lastRevision == export.tip, comment)
    let expected = try repository.entryListing(of: export.tip)
    #expect(try store.entryListing() == expected, comment)
    return summary
  }

  func objects(_ entity: String) throws -> [StoredObject] {
    try store.fetch(Request(entity: entity)).rows
  }

  /// Returns the files and folders with unique paths, by their paths.
  func ids() throws -> [String: ObjectID] {
    var names: [String] = []
    var ids: [String: ObjectID] = [:]
    try store.read { reader in
      try reader.forEachTreeNode { node in
        names.removeLast(names.count - node.depth)
        names.append(node.name)
        ids[names.dropFirst().joined(separator: "/")] = node.id
      }
    }
    return ids
  }
}

extension Store {
  /// Returns the lines `mode blob<TAB>path` of the tree.
  func entryListing() throws -> [UInt8] {
    try read { try $0.treePaths(showing: ["mode", "blob"], decodingNames: PathText.decode).lines(showingValues: true) }
  }

  /// Returns the paths of the tree, with a newline after each.
  func pathListing() throws -> [UInt8] {
    try read { try $0.treePaths(decodingNames: PathText.decode).lines(showingValues: false) }
  }
}

extension Transaction {
  /// Returns the tree in git's order.
  func treePaths() throws -> TreePaths {
    try treePaths(showing: ["mode", "blob"], decodingNames: PathText.decode)
  }
}

extension TreePaths {
  var entryListing: [UInt8] { lines(showingValues: true) }

  func lines(showingValues: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<count { appendLine(index, showingValues: showingValues, to: &bytes) }
    return bytes
  }
}
