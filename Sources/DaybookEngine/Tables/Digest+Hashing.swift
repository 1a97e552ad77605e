import DaybookModel
import LMDB

import struct Crypto.SHA256

extension Digest {
  /// Computes the SHA-256 of bytes.
  ///
  /// - Complexity: About 0.2 µs for 80 bytes and 0.5 ns for each further byte.
  package init(hashing bytes: RawSpan) {
    var hash = SHA256()
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    self.init(finishing: hash)
  }

  /// Makes the digest of a hash function's input.
  package init(finishing hash: SHA256) {
    self = unsafe hash.finalize().withUnsafeBytes { bytes in
      var reader = unsafe ByteReader(RawSpan(_unsafeBytes: bytes))
      do {
        return try Digest(reading: &reader)
      } catch {
        preconditionFailure("A SHA-256 has 32 bytes: \(error)")
      }
    }
  }

  /// Computes the SHA-256 of a file.
  package init(of file: borrowing RawFile) throws {
    var hash = SHA256()
    let pieceSize = 1 << 20
    var offset = 0
    while offset < file.sizeInBytes {
      let piece = try file.read(at: offset, count: min(pieceSize, file.sizeInBytes - offset))
      unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
      offset += piece.count
    }
    self.init(finishing: hash)
  }
}
