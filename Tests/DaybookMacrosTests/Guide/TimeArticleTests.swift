#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

@Suite(.hangLimit) struct TimeArticleTests {
  @Entity struct Task {
    var name: String
    var due: Date?
    var isDone = false
  }

  @Test func whatIsDueSoonIsFound() throws {
    try withTemporaryStore(try Model(Task.self), options: StoreOptions()) { store in
      let due = try store.write { tx in
        _ = try tx.insert(Task(name: "later", due: Date.now.addingTimeInterval(3 * 86_400)))
        _ = try tx.insert(Task(name: "done", due: Date.now, isDone: true))
        return try tx.insert(Task(name: "soon", due: Date.now.addingTimeInterval(86_400)))
      }
      let soon = Task.where { !$0.isDone && $0.due < .present + .days(2) }
      #expect(try store.fetch(soon).rows.map(\.id) == [due])
    }
  }
}

#endif
