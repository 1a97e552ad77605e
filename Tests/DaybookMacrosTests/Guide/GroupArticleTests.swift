#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

/// The code about groups that the store keeps.
@Suite(.hangLimit) struct GroupArticleTests {
  @Group("visitsByPlace", by: "place", "day.month", show: "count", "sum:guests")
  @Entity struct Visit: Hashable {
    var place: String
    var day: Date
    var guests = 1
  }

  @Test func requestsAreAnsweredFromDeclaredGroups() throws {
    try withTemporaryStore(try Model(Visit.self)) { store in
      let new = try store.write { tx in
        let new = try tx.insert(Visit(place: "Museum", day: Date(timeIntervalSince1970: 0), guests: 4))
        _ = try tx.insert(Visit(place: "Museum", day: Date(timeIntervalSince1970: 86_400), guests: 2))
        return new
      }
      let months = Visit.all.grouped(by: \.place, \.day.month) { ($0.count, $0.sum(\.guests)) }
      for group in try store.fetch(months).rows {
        print(group.key, group["count"], group["sum:guests"])
      }
      print(try store.explain(months))
      #expect(try store.explain(months).hasPrefix("groups Visit.visitsByPlace: "))
      let before = try store.fetch(months).rows
      #expect(before.count == 1 && before[0]["count"] == 2 && before[0]["sum:guests"] == 6)

      try store.write { try $0.set(new, \.place, "Garden") }
      let after = try store.fetch(months).rows
      #expect(after.map { $0.key[0] } == ["Garden", "Museum"] && after.map { $0["sum:guests"] } == [4, 2])
    }
  }
}

#endif
