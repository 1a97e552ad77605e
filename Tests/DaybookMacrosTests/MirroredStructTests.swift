#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

private enum Club {
  @Entity struct Person: Hashable {
    @Name var name: String
    @Relationship(inverse: .itself, onDelete: .nullify, most: 3) var friends: Related<Person>
    @Relationship(inverse: .itself) var partner: Person.ID?
    var likes: Related<Person>
    @Derived(count: \Person.friends) var friendCount: Int
  }
}

/// Relationships of structs that are their own inverses.
@Suite("Structs with relationships that are their own inverses", .hangLimit) struct MirroredStructTests {
  @Test("The description names the relationship as its own inverse")
  func description() throws {
    let members = try expandedMembers(
      """
      @Entity struct Person {
        @Relationship(inverse: .itself, onDelete: .deny) var friends: Related<Person>
        @Relationship(inverse: .itself) var `partner`: Person.ID?
      }
      """)
    #expect(
      members.contains(
        #"Daybook.Relationship("friends", toMany: Person.self, inverse: "friends", onDelete: .deny)"#), "\(members)")
    #expect(
      members.contains(
        #"Daybook.Relationship("partner", toOne: Person.self, inverse: "partner", isOptional: true)"#), "\(members)")
  }

  @Test("The model has it, and a property without an inverse beside it is one-way")
  func model() throws {
    let relationships = try Model(Club.Person.self).entities[0].relationships
    #expect(relationships.map(\.inverse) == ["friends", "partner", ""])
    #expect(relationships.map(\.isMany) == [true, false, true])
    #expect(relationships[0].most == 3)
  }

  @Test("Both structs show a link")
  func links() throws {
    try withTemporaryStore(try Model(Club.Person.self)) { store in
      let (ada, ben, cy) = try store.write { tx in
        let ada = try tx.insert(Club.Person(name: "Ada"))
        let ben = try tx.insert(Club.Person(name: "Ben", friends: [ada], partner: ada))
        let cy = try tx.insert(Club.Person(name: "Cy"))
        try tx.relate(ada, \.friends, to: cy)
        return (ada, ben, cy)
      }
      #expect(try store.get(ada)?.value.partner == ben && store.get(ben)?.value.partner == ada)
      #expect(try store.get(ada)?.value.friendCount == 2)
      #expect(try store.count(Club.Person.where { $0.partner == ada }) == 1)
      #expect(
        try store.fetch(Club.Person.all.sorted(by: \.partner.name)).rows.map(\.value.name) == ["Cy", "Ben", "Ada"])
      try store.write { try $0.relate(cy, \.partner, to: ben) }
      #expect(try store.get(ada)?.value.partner == nil)
      #expect(try store.get(ben)?.value.partner == cy)
    }
  }
}

#endif
