import DaybookModel
import DaybookQuery

extension ResolvedRequest {
  /// Returns an object's row state, or `nil` if it does not exist or does not meet the filter.
  ///
  /// The request's limit and offset are ignored.
  package func rowState(of id: ObjectID, in reader: Reader) throws -> RowState? {
    var maker = SortedKeyMaker(self, reader: reader)
    return try rowState(of: id, in: reader, &maker)
  }

  /// - Parameter maker: Makes the keys of this reader's rows.
  package func rowState(of id: ObjectID, in reader: Reader, _ maker: inout SortedKeyMaker) throws -> RowState? {
    let object = ObjectKey(entity: entity, id: id)
    guard let bytes = try reader.record(of: object) else { return nil }
    let record = try RecordView(bytes)
    if record.isTombstone { return nil }
    if let filter {
      var source = ReaderSource(reader: reader)
      guard try filter.matches(object, in: &source) else { return nil }
    }
    return RowState(key: try maker.key(of: id, record), sectionName: try maker.sectionName(of: id))
  }

  /// Returns whether a row's values that are shown or filtered by differ between two states.
  package func differs(_ id: ObjectID, old: Reader, new: Reader) throws -> Bool {
    let object = ObjectKey(entity: entity, id: id)
    var (before, after) = (ReaderSource(reader: old), ReaderSource(reader: new))
    for path in statePaths {
      let isDifferent =
        path.isMany
        ? try path.values(of: object, in: &before) != path.values(of: object, in: &after)
        : try path.value(of: object, in: &before) != path.value(of: object, in: &after)
      if isDifferent { return true }
    }
    return false
  }
}
