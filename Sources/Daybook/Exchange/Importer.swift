import DaybookModel

/// Takes what ``Exporter`` wrote into a store: positions, times and hashes stay as they were.
///
///     var importer = Importer(to: "recipes.daybook")
///     let summary = try importer.run { try file.read() }
///
/// A store that is missing is created from the first line, with an identity of its own. Into one that exists, lines that
/// it already has must be the same commits, by their hashes; what follows its head is appended.
///
/// The input may come from anywhere. Each commit is checked before it counts: its bytes must give the hash that the line
/// says, and the events must fit the state before them. What cannot be taken stops the import with the line's number;
/// commits before that line stand, its own leaves no trace.
public struct Importer {
  /// Called after each transaction.
  public var progress: ((Progress) -> Void)?
  private let path: String
  private let options: StoreOptions

  /// What an import did.
  public struct Summary: Hashable, Sendable {
    /// The last commit of the store.
    public let head: Position
    /// The commits that were appended, and the events in them.
    public let commits: Int
    /// How many events were taken in.
    public let events: Int
    /// The commits that the store had already.
    public let known: Int
  }

  /// - Parameters:
  ///   - path: The store's directory; it need not exist.
  ///   - options: How to open it.
  public init(to path: String, options: StoreOptions = StoreOptions()) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    self.options = options
  }

  /// Reads lines to the end of the input.
  ///
  /// Memory holds one transaction's commits, at most about 64 MiB of them, or one that is larger. While `read` waits,
  /// nothing of the store is held open.
  ///
  /// - Parameter read: Gives the next bytes, in pieces of any size; nil at the end.
  /// - Throws: What `read` throws; `StoreError`: `conflict` if the store has another commit at a line's position,
  ///   `damaged` for a line that is no commit of an export or does not give its hash, `constraint` and `badModel` for
  ///   a commit that the store would not have made.
  public func run(reading read: @escaping () throws -> [UInt8]?) throws -> Summary {
    var lines = LineSplitter(read)
    var job = ImportJob(path: path, options: options, progress: progress)
    defer { job.close() }
    while let line = try lines.next() { try job.take(line, number: lines.lineNumber) }
    return try job.finish()
  }
}
