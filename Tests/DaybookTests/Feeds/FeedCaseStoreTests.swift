import Daybook
import DaybookTestSupport
import DifferenceCases
import Testing

/// The cases of the file in a store, with the operations as one commit.
@Suite(.hangLimit) struct FeedCaseStoreTests {
  @Test(arguments: try FeedCase.all())
  func aStoreGivesTheExpectedDifference(_ feedCase: FeedCase) throws {
    let rows = try CaseStore(feedCase)
    try withTemporaryStore(rows.model) { store in
      let (from, to) = try rows.fill(store)
      #expect(rows.named(try store.fetch(rows.request)) == feedCase.final)
      let change = try store.difference(of: rows.request, from: from, to: to)
      #expect(change.from == from && change.to == to && !change.isReset)
      let difference = rows.named(change.difference)
      #expect(difference == feedCase.expected)
      try feedCase.situation.checkLeads(difference)
      let back = try store.difference(of: rows.request, from: to, to: from)
      try feedCase.situation.reversed.checkLeads(rows.named(back.difference))
      #expect(try store.difference(of: rows.request, from: to).isEmpty)
    }
  }

  @Test(arguments: try FeedCase.all())
  func fromTheEmptyStateEverythingIsInserted(_ feedCase: FeedCase) throws {
    let rows = try CaseStore(feedCase)
    try withTemporaryStore(rows.model) { store in
      _ = try rows.fill(store)
      let difference = try store.difference(of: rows.request, from: .empty).difference
      let empty = SectionedIDs.empty(rows.request)
      #expect(try empty.applying(difference) == SectionedIDs(try store.fetch(rows.request), rows.request))
    }
  }
}
