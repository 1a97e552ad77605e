import Daybook
import Foundation

/// Reads commits ahead on its own thread and computes their changes to the tree.
///
/// Git, this thread and the writer work at the same time: an import takes as long as the slowest of them.
///
/// Only that thread uses the source and the editor, which makes this `Sendable`.
final class CommitReading: @unchecked Sendable {
  private var source: any GitCommitSource
  private var editor: TreeEditor
  private let queue: CommitQueue

  init(_ source: any GitCommitSource, editor: TreeEditor, into queue: CommitQueue) {
    self.source = source
    self.editor = editor
    self.queue = queue
  }

  func start() {
    let thread = Thread { self.run() }
    thread.name = "daybook git reader"
    thread.start()
  }

  private func run() {
    do {
      while var commit = try source.next() {
        let operations = try prepare(commit)
        commit.changes = []
        guard queue.add(.commit(PreparedCommit(commit: commit, operations: operations))) else { return }
      }
      _ = queue.add(.end)
    } catch {
      _ = queue.add(.failure(error))
    }
  }

  private func prepare(_ commit: GitCommit) throws -> [TreeOperation] {
    do {
      return try editor.apply(commit.changes)
    } catch {
      throw StoreError(.badValue, "git commit \(commit.hash) (line \(commit.lineNumber) of the stream): \(error)")
    }
  }
}
