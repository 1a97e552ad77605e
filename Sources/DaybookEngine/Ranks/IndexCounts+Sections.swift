import DaybookModel
import DaybookQuery
import LMDB

/// The sections of a request whose index begins with the section's term.
extension IndexCounts {
  /// The number of rows of a section that are visited one after the other, before the section's end is searched.
  private static let visitedRowCount = 64

  /// Counts the rows of each section.
  ///
  /// It reads the first object of each section, and skips to the next section by its key.
  ///
  /// - Returns: The sections, or `nil` if the keys of the index are not the sorted keys of the request.
  /// - Complexity: O(*s* log *n*) for *s* sections.
  func sections(of request: ResolvedRequest, in reader: Reader) throws -> SectionCounts? {
    var sections = SectionCounts()
    var maker = SortedKeyMaker(request, reader: reader)
    var number = 0
    while number < count {
      let key = try keys(in: number..<(number + 1), in: reader)[0]
      let id = try RowKey.trailingID(ofSorted: key)
      guard let bytes = try unsafe reader.unsafeRecord(of: ObjectKey(entity: request.entity, id: id)) else {
        throw reader.contradiction(in: .indexes)
      }
      let sorted = try maker.key(of: id, RecordView(bytes))
      guard sorted.bytes == key else { return nil }
      let size = try rowCount(from: number, beginning: prefix + sorted.section, in: reader)
      guard size > 0 else { throw reader.contradiction(in: .counts) }
      try sections.add(size, to: sorted.section, named: try maker.sectionName(of: id))
      number += size
    }
    return sections
  }

  /// Returns the number of rows from a rank on whose entries begin with a prefix.
  private func rowCount(from number: Int, beginning prefix: [UInt8], in reader: Reader) throws -> Int {
    let limit = min(IndexCounts.visitedRowCount, count - number)
    var cursor = try makeCursor(at: number, in: reader)
    var size = 0
    while size < limit {
      guard hasPrefix(cursor.key, prefix.rawSpan) else { return size }
      size += 1
      guard size < count - number else { return size }
      guard try cursor.moveToNext() else { throw reader.contradiction(in: .counts) }
    }
    guard let end = RowKey.successor(ofPrefix: prefix) else { return count - number }
    return try rank(ofEntry: end, in: reader) - number
  }
}
