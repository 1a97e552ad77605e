import Daybook
import DaybookModel

extension StoreReader {
  /// Returns the state hash: SHA-256 over all objects by id with entity, values and links.
  ///
  /// Derived values are not hashed. Two stores with equal state hashes contain the same objects, whatever their
  /// history.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(*n*) for *n* objects and links; about a million objects a second.
  package func stateHash() throws -> Digest {
    var hasher = try StateHasher(reader)
    return try hasher.run().hash
  }
}
