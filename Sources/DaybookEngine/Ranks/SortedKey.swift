import DaybookModel
import DaybookQuery
import LMDB

/// The place of a row in a result: bytes that compare as rows do.
///
/// They begin with the section and end with the identity. Unlike the keys of an index they are never cut, so
/// they order all rows.
package struct SortedKey: Hashable {
  let bytes: [UInt8]
  /// The number of bytes at the start that belong to the section; 0 without sections.
  let sectionSize: Int

  /// The common prefix of the keys of all rows in the section, and only of these.
  var section: [UInt8] { Array(bytes.prefix(sectionSize)) }

  var id: ObjectID {
    get throws { try RowKey.trailingID(ofSorted: bytes) }
  }

  package static func == (a: SortedKey, b: SortedKey) -> Bool { a.bytes == b.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension SortedKey: Comparable {
  package static func < (a: SortedKey, b: SortedKey) -> Bool {
    compareBytes(a.bytes.rawSpan, b.bytes.rawSpan) < 0
  }
}
