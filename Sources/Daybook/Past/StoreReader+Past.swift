import DaybookDiff
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// The ids of a request's result as it was at a position, by section.
  ///
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the model of
  ///   that position lacks.
  /// - Complexity: O(*k* log *n*) for *k* events since the position, and that of fetching there.
  public func ids(of request: FetchRequest, at position: Position) throws -> SectionedIDs<ObjectID> {
    try requirePosition(position)
    guard position > .empty else {
      // Nothing is there before the model; the request must make sense all the same.
      _ = try reader.resolve(request)
      return request.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
    }
    return try present.rewound(to: position, in: journal).reader.ids(of: request)
  }
}

extension Reader {
  /// The ids of a request's result by section.
  func ids(of request: FetchRequest) throws -> SectionedIDs<ObjectID> {
    let resolved = try resolve(request)
    var source = ReaderSource(reader: self)
    var sections: [(name: String, ids: [ObjectID])] = request.section == nil ? [("", [])] : []
    try FetchExecutor(resolved, reader: self).forEachRow { row in
      if request.section != nil {
        let key = ObjectKey(entity: resolved.entity, id: row.id)
        let values = row.values.isEmpty ? try resolved.sortValues(of: key, in: &source) : row.values
        let name = resolved.sectionName(of: values)
        // Sections are told apart by bytes: names that look the same may differ in them.
        if sections.last.map({ !equalBytes($0.name, name) }) ?? true { sections.append((name, [])) }
      }
      sections[sections.count - 1].ids.append(row.id)
      return true
    }
    return SectionedIDs(sections: sections.map { SectionedIDs.Section(name: $0.name, ids: $0.ids) })
  }
}
