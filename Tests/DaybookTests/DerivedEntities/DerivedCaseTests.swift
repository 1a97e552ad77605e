import DaybookTestSupport
import DifferenceCases
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The cases of the file, with a derived copy of each row: the copies have the differences that the rows have.
@Suite(.hangLimit) struct DerivedCaseTests {
  @Test(arguments: try FeedCase.all(), CaseCopies.Form.allCases)
  func `copies have the differences of their originals`(_ feedCase: FeedCase, _ form: CaseCopies.Form) throws {
    for mode in [ProjectionMode.inline, .catchUp] {
      let copies = CaseCopies(form, of: feedCase, mode: mode)
      let rows = try CaseStore(feedCase, copiedBy: copies)
      try withTemporaryStore(rows.model, options: .knowing(copies)) { store in
        try check(rows, in: store)
      }
    }
  }

  private func check(_ rows: CaseStore, in store: Store) throws {
    let (feedCase, projection) = (rows.feedCase, try store.projection("copies"))
    let from = try rows.begin(store)
    try projection.catchUp()
    let list = try store.liveResults(of: rows.request)
    let poller = FeedPoller(store.changes(of: rows.request))
    let initial = try poller.poll()?.difference
    #expect(
      try SectionedIDs.empty(rows.request).applying(initial ?? Difference(sections: [], rows: [])) == list.ids)
    let to = try rows.perform(store)
    try projection.catchUp()
    #expect(rows.named(try store.fetch(rows.request)) == feedCase.final)
    let (live, fed) = (try list.update(), try poller.poll())
    #expect(live.map { rows.named($0.difference) } ?? Difference(sections: [], rows: []) == feedCase.expected)
    #expect(fed.map { rows.named($0.difference) } ?? Difference(sections: [], rows: []) == feedCase.expected)
    #expect(live?.isReset != true && fed?.isReset != true)
    try checkPast(rows, from, to, in: store)
    // Rows that are built again are the same, and so are their changes.
    try projection.rebuild()
    #expect(try list.update() == nil && poller.poll() == nil)
    try checkPast(rows, from, to, in: store)
  }

  private func checkPast(_ rows: CaseStore, _ from: Position, _ to: Position, in store: Store) throws {
    let change = try store.difference(of: rows.request, from: from, to: to)
    #expect(change.from == from && change.to == to && !change.isReset)
    #expect(rows.named(change.difference) == rows.feedCase.expected)
    let back = try store.difference(of: rows.request, from: to, to: from)
    try rows.feedCase.situation.reversed.checkLeads(rows.named(back.difference))
    #expect(try rows.named(store.at(from).fetch(rows.request)) == rows.feedCase.situation.old)
    let all = try store.difference(of: rows.request, from: .empty).difference
    #expect(try SectionedIDs.empty(rows.request).applying(all) == store.fetch(rows.request).ids)
  }
}
