import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Links over relationships that are their own inverses: writing them, and what they lead to.
@Suite(.hangLimit) struct MirroredLinkTests {
  @Test func bothObjectsShowALinkThatEitherMade() throws {
    try People.with { store, ids in
      try store.write { tx in
        try tx.relate(ids[2], "friends", to: ids[0])
        try tx.relate(ids[0], "friends", to: ids[1])
      }
      #expect(try People.links(store, at: store.position) == ["+02", "+01"])
      #expect(try People.targets(store, ids[0], "friends") == [ids[1], ids[2]])
      #expect(try People.targets(store, ids[1], "friends") == [ids[0]])
      #expect(try People.targets(store, ids[2], "friends") == [ids[0]])
      #expect(try store.projectionRows()[.links].count == 4)
      // The link exists, seen from the other side too.
      let head = try store.position
      try store.write { try $0.relate(ids[1], "friends", to: ids[0]) }
      #expect(try store.position == head)
      try store.write { try $0.unrelate(ids[0], "friends", from: ids[2]) }
      #expect(try People.links(store, at: store.position) == ["-02"])
      #expect(try People.targets(store, ids[2], "friends") == [])
      try store.write { try $0.unrelate(ids[2], "friends", from: ids[0]) }
      #expect(try store.position == head.next)
    }
  }

  @Test func aLinkToOneselfIsOneRow() throws {
    try People.with { store, ids in
      let before = try store.projectionRows()[.links].count
      try store.write { try $0.relate(ids[3], "friends", to: ids[3]) }
      #expect(try store.projectionRows()[.links].count == before + 1)
      #expect(try People.targets(store, ids[3], "friends") == [ids[3]])
      let me = try store.require(ids[3])
      #expect(me["friendCount"] == 1 && me["ages"] == 3 && me["youngest"] == 3)
      try store.write { try $0.set(ids[3], ["age": 30]) }
      #expect(try store.require(ids[3])["ages"] == 30)
      try store.undo(.last(2))
      #expect(try store.require(ids[3])["friendCount"] == 0)
      #expect(try store.projectionRows()[.links].count == before)
      try store.write { tx in
        try tx.relate(ids[3], "friends", to: ids[3])
        try tx.relate(ids[3], "partner", to: ids[3])
        try tx.relate(ids[3], "partner", to: ids[4])
      }
      #expect(try People.links(store, at: store.position) == ["+33", "+33", "-33", "+34"])
      try store.write { try $0.delete(ids[3]) }
      #expect(try People.links(store, at: store.position) == ["-33", "-34"])
    }
  }

