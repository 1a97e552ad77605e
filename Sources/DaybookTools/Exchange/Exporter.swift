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
/// opaque.
package struct Exporter {
  /// Called about every thousand commits.
  package var progress: ((Progress) -> Void)?
  private let store: Store

  private static let chunkSizeInBytes = 256 << 10

  /// Makes an exporter of a store's commits.
  package init(_ store: Store) {
    self.store = store
  }

  /// Writes all commits up to the head at the beginning of the call.
  ///
  /// A page of commits is in memory at a time, and no transaction is open while `write` runs.
  ///
  /// - Parameter write: Receives the next bytes: whole lines.
  /// - Returns: The position of the last commit.
  /// - Throws: Any error of `write`; `StoreError` with the code `damaged` for a commit that cannot be read.
  @discardableResult
  package func export(to write: ([UInt8]) throws -> Void) throws -> Position {
    let head = try store.head()
    var log = try store.log(to: head)
    var output: [UInt8] = []
    var count: UInt64 = 0
    while try log.writeNext(.export, to: &output) {
      count += 1
      if count % 1_024 == 0 {
        progress?(Progress(activity: "exporting", completed: count, total: head.number, unit: "commits"))
      }
      guard output.count >= Exporter.chunkSizeInBytes else { continue }
      try write(output)
      output.removeAll(keepingCapacity: true)
    }
    if !output.isEmpty { try write(output) }
    return head
  }

  /// Returns all lines of a store whose export fits in memory.
  package func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try export { bytes += $0 }
    return bytes
  }
}
