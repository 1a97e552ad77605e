import DaybookEngine
import DaybookModel
import LMDB

/// Checks of the large values: each value that an event refers to is complete, and its bytes give its digest.
extension JournalCheck {
  /// Notes the references of an event.
  mutating func note(_ values: [LargeValue], at position: Position) {
    if values.isEmpty { return }
    if let format, !format.includes(.largeValues) {
      fault(position, "it refers to large values, which the store’s format \(format.version) does not have")
    }
    for value in values where findings.largeValues[value.sha256] == nil {
      findings.largeValues[value.sha256] = (value, position)
    }
    for value in values {
      guard let (known, first) = findings.largeValues[value.sha256], known != value else { continue }
      fault(
        position,
        "it says that the value \(value.sha256) has \(value.size) bytes, but commit \(first) says \(known.size)")
    }
  }

  /// Checks the bytes of all values in one pass through the table.
  mutating func checkLargeValues() throws {
    guard let table = largeValues else {
      // A writer may have made the table after the tables were opened for this check.
      faults.needsRestart = try format?.includes(.largeValues) ?? false && journal.largeValues.exists()
      for (digest, _) in findings.largeValues.sorted(by: { $0.value.position < $1.value.position }) {
        missing(digest)
      }
      return
    }
    var absent = Set(findings.largeValues.keys)
    var unreferenced = 0
    var cursor = try journal.snapshot.makeCursor(in: table)
    var isValid = try cursor.moveToFirst()
    while isValid, !faults.isFull {
      guard let key = try? LargeValueKey(cursor.key) else {
        faults.report(
          .journal, "table \(LargeValueTable.name)", "a key of \(cursor.key.byteCount) bytes is not a value's")
        isValid = try cursor.moveToNext()
        continue
      }
      if findings.largeValues[key.digest] == nil { unreferenced += 1 }
      absent.remove(key.digest)
      try checkLargeValue(key.digest, &cursor)
      isValid = cursor.isValid
    }
    guard !faults.isFull else { return }
    for digest in absent { missing(digest) }
    if unreferenced > 0 {
      faults.summary.notes.append("\(unreferenced) large values are stored that no event refers to.")
    }
  }

  private func missing(_ digest: Digest) {
    guard let (value, position) = findings.largeValues[digest] else { return }
    faults.report(
      .journal, "value \(digest)", "it is missing; commit \(position) refers to it, with \(value.size) bytes")
  }

  /// Checks the pieces of a value from the cursor at its first one; leaves the cursor after its last one.
  private func checkLargeValue(_ digest: Digest, _ cursor: inout Cursor) throws {
    var bytes = DigestWriter()
    var size = 0
    var chunk = 0
    var fault: String?
    while cursor.isValid, let key = try? LargeValueKey(cursor.key), key.digest == digest {
      if key.chunk != chunk { fault = fault ?? "its piece \(chunk) is missing" }
      if size % LargeValue.chunkSizeInBytes != 0 { fault = fault ?? "its piece \(chunk - 1) has the wrong size" }
      bytes.append(cursor.value)
      size += cursor.value.byteCount
      chunk += 1
      guard try cursor.moveToNext() else { break }
    }
    if let (value, _) = findings.largeValues[digest], value.size != size {
      fault = fault ?? "it has \(size) bytes, but the events say \(value.size)"
    }
    if bytes.finish() != digest { fault = fault ?? "its bytes are damaged: their digest differs" }
    if let fault { faults.report(.journal, "value \(digest)", fault) }
  }
}
