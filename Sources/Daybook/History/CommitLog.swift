import DaybookModel

/// Reads commits of a store, one after the other.
///
///     var log = try store.log(from: 2)
///     while let commit = try log.next() {
///       print(commit.position, commit.events.count)
///     }
///
/// Commits are copied out of the journal in small pages, so no transaction is held between two calls, however long the
/// caller takes. Commits written meanwhile are not included.
public struct CommitLog {
  private var pages: CommitPages
  private var page: [CopiedCommit] = []
  private var index = 0
  private var remaining: Int
  private let object: ObjectID?

  init(_ store: Store, _ selection: CommitSelection, limit: Int?, of object: ObjectID? = nil) {
    pages = CommitPages(store, selection)
    remaining = limit ?? .max
    self.object = object
  }

  /// Returns the next commit, or `nil` at the end.
  ///
  /// - Throws: `StoreError` with the code `damaged` for a commit that cannot be read.
  public mutating func next() throws -> Commit? {
    try nextCopy()?.decoded(of: object)
  }

  /// Appends the next commit as a line of JSON.
  ///
  /// - Returns: `false` at the end.
  package mutating func writeNext(_ style: CommitLineStyle, to output: inout [UInt8]) throws -> Bool {
    guard let commit = try nextCopy() else { return false }
    try commit.write(CommitLineWriter(style, of: object), to: &output)
    return true
  }

  private mutating func nextCopy() throws -> CopiedCommit? {
    guard remaining > 0 else { return nil }
    if index == page.count {
      page = try pages.next()
      index = 0
    }
    guard index < page.count else { return nil }
    defer { index += 1 }
    remaining -= 1
    return page[index]
  }
}
