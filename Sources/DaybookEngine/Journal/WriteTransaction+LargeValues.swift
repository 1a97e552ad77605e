import DaybookModel
import LMDB

extension WriteTransaction {
  /// Stores the bytes of a large value, unless they are stored already.
  ///
  /// - Throws: `LMDBError` if the map or the disk is full; `StoreError` if the source returns other bytes than the
  ///   reference names, such as a file that was changed. The transaction must then be aborted.
  package mutating func append(_ value: LargeValue) throws {
    guard let table = try openTable(LargeValueTable.name, create: true) else {
      preconditionFailure("A table that is created exists.")
    }
    if try LargeValueTable.size(of: value.sha256, in: table, snapshot) != nil { return }
    var digest = DigestWriter()
    let source = try value.requireSource()
    for number in 0..<value.chunkCount {
      let bytes = try source.chunk(number, of: value)
      digest.append(bytes.rawSpan)
      try put(LargeValueKey(value.sha256, number).bytes, bytes, in: table, mode: .insert)
    }
    guard digest.finish() == value.sha256 else {
      throw StoreError(
        .inputOutput, "The bytes of a large value changed before they were written.",
        advice: "Try again when the file is not written to.")
    }
  }
}
