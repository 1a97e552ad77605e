import DaybookModel
import DaybookQuery
import LMDB

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
    let object = ObjectKey(entity: request.entity, id: id)
    guard let record = try unsafe reader.unsafeRecord(of: object) else { return nil }
    var maker = SortedKeyMaker(request, reader: reader)
    try unsafe self.init(of: object, record.unsafeBytes, request, &maker)
  }

  /// Reads the place of an object from its record.
  ///
  /// - Parameters:
  ///   - record: The bytes of the record; none if there is no record.
  ///   - maker: Makes the keys of the state's rows. Its source has the record afterwards.
  init?(
    of object: ObjectKey, _ record: UnsafeBytes, _ request: ResolvedRequest, _ maker: inout SortedKeyMaker
  ) throws {
    unsafe maker.source.provide(record, of: object)
    guard unsafe !record.isNone else { return nil }
    let record = try unsafe RecordView(record.unsafeSpan)
    guard !record.isTombstone, try maker.source.isKind(record, of: object.entity) else { return nil }
    if let filter = request.filter {
      guard try filter.matches(object, in: &maker.source) else { return nil }
    }
    key = try maker.key(of: object.id, record)
    sectionName = try maker.sectionName(of: object.id)
  }
}
