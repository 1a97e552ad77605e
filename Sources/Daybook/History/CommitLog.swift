import DaybookModel
import DaybookRuntime

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
  /// Selects the events of each commit.
  private let events: CommitEvents

  init(_ store: Store, _ selection: CommitSelection, limit: Int?) {
    pages = CommitPages(store, selection)
    remaining = limit ?? .max
    events = .all
  }

  /// - Parameter isNarrow: Whether each commit has only the events that meet the query.
  init(_ store: Store, _ selection: CommitSelection, limit: Int?, query: CommitQuery, isNarrow: Bool) {
    pages = CommitPages(store, selection, matching: query.matcher)
    remaining = limit ?? .max
    events =
      isNarrow && query.matcher.isOfEvents
      ? .matching(query.matcher) : query.filter.object.map { .naming($0) } ?? .all
  }

  /// Returns the next commit, or `nil` at the end.
  ///
  /// - Throws: `StoreError` with the code `damaged` for a commit that cannot be read.
  public mutating func next() throws -> Commit? {
    guard let commit = try nextCopy() else { return nil }
    return try commit.decoded(try events.selection(of: commit))
  }

  /// Returns the header of the next commit, or `nil` at the end.
  mutating func nextHeader() throws -> CommitHeader? { try nextCopy()?.header }

  /// Appends the next commit as a line of JSON.
  ///
  /// - Returns: `false` at the end.
  package mutating func writeNext(_ style: CommitLineStyle, to output: inout [UInt8]) throws -> Bool {
    guard let commit = try nextCopy() else { return false }
    try commit.write(CommitLineWriter(style, events: try events.selection(of: commit)), to: &output)
    return true
  }

  /// Appends the events of the next commit as CloudEvents, a line each.
  ///
  /// - Returns: `false` at the end.
  package mutating func writeNext(_ writer: CloudEventWriter, to output: inout [UInt8]) throws -> Bool {
    guard let commit = try nextCopy() else { return false }
    try commit.write(writer, to: &output)
    return true
  }

  /// Returns the large values that the events of the next commit refer to; the commit stays the next one.
  ///
  /// - Throws: `StoreError` with the code `damaged` for events that cannot be read.
  package mutating func nextLargeValues() throws -> [LargeValue] {
    guard try nextPosition() != nil else { return [] }
    return try page[index].largeValues()
  }

  /// Returns the position of the next commit, which stays the next one; `nil` at the end.
  package mutating func nextPosition() throws -> Position? {
    guard remaining > 0 else { return nil }
    if index == page.count {
      page = try pages.next(atMost: remaining)
      index = 0
    }
    return index < page.count ? page[index].header.position : nil
  }

  private mutating func nextCopy() throws -> CopiedCommit? {
    guard try nextPosition() != nil else { return nil }
    defer { index += 1 }
    remaining -= 1
    return page[index]
  }
}
