import DaybookModel
import DaybookQuery
import LMDB

/// Where a row of a result sorts: bytes that compare as rows do, sections first and identities last.
///
/// Unlike the rows of a persisted view they are never cut, so they order all rows.
struct SortedKey: Hashable {
  let bytes: [UInt8]
  /// How many bytes at the start are those of the section; 0 without sections.
  let sectionSize: Int

  /// What the keys of all rows of the section begin with, and no others.
  var section: [UInt8] { Array(bytes.prefix(sectionSize)) }

  var id: ObjectID {
    get throws { try RowKey.trailingID(ofSorted: bytes) }
  }

  static func == (a: SortedKey, b: SortedKey) -> Bool { a.bytes == b.bytes }
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension SortedKey: Comparable {
  static func < (a: SortedKey, b: SortedKey) -> Bool { compareBytes(a.bytes.span.bytes, b.bytes.span.bytes) < 0 }
}

extension RowKey {
  /// The identity that a sorted key ends with.
  static func trailingID(ofSorted key: [UInt8]) throws(MalformedBytes) -> ObjectID {
    guard key.count >= ObjectID.byteCount else { throw MalformedBytes(offset: 0, expected: "a sorted key") }
    var reader = ByteReader(key.span.bytes.extracting(droppingFirst: key.count - ObjectID.byteCount))
    return try reader.objectID()
  }
}

extension ResolvedRequest {
  /// The sorted key of a row with these sort values.
  func sortedKey(of id: ObjectID, _ sortValues: [Value]) -> SortedKey {
    var bytes: [UInt8] = []
    let sectionSize = appendSortKey(of: sortValues, to: &bytes)
    bytes.append(id)
    return SortedKey(bytes: bytes, sectionSize: sectionSize)
  }
}