  @Test func aNewPartnerEndsTheFormerLinksOfBoth() throws {
    try People.with { store, ids in
      try store.write { tx in
        try tx.relate(ids[1], "partner", to: ids[0])
        try tx.relate(ids[2], "partner", to: ids[3])
      }
      let before = try store.position
      try store.write { try $0.relate(ids[3], "partner", to: ids[1]) }
      #expect(try People.links(store, at: store.position) == ["-01", "-23", "+13"])
      #expect(try ids.map { try store.require($0).target("partner") } == [nil, ids[3], nil, ids[1], nil])
      #expect(
        try ids.map { try store.at(before).require($0).target("partner") } == [ids[1], ids[0], ids[3], ids[2], nil])
      // The same link again changes nothing.
      try store.write { try $0.relate(ids[1], "partner", to: ids[3]) }
      #expect(try store.position == before.next)
    }
  }

  @Test func derivedValuesOfBothFollow() throws {
    try People.with { store, ids in
      try store.write { tx in
        try tx.relate(ids[1], "friends", to: ids[4])
        try tx.relate(ids[4], "friends", to: ids[2])
      }
      #expect(try ids.map { try store.require($0)["friendCount"] } == [0, 1, 1, 0, 2])
      #expect(try ids.map { try store.require($0)["ages"] } == [0, 4, 4, 0, 3])
      #expect(try store.require(ids[4])["youngest"] == 1)
      try store.write { try $0.set(ids[4], ["age": 40]) }
      #expect(try ids.map { try store.require($0)["ages"] } == [0, 40, 40, 0, 3])
      try store.write { try $0.delete(ids[1]) }
      #expect(try store.require(ids[4])["youngest"] == 2)
    }
  }

  @Test func deleteRulesWorkFromEitherSide() throws {
    try People.with(People.variant(rule: .deny)) { store, ids in
      try store.write { try $0.relate(ids[1], "friends", to: ids[0]) }
      for id in ids.prefix(2) {
        let refused = #expect(throws: StoreError.self) { try store.write { try $0.delete(id) } }
        #expect(refused?.code == .constraint)
      }
      #expect(try store.write { try $0.delete(where: People.request("age < 2")) } == 2)
      try store.write { try $0.relate(ids[2], "friends", to: ids[2]) }
      try store.write { try $0.delete(ids[2]) }
    }
    try People.with(People.variant(rule: .cascade)) { store, ids in
      try store.write { tx in
        try tx.relate(ids[3], "friends", to: ids[2])
        try tx.relate(ids[2], "friends", to: ids[1])
      }
      try store.write { try $0.delete(ids[3]) }
      #expect(try store.fetch(People.request()).rows.map(\.id) == [ids[0], ids[4]])
    }
  }

  @Test func aRequiredPartnerComesAndGoesWithTheOther() throws {
    try withTemporaryStore(People.variant(isPartnerOptional: false)) { store in
      let ids = Array(People.ids.prefix(3))
      #expect(throws: StoreError.self) { try store.write { try People.insert([ids[0]], $0) } }
      try store.write { tx in
        try People.insert(ids, tx)
        try tx.relate(ids[1], "partner", to: ids[0])
        try tx.relate(ids[2], "partner", to: ids[2])
      }
      let deleted = #expect(throws: StoreError.self) { try store.write { try $0.delete(ids[0]) } }
      #expect(deleted?.code == .constraint)
      let unrelated = #expect(throws: StoreError.self) {
        try store.write { try $0.unrelate(ids[0], "partner", from: ids[1]) }
      }
      #expect(unrelated?.code == .constraint)
      // The former partner of one would have none.
      #expect(throws: StoreError.self) { try store.write { try $0.relate(ids[1], "partner", to: ids[2]) } }
      try store.write { tx in
        try tx.relate(ids[1], "partner", to: ids[2])
        try tx.relate(ids[0], "partner", to: ids[0])
      }
      #expect(try ids.map { try store.require($0).target("partner") } == [ids[0], ids[2], ids[1]])
      #expect(try store.write { try $0.delete(where: People.request("age > 0")) } == 2)
      #expect(try store.verify().isSound)
    }
  }

  @Test func filtersPathsSortsAndSectionsLeadOverThem() throws {
    try People.with { store, ids in
      try store.write { tx in
        try tx.relate(ids[0], "partner", to: ids[4])
        try tx.relate(ids[3], "partner", to: ids[1])
        for other in [0, 2, 4] { try tx.relate(ids[3], "friends", to: ids[other]) }
      }
      func names(_ filter: String) throws -> [String] { try People.names(store, People.request(filter, sort: "name")) }
      #expect(try names("ANY friends.age == 3") == ["p0", "p2", "p4"])
      #expect(try names("ALL friends.age < 1 AND friends.@count > 0") == [])
      #expect(try names("COUNT(friends WHERE partner.age > 3) == 1") == ["p3"])
      #expect(try names("partner.age > 2") == ["p0", "p1"])
      let (partner, friend) = (
        Filter(.path("partner"), .equal, .value(.uuid(ids[1]))),
        Filter(.path("friends"), .equal, .value(.uuid(ids[3])), quantifier: .any)
      )
      #expect(try store.fetch(Request(entity: "Person", filter: partner)).rows.map(\.id) == [ids[3]])
      #expect(try store.fetch(Request(entity: "Person", filter: friend)).rows.map(\.id) == [ids[0], ids[2], ids[4]])
      #expect(try store.explain(Request(entity: "Person", filter: friend)).contains("links Person.friends of"))
      #expect(try names("partner.partner.name == \"p1\"") == ["p1"])
      #expect(try names("partner == nil") == ["p2"])
      #expect(try People.names(store, People.request(sort: "partner.age", "name")) == ["p2", "p4", "p3", "p1", "p0"])
      let sections = try store.fetch(People.request(sort: "partner.name", section: "partner.name")).sections
      #expect(sections.map { $0.rows.map { $0["name"].text } } == [["p2"], ["p4"], ["p3"], ["p1"], ["p0"]])
      let children = try store.read { try $0.childrenRequest(of: ids[3], "friends") }
      #expect(try Set(store.fetch(children).rows.map(\.id)) == [ids[0], ids[2], ids[4]])
      let groups = try People.request().grouped(by: ["partner.name"], showing: ["count, sum:age"])
      #expect(try store.explain(groups).hasPrefix("groups Person.byPartner"))
      let counted = try People.request("age >= 0").grouped(by: ["partner.name"], showing: ["count, sum:age"])
      #expect(try store.fetch(groups).rows.map(\.values) == store.fetch(counted).rows.map(\.values))
    }
  }

  @Test func differencesTouchBothObjects() throws {
    try People.with { store, ids in
      let byPartner = try store.liveResults(of: People.request(sort: "partner.name", section: "partner.name"))
      let counts = try store.liveResults(of: People.request(sort: "friendCount:desc"))
      let friends = try store.liveResults(of: People.request("ANY friends.age > 100", sort: "name"))
      func changed(_ live: LiveResults<StoredObject>) throws -> Set<Int> {
        Set(try live.update()?.difference.rows.map { People.number($0.id) } ?? [])
      }
      try store.write { try $0.relate(ids[3], "partner", to: ids[1]) }
      #expect(try changed(byPartner) == [1, 3])
      try store.write { try $0.relate(ids[1], "partner", to: ids[0]) }
      #expect(try changed(byPartner).isSuperset(of: [0, 1, 3]))
      try store.write { try $0.relate(ids[4], "friends", to: ids[2]) }
      #expect(try changed(counts).isSuperset(of: [2, 4]))
      try store.write { try $0.set(ids[2], ["age": 200]) }
      #expect(try changed(friends) == [4])
      try store.write { try $0.set(ids[4], ["age": 300]) }
      #expect(try changed(friends) == [2, 4])
      try store.write { try $0.unrelate(ids[2], "friends", from: ids[4]) }
      #expect(try changed(friends) == [2, 4])
    }
  }

  @Test func objectsOfAHierarchyAreLinked() throws {
    var model = People.model
    model.entities.append(
      Entity(
        name: "Player", parent: "Person", attributes: [Attribute(name: "score", type: .integer, defaultValue: 1)],
        relationships: [Relationship(name: "rivals", target: "Player", inverse: "rivals", isMany: true)]))
    try withTemporaryStore(model) { store in
      let ids = Array(People.ids.prefix(4))
      try store.write { tx in
        try People.insert([ids[0], ids[2]], tx)
        for id in [ids[1], ids[3]] { try tx.insert("Player", ["name": .string("\(id)"), "age": 9], id: id) }
        try tx.relate(ids[1], "friends", to: ids[0])
        try tx.relate(ids[2], "friends", to: ids[1])
        try tx.relate(ids[3], "friends", to: ids[1])
        try tx.relate(ids[3], "partner", to: ids[2])
        try tx.relate(ids[3], "rivals", to: ids[1])
      }
      #expect(try store.require(ids[1])["friendCount"] == 3)
      #expect(try store.require(ids[0])["ages"] == 9)
      #expect(try People.targets(store, ids[1], "rivals") == [ids[3]])
      #expect(try store.require(ids[2]).target("partner") == ids[3])
      #expect(throws: StoreError.self) { try store.write { try $0.relate(ids[1], "rivals", to: ids[0]) } }
      try store.write { try $0.delete(ids[1]) }
      #expect(try store.require(ids[3])["friendCount"] == 0)
      try store.undo(.last())
      #expect(try People.targets(store, ids[1], "friends") == [ids[0], ids[2], ids[3]])
      #expect(try store.rebuiltRows() == store.projectionRows())
    }
  }

  @Test func anUpsertMayNameThem() throws {
    try People.with { store, ids in
      let id = try store.write { tx in
        try tx.upsert("Person", key: ["name"], ["name": "p9"], links: ["friends": [ids[1]], "partner": [ids[0]]])
      }
      #expect(try People.targets(store, ids[1], "friends") == [id])
      #expect(try store.require(ids[0]).target("partner") == id)
      try store.write { tx in
        _ = try tx.upsert("Person", key: ["name"], ["name": "p0"], links: ["partner": []])
        _ = try tx.upsert("Person", key: ["name"], ["name": "p2"], links: ["partner": [id]])
      }
      #expect(try store.require(id).target("partner") == ids[2])
    }
  }

  @Test func aModelMayRenameAddAndRemoveThem() throws {
    try People.with { store, ids in
      try store.write { try $0.relate(ids[1], "friends", to: ids[0]) }
      let before = try store.position
      var renamed = People.model
      renamed.entities[0].relationships[0].name = "mates"
      renamed.entities[0].relationships[0].inverse = "mates"
      renamed.entities[0].relationships[0].renamedFrom = "friends"
      renamed.entities[0].attributes[2].derivation = .count(relationship: "mates")
      renamed.entities[0].attributes[3].derivation = .sum(relationship: "mates", attribute: "age")
      renamed.entities[0].attributes[4].derivation = .minimum(relationship: "mates", attribute: "age")
      try store.apply(renamed)
      #expect(try People.targets(store, ids[0], "mates") == [ids[1]])
      #expect(try store.at(before).targets(of: ids[0], "friends") == [ids[1]])
      var less = renamed
      less.entities[0].relationships[0].renamedFrom = nil
      less.entities[0].relationships.remove(at: 0)
      less.entities[0].attributes.removeSubrange(2...)
      less.entities[0].indexes = []
      less.entities[0].relationships.append(
        Relationship(name: "rivals", target: "Person", inverse: "rivals", isMany: true))
      try store.apply(less)
      try store.write { tx in
        try tx.relate(ids[4], "rivals", to: ids[0])
        try tx.delete(ids[1])
      }
      #expect(try store.at(before).targets(of: ids[1], "friends") == [ids[0]])
    }
  }
}
