import DaybookModel
import DaybookQuery
import LMDB

/// The rows that meet a request's filter, in the request's order, at one position: the rank of a row, the n-th row, and
/// the rows of each section are found in O(log *n*).
///
/// Limit and offset are not applied here. An ordering is made by one scan and then follows the commits: ``replace(_:by:)``.
/// It belongs to one thread at a time. A class, because a copy that somebody still held would make the next change copy
/// all keys.
final class Ordering {
  let request: ResolvedRequest
  private(set) var rows = KeyList()
  private(set) var sections = SectionList()

  /// An ordering without rows.
  init(empty request: ResolvedRequest) {
    self.request = request
  }

  /// Finds and orders the rows.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects that the request's plan looks at.
  init(_ request: ResolvedRequest, in reader: Reader) throws {
    self.request = request
    var keys: [SortedKey] = []
    var source = ReaderSource(reader: reader)
    try FetchExecutor(request, reader: reader).forEachMatch { id in
      let values = try request.sortValues(of: ObjectKey(entity: request.entity, id: id), in: &source)
      let key = request.sortedKey(of: id, values)
      keys.append(key)
      if request.section != nil { sections.add(1, to: key.section, named: request.sectionName(of: values)) }
    }
    keys.sort()
    rows = KeyList(sorted: keys.lazy.map(\.bytes))
  }

  /// Takes a row from one place to another; nil is outside of the result.
  ///
  /// - Parameter name: The name of the section at the new place.
  func replace(_ old: SortedKey?, by new: SortedKey?, sectionName name: String) {
    guard old != new else { return }
    if let old {
      rows.remove(old.bytes)
      if request.section != nil { sections.add(-1, to: old.section, named: name) }
    }
    if let new {
      rows.insert(new.bytes)
      if request.section != nil { sections.add(1, to: new.section, named: name) }
    }
  }
}
