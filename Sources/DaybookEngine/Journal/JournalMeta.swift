import DaybookModel
import LMDB

/// Rows of the journal's environment besides the commits.
///
/// They end in a seal, because no commit hash covers them.
package enum JournalMeta {
  /// The newest format of a store that this code knows; newer formats are refused with their number.
  package static let formatVersion: UInt64 = 8

  package static let format = Array("format".utf8)
  package static let storeID = Array("store id".utf8)
  /// The positions of all model commits, eight bytes each; the last one is the present model's.
  package static let models = Array("models".utf8)

  /// Appends the seal to a row's value: the first eight bytes of the SHA-256 of key and value.
  package static func sealed(_ value: [UInt8], for key: [UInt8]) -> [UInt8] {
    var bytes = value
    bytes.appendFixed(seal(value[...], for: key))
    return bytes
  }

  /// Returns a row's value without its seal, or `nil` if the seal does not match.
  package static func opened(_ bytes: [UInt8], for key: [UInt8]) -> [UInt8]? {
    guard bytes.count >= sealSize else { return nil }
    let value = bytes.dropLast(sealSize)
    var expected: [UInt8] = []
    expected.appendFixed(seal(value, for: key))
    return bytes.suffix(sealSize).elementsEqual(expected) ? Array(value) : nil
  }

  /// The size of a seal in bytes.
  static let sealSize = 8

  private static func seal(_ value: ArraySlice<UInt8>, for key: [UInt8]) -> UInt64 {
    let bytes = key + value
    return Digest(hashing: bytes.rawSpan).words.0
  }
}
