import DaybookModel

/// Writes a store's journal as lines of JSON, from which ``Importer`` makes the same journal again.
///
///     var exporter = Exporter(store)
///     exporter.progress = { bar.show($0) }
///     try exporter.export { try file.write($0) }
///
/// A line is what `daybook log --jsonl` prints for the commit, with what a reader could not guess: the former times of
/// objects, the tags of the model, and the bytes of codable values that are not in canonical form. Nothing in it is
/// opaque.
public struct Exporter {
  /// Called about every thousand commits.
  public var progress: ((Progress) -> Void)?
  private let store: Store

  private static let chunkSizeInBytes = 256 << 10

  /// An exporter of a store's commits.
  public init(_ store: Store) {
    self.store = store
  }

  /// Writes all commits up to the head, as it is when this begins.
  ///
  /// Memory holds a page of commits at a time, and nothing of the store is held open while `write` works.
  ///
  /// - Parameter write: Takes the next bytes: whole lines.
  /// - Returns: The position of the last commit.
  /// - Throws: What `write` throws; `StoreError` with the code `damaged` for a commit that cannot be read.
  @discardableResult
  public func export(to write: ([UInt8]) throws -> Void) throws -> Position {
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
}
