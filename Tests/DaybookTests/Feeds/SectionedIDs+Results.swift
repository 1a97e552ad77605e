import Daybook

extension SectionedIDs<ObjectID> {
  /// Creates the ids of a result.
  init(_ results: Results<StoredObject>, _ request: Request<StoredObject>) {
    if request.section == nil {
      self.init(unsectioned: results.rows.map(\.id))
    } else {
      self.init(sections: results.sections.map { ListSection(name: $0.name, rows: $0.rows.map(\.id)) })
    }
  }

  /// Returns the result of a request in an empty store.
  static func empty(_ request: Request<StoredObject>) -> SectionedIDs {
    request.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
  }
}
