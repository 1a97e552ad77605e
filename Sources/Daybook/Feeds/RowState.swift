import DaybookModel
import DaybookQuery

/// What a row of a request is at one position: everything by which it can differ from what it was.
struct RowState {
  let key: SortedKey
  let sectionName: String
  /// What the request shows of it, and what its filter looks at.
  let values: [[Value]]
}

extension ResolvedRequest {
  /// The state of an object as a row of the result, limit and offset aside; nil if it does not exist or does not meet
  /// the filter.
  func rowState(of id: ObjectID, in reader: Reader) throws -> RowState? {
    let object = ObjectKey(entity: entity, id: id)
    guard let record = try reader.record(of: object), try !RecordView(record).isTombstone else { return nil }
    var source = ReaderSource(reader: reader)
    if let filter, try !filter.matches(object, in: &source) { return nil }
    let values = try sortValues(of: object, in: &source)
    return RowState(
      key: sortedKey(of: id, values), sectionName: section == nil ? "" : sectionName(of: values),
      values: try stateValues(of: object, in: &source))
  }
}
