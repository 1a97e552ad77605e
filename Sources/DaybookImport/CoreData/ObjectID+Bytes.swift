#if Import

import DaybookModel

extension ObjectID {
  /// Creates the identity with sixteen bytes.
  ///
  /// - Precondition: There are sixteen bytes.
  init(bytes16 bytes: [UInt8]) {
    precondition(bytes.count == ObjectID.byteCount, "a UUID has sixteen bytes")
    let words = [0, 8].map { start in bytes[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    self.init(high: words[0], low: words[1])
  }
}

#endif
