import Daybook
import DaybookEngine
import DaybookModel
import LMDB

/// Computes the state hash: SHA-256 over all objects by id with their entity, stored values and links.
///
/// It shows whether two stores have the same content, regardless of their history: no times, positions, derived values,
/// order keys or tags are hashed, and nothing that a model has removed. The hashed bytes are specified in
/// `docs/state-hash.md`.
///
/// The objects of each entity are sorted by id, and so are the link rows of each relationship, so one cursor for each
/// of them passes through the tables once.
struct StateHasher {
  private let model: ResolvedModel
  private var sources: [EntitySource]
  private var output = StateHashOutput()

  /// The hash, and the object counts.
  struct Result {
    let hash: Digest
    /// The number of objects, by the index of the entity.
    let counts: [Int]
  }

  /// The start of the hashed bytes, so that another layout can never give the same hash.
  private static let heading = "Daybook state 1\n"

  init(_ reader: Reader) throws {
    model = reader.model
    sources = try reader.model.entities.filter { !$0.isRetired }.map { try EntitySource($0, reader) }
  }

  /// - Complexity: O(*n*) for *n* objects and links.
  mutating func run() throws -> Result {
    output.bytes += StateHasher.heading.utf8
    var counts = [Int](repeating: 0, count: model.entities.count)
    while let next = nextSource() {
      try sources[next].write(to: &output)
      counts[sources[next].entity] += 1
      try sources[next].advance()
      output.flushIfLarge()
    }
    return Result(hash: output.finish(), counts: counts)
  }

  /// Returns the source with the least id. Entities are few, so a scan is faster than a heap.
  private func nextSource() -> Int? {
    var best: Int?
    for index in sources.indices {
      guard let id = sources[index].id else { continue }
      if let present = best, let least = sources[present].id, least <= id { continue }
      best = index
    }
    return best
  }
}
