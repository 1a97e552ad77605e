import Daybook
import DaybookModel

/// Imports the output of ``Exporter`` into a store, keeping positions, times and hashes.
///
///     var importer = Importer(to: "recipes.daybook")
///     let summary = try importer.run { try file.read() }
///
/// A missing store is created from the first line, with a new identity. If the store exists, lines up to its head must
/// be the same commits, by their hashes; lines after its head are appended.
///
/// The input may be untrusted. Each commit is checked before it is appended: its bytes must give the hash in the line,
/// and the events must fit the state before them. A line that is refused stops the import with its number; the commits
/// of earlier lines stand, and nothing of the refused line is written.
package struct Importer {
  /// Called after each transaction.
  package var progress: ((StoreProgress) -> Void)?
  private let path: String
  private let options: StoreOptions

  /// The result of an import.
  package struct Summary: Hashable, Sendable {
    /// The position of the store's last commit.
    package let head: Position
    /// The number of appended commits.
    package let commits: Int
    /// The number of events in the appended commits.
    package let events: Int
    /// The number of commits that the store had already.
    package let known: Int
  }

  /// - Parameters:
  ///   - path: The store's directory; it need not exist.
  ///   - options: The options of the store.
  package init(to path: String, options: StoreOptions = StoreOptions()) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    self.options = options
  }

  /// Imports lines up to the end of the input.
  ///
  /// Memory holds the commits of one transaction, at most about 64 MiB or one larger commit. No transaction is open
  /// while `read` waits.
  ///
  /// - Parameter read: Returns the next bytes, in pieces of any size, or `nil` at the end.
  /// - Throws: Any error of `read`; `StoreError`: `conflict` if the store has another commit at a line's position,
  ///   `damaged` for a line that is no exported commit or does not match its hash, `constraint` and `badModel` for a
  ///   commit that the store would have refused.
  package func run(reading read: @escaping () throws -> [UInt8]?) throws -> Summary {
    var lines = LineSplitter(read)
    var job = ImportJob(path: path, options: options, progress: progress)
    defer { job.close() }
    while let line = try lines.next() { try job.take(line, number: lines.lineNumber) }
    return try job.finish()
  }
}
