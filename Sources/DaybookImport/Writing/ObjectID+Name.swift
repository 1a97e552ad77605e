#if Import

import Crypto
import DaybookModel

extension ObjectID {
  /// Makes the identity that a name has in a namespace: a UUIDv5 (RFC 9562, section 5.5).
  ///
  ///     ObjectID(name: "Recipe/p7", in: store)   // the same for each import of the store
  package init(name: String, in namespace: ObjectID) {
    var hash = Insecure.SHA1()
    hash.update(data: namespace.bytes)
    hash.update(data: Array(name.utf8))
    var bytes = Array(hash.finalize().prefix(ObjectID.byteCount))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    self.init(bytes16: bytes)
  }

  /// Whether it is a UUIDv5, as the identities of imported objects are.
  package var isNamed: Bool { high & 0xf000 == 0x5000 }
}

#endif
