import Daybook
import DaybookModel

/// Writes a store's journal as lines of JSON, from which ``Importer`` can restore it.
///
///     var exporter = Exporter(store)
///     exporter.progress = { bar.show($0) }
///     try exporter.export { try file.write($0) }
///
/// A line is the output of `daybook log --jsonl` for the commit, plus what a reader could not derive: the former times
/// of objects, the tags of the model, and the bytes of codable values that are not in canonical form. Nothing in it is
/// opaque. The bytes of each large value precede the line of the first commit of the export that refers to it.
package struct Exporter {
  /// Called about every thousand commits.
  package var progress: ((StoreProgress) -> Void)?
  private let store: Store

  private static let chunkSizeInBytes = 256 << 10

  /// Makes an exporter of a store's commits.
  package init(_ store: Store) {
    self.store = store
  }

  /// The form of the lines.
  package enum Form: Sendable {
    /// A commit a line, from which an import makes the same journal.
    case commits
    /// An event a line, in the form of CloudEvents 1.0.
    case cloudEvents
  }

  /// Writes the commits of a range, or all commits up to the head at the beginning of the call.
  ///
  /// A page of commits is in memory at a time, and no transaction is open while `write` runs.
  ///
  /// - Parameters:
  ///   - first: The first commit; 0 and 1 are the beginning.
  ///   - last: The last commit; `nil` for the head.
  ///   - form: The form of the lines.
  ///   - write: Receives the next bytes: whole lines.
  /// - Returns: The position of the last commit.
  /// - Throws: Any error of `write`; `StoreError` with the code `damaged` for a commit that cannot be read.
  @discardableResult
  package func export(
    from first: Position = .empty, to last: Position? = nil, as form: Form = .commits,
    to write: ([UInt8]) throws -> Void
  ) throws -> Position {
    let head = try min(last ?? store.position, store.position)
    var log = try store.log(from: first, to: head)
    var output: [UInt8] = []
    var count: UInt64 = 0
    var written: Set<Digest> = []
    while true {
      for value in try log.nextLargeValues() where written.insert(value.sha256).inserted {
        try write(output)
        output.removeAll(keepingCapacity: true)
        try LargeValueLine.write(value, as: form, of: store, to: write)
      }
      guard try writeNext(of: &log, as: form, to: &output) else { break }
      count += 1
      if count % 1_024 == 0 {
        progress?(StoreProgress(activity: "exporting", completed: count, total: head.number, unit: "commits"))
      }
      guard output.count >= Exporter.chunkSizeInBytes else { continue }
      try write(output)
      output.removeAll(keepingCapacity: true)
    }
    if !output.isEmpty { try write(output) }
    return head
  }

  private func writeNext(of log: inout CommitLog, as form: Form, to output: inout [UInt8]) throws -> Bool {
    switch form {
    case .commits: try log.writeNext(.export, to: &output)
    case .cloudEvents: try log.writeNext(CloudEventWriter(storeID: store.id), to: &output)
    }
  }

  /// Returns all lines of a store whose export fits in memory.
  package func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try export { bytes += $0 }
    return bytes
  }
}
