#if Command && Git

import ArgumentParser
import Daybook
import DaybookGit
import Foundation

struct ImportGitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git", abstract: "Import a git history: one commit for each of git's.",
    discussion: """
      The history is the branch's line of first parents. After each commit, the store's tree is what `git ls-tree -r` \
      says of that commit. A store that is missing is created; one that holds the history's beginning gets what is new.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The repository; the current directory's if none is named.", completion: .directory)
  var repository: String?

  @Option(
    help: ArgumentHelp(
      "Read what `git fast-export --no-data --show-original-ids --first-parent` wrote; - is standard input.",
      valueName: "file"),
    completion: .file())
  var stream: String?

  @Option(help: ArgumentHelp("The branch; HEAD if none is named.", valueName: "name"))
  var branch: String?

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard stream != nil else { return }
    if repository != nil { throw ValidationError("Give a repository or --stream, not both.") }
    if branch != nil { throw ValidationError("A stream's commits all count; --branch is for repositories.") }
  }

  func run() throws {
    let summary = try StoreDirectory(arguments.store).exists ? continueImport() : createStore()
    let head = summary.position
    Console.standard.noteWritten(head)
    guard output.json else {
      let commits = summary.commitCount == 1 ? "1 commit" : "\(summary.commitCount) commits"
      return try Console.standard.print(
        summary.commitCount == 0 ? "Nothing new; the head is \(head)." : "Imported \(commits); the head is \(head).")
    }
    try Console.standard.print(
      .object([("head", head.json), ("commits", .integer(Int64(summary.commitCount)))]))
  }

  private func continueImport() throws -> GitImporter.Summary {
    let store = try open()
    defer { store.close() }
    let importer = try GitImporter(store)
    let history = try history(after: importer.lastRevision)
    return try run(importer, history.source, count: history.count)
  }

  private func open() throws -> Store {
    do {
      return try Store(at: arguments.store, model: GitModel.model, options: StoreArguments.libraries)
    } catch let error as StoreError where error.code == .badModel {
      // A list of all differences between two unrelated models would be less clear.
      throw StoreError(
        .badModel, "The store \(arguments.store) has another model than a git history.",
        advice: "Import into a new store.")
    }
  }

  /// Creates the store after the first commit was read, and imports the history.
  ///
  /// So a history that cannot be read leaves no store.
  private func createStore() throws -> GitImporter.Summary {
    var history = try history(after: nil)
    let first = try history.source.next()
    let store = try Store(at: arguments.store, model: GitModel.model, options: StoreArguments.libraries)
    defer { store.close() }
    return try run(GitImporter(store), PeekedSource(first: first, rest: history.source), count: history.count)
  }

  private func run(
    _ importer: consuming GitImporter, _ source: any GitCommitSource, count: Int?
  ) throws -> GitImporter.Summary {
    let bar = ProgressBar()
    defer { bar.finish() }
    var commitCount = 0
    do {
      return try importer.run(
        source,
        progress: { done in
          commitCount = done
          bar.show(
            StoreProgress(
              activity: "Importing", completed: UInt64(done), total: count.map { UInt64($0) }, unit: "commits"))
        })
    } catch  where commitCount > 0 {
      throw InterruptedImport(cause: error, commitCount: commitCount)
    }
  }

  /// Returns the commits to read, with their number if it is known.
  private func history(after base: GitHash?) throws -> (source: any GitCommitSource, count: Int?) {
    guard let stream else {
      let export = try GitRepository(path: repository ?? ".").export(branch: branch, after: base)
      if export.hasExactRenamesOnly {
        Console.standard.printError(
          "note: the repository is a partial clone that lacks contents: a file that was renamed and changed at once is imported as another file."
        )
      }
      return (export, export.count)
    }
    return (FastExportReader(FileSource(try openStream(stream)), after: base), nil)
  }

  private func openStream(_ path: String) throws -> FileHandle {
    guard path != "-" else { return .standardInput }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("Cannot open \(path)") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw FileFailure("Cannot read \(path)", code: EISDIR, advice: "Name a repository without --stream.")
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

/// A source whose first commit was read ahead.
private struct PeekedSource: GitCommitSource {
  var first: GitCommit?
  var rest: any GitCommitSource

  mutating func next() throws -> GitCommit? {
    guard let commit = first else { return try rest.next() }
    first = nil
    return commit
  }
}

/// An import that an error ended after some commits.
struct InterruptedImport: Error {
  let cause: any Error
  /// The number of commits that were imported.
  let commitCount: Int
}

#elseif Command

import ArgumentParser

/// Reports how to build the command, whatever its arguments are.
struct ImportGitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git", abstract: "Import a git history. This build cannot.")

  @Argument(parsing: .allUnrecognized, help: .hidden) var arguments: [String] = []

  func run() throws { throw MissingTrait(name: "Git", feature: "the import of git histories") }
}

#endif
