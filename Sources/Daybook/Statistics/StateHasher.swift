import DaybookModel
import LMDB

import struct Crypto.SHA256

/// Computes the state hash: SHA-256 over all objects by id with their entity, stored values and links.
///
/// It says whether two stores hold the same, however they came to it: no times, positions, derived values, order keys or
/// tags go into it, and nothing that a model has removed. What goes in, byte by byte, is fixed in `docs/state-hash.md`.
///
/// The objects of each entity lie in the order of their ids, and so do the link rows of each relationship, so one cursor
/// for each of them goes through the tables once.
struct StateHasher {
  private let model: ResolvedModel
  private var sources: [EntitySource]
  private var hash = SHA256()
  private var buffer: [UInt8] = []

  /// The hash and what was counted on the way.
  struct Result {
    let hash: Digest
    /// By the number of the entity.
    let counts: [Int]
  }

  private static let bufferSize = 64 << 10
  /// What the hash begins with, so that another layout can never give the same.
  private static let heading = "Daybook state 1\n"

  init(_ reader: Reader) throws {
    model = reader.model
    sources = try reader.model.entities.filter { !$0.isRetired }.map { try EntitySource($0, reader) }
    buffer.reserveCapacity(StateHasher.bufferSize * 2)
  }

  /// - Complexity: O(*n*) for *n* objects and links.
  mutating func run() throws -> Result {
    buffer += StateHasher.heading.utf8
    var counts = [Int](repeating: 0, count: model.entities.count)
    while let next = nextSource() {
      try sources[next].write(to: &buffer)
      counts[sources[next].entity] += 1
      try sources[next].advance()
      if buffer.count >= StateHasher.bufferSize { flush() }
    }
    flush()
    return Result(hash: Digest(finishing: hash), counts: counts)
  }

  /// The source with the least id. Entities are few, so looking at each is faster than a heap.
  private func nextSource() -> Int? {
    var best: Int?
    for index in sources.indices {
      guard let id = sources[index].id else { continue }
      if let present = best, let least = sources[present].id, least <= id { continue }
      best = index
    }
    return best
  }

  private mutating func flush() {
    buffer.withUnsafeBytes { hash.update(bufferPointer: $0) }
    buffer.removeAll(keepingCapacity: true)
  }
}

extension StoreReader {
  /// The state hash: SHA-256 over all objects by id with their entity, stored values and links.
  ///
  /// Two stores with equal state hashes hold the same objects, however they came to them.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(*n*) for *n* objects and links; about a million objects a second.
  public func stateHash() throws -> Digest {
    var hasher = try StateHasher(reader)
    return try hasher.run().hash
  }
}

extension Store {
  /// The state hash at the head; see ``StoreReader/stateHash()``.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func stateHash() throws -> Digest {
    try read { try $0.stateHash() }
  }
}
