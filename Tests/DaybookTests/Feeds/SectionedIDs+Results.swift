import Daybook

extension SectionedIDs<ObjectID> {
  /// Creates the ids of a result.
  init(_ results: FetchedResults, _ request: FetchRequest) {
    if request.section == nil {
      self.init(unsectioned: results.objects.map(\.id))
    } else {
      self.init(sections: results.sections.map { Section(name: $0.name, ids: $0.objects.map(\.id)) })
    }
  }

  /// Returns the result of a request in an empty store.
  static func empty(_ request: FetchRequest) -> SectionedIDs {
    request.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
  }
}
