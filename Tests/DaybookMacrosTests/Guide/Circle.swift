#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

/// The struct of the article about models whose relationships are their own inverses.
enum Circle {
  @Entity struct Person: Hashable {
    @Name var name: String
    @Relationship(inverse: .itself) var friends: Related<Person>
    @Relationship(inverse: .itself) var partner: Person.ID?
  }
}

/// What the article says of it.
@Suite(.hangLimit) struct CircleTests {
  @Test func aLinkIsMadeOnceAndBothHaveIt() throws {
    try withTemporaryStore(try Model(Circle.Person.self)) { store in
      let (ada, ben) = try store.write { tx in
        let ada = try tx.insert(Circle.Person(name: "Ada"))
        return (ada, try tx.insert(Circle.Person(name: "Ben", friends: [ada], partner: ada)))
      }
      #expect(try store.get(ada)?.value.partner == ben)
      #expect(try store.read { try $0.targets(of: ada, \.friends) } == [ben])
    }
  }
}

#endif
