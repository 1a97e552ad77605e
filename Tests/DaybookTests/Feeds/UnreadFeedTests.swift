import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// A consumer that follows without reading uses no growing memory.
@Suite(.hangLimit) struct UnreadFeedTests {
  @Test func whatIsNotReadIsNotQueued() throws {
    var options = StoreOptions()
    options.durability = .relaxed
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let ids = try store.insertRecipes("a", "b")
      let results = try store.liveResults(of: FeedModel.byName)
      let reader = store.changes(of: FeedModel.byType, from: 2, granularity: .coalesced).makeSource()
      #expect(try reader.poll() == nil)
      var position = Position.empty
      for round in 0..<400 {
        // Every other batch touches no followed data, so that spans cannot merge.
        try store.batch { batch in
          for number in 0..<50 {
            let name = Value.string("\(round) \(number)")
            position = try batch.commit { tx in
              if round % 2 == 0 { try tx.set(ids[0], ["name": name]) } else { try tx.insert("Tag", ["name": name]) }
            }.position
          }
        }
        #expect(store.notifier.spanCounts.allSatisfy { $0 <= AffectedRanges.maximumCount })
      }
      #expect(position == 20_002)
      for _ in 0..<1_000 where store.notifier.seen < position { Thread.sleep(forTimeInterval: 0.01) }
      #expect(store.notifier.spanCounts.allSatisfy { $0 > 0 && $0 <= AffectedRanges.maximumCount })
      let change = try #require(try results.update())
      #expect(change.from == 2 && change.to == position)
      #expect(change.isReset || change.difference.rows.map(\.id) == [ids[0]])
      let other = try #require(try reader.poll())
      #expect(other.isReset || other.difference.rows.map(\.id) == [ids[0]])
      #expect(try reader.poll() == nil)
    }
  }

  @Test func spansAreForgottenWithoutLosingAny() {
    var spans = AffectedRanges(from: 0)
    for number in 0..<5_000 {
      let from = Position(UInt64(number) * 3)
      spans.note(from: from, to: Position(from.number + 1))
    }
    let seen = Position(15_000)
    #expect(spans.count == AffectedRanges.maximumCount)
    // The touched data of dropped spans is unknown, so no commit is skipped.
    #expect(spans.unchanged(since: 4, seen: seen) == 4)
    #expect(spans.unchanged(since: 14_000, seen: seen) == 14_001)
    #expect(spans.unchanged(since: 14_998, seen: seen) == seen)
  }
}
