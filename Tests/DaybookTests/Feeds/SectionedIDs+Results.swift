import Daybook

extension SectionedIDs<ObjectID> {
  /// The ids of an answer.
  init(_ results: FetchedResults, _ request: FetchRequest) {
    if request.section == nil {
      self.init(unsectioned: results.objects.map(\.id))
    } else {
      self.init(sections: results.sections.map { Section(name: $0.name, ids: $0.objects.map(\.id)) })
    }
  }

  /// What a request gives before there is anything.
  static func empty(_ request: FetchRequest) -> SectionedIDs {
    request.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
  }
}
