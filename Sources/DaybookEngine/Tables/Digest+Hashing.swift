import DaybookModel
import LMDB

extension Digest {
  /// Computes the SHA-256 of a file.
  package init(of file: borrowing RawFile) throws {
    var writer = DigestWriter()
    let pieceSize = 1 << 20
    var offset = 0
    while offset < file.sizeInBytes {
      let piece = try file.read(at: offset, count: min(pieceSize, file.sizeInBytes - offset))
      writer.append(piece.rawSpan)
      offset += piece.count
    }
    self = writer.finish()
  }
}
