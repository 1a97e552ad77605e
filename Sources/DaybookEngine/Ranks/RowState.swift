import DaybookModel
import DaybookQuery

/// The place of a request's row at one position: its sort key and its section.
package struct RowState {
  package let key: SortedKey
  let sectionName: String
}

/// The places of a row before and after a change, which differ; `nil` is outside of the result.
package struct RowMove {
  let old: RowState?
  let new: RowState?

  /// The move back.
  var inverse: RowMove { RowMove(old: new, new: old) }
}

extension RowState {
  /// Reads the place of an object; `nil` if it does not exist or does not meet the request's filter.
  ///
  /// The request's limit and offset are ignored.
  package init?(of id: ObjectID, _ request: ResolvedRequest, in reader: Reader) throws {
    var maker = SortedKeyMaker(request, reader: reader)
    try self.init(of: id, request, in: reader, &maker)
  }

  /// - Parameter maker: Makes the keys of this reader's rows.
  init?(of id: ObjectID, _ request: ResolvedRequest, in reader: Reader, _ maker: inout SortedKeyMaker) throws {
    let object = ObjectKey(entity: request.entity, id: id)
    guard let bytes = try unsafe reader.unsafeRecord(of: object) else { return nil }
    let record = try RecordView(bytes)
    if record.isTombstone { return nil }
    if let filter = request.filter {
      var source = ReaderSource(reader: reader)
      guard try filter.matches(object, in: &source) else { return nil }
    }
    key = try maker.key(of: id, record)
    sectionName = try maker.sectionName(of: id)
  }
}
