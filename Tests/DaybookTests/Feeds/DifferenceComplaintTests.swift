import Daybook
import DaybookTestSupport
import Testing

/// Common complaints about other fetched-results controllers, each as a small example.
@Suite(.hangLimit) struct DifferenceComplaintTests {
  private let task = (0..<6).map { ObjectID(high: 1, low: UInt64($0)) }
  private let list = (0..<3).map { ObjectID(high: 2, low: UInt64($0)) }

  private static let model = Model(entities: [
    Entity(
      name: "Task", nameAttribute: "title",
      attributes: [
        Attribute(name: "title", type: .string), Attribute(name: "rank", type: .integer, defaultValue: 0),
      ],
      relationships: [
        Relationship(name: "list", target: "List", inverse: "tasks", isOptional: true),
        Relationship(name: "tags", target: "Tag", inverse: "tasks", isMany: true),
      ]),
    Entity(
      name: "List", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "taskCount", type: nil, derivation: .count(relationship: "tasks")),
        Attribute(name: "total", type: nil, derivation: .sum(relationship: "tasks", attribute: "rank")),
      ],
      relationships: [
        Relationship(name: "tasks", target: "Task", inverse: "list", isMany: true, isOrdered: true)
      ]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "tasks", target: "Task", inverse: "tags", isMany: true)]),
  ])

  /// Runs a body with tasks a, b, c in the list home and d in the list work, at position 2.
  ///
  /// The list none is empty.
  private func withStore(_ body: (Store) throws -> Void) throws {
    try withTemporaryStore(Self.model) { store in
      try store.write { tx in
        for (index, name) in ["home", "work", "none"].enumerated() {
          try tx.insert("List", ["name": .string(name)], id: list[index])
        }
        for (index, title) in ["a", "b", "c", "d"].enumerated() {
          try tx.insert("Task", ["title": .string(title)], id: task[index])
          try tx.relate(task[index], "list", to: list[index < 3 ? 0 : 1])
        }
      }
      try body(store)
    }
  }

  private let byTitle = Request(entity: "Task", sort: [SortTerm(path: ["title"])])
  private let byList = Request<StoredObject>(
    entity: "Task", sort: [SortTerm(path: ["title"])], section: SectionKey(path: ["list", "name"]))

  private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

  /// Returns the last commit's difference for a request.
  private func last(_ store: Store, _ request: Request<StoredObject>) throws -> ResultsChange {
    let head = try store.position
    return try store.difference(of: request, from: Position(head.number - 1))
  }

  // Related objects.

  @Test func theNameOfARelatedObjectMovesItsRowsToAnotherSection() throws {
    try withStore { store in
      try store.write { try $0.rename(list[0], to: "zoo") }
      let change = try last(store, byList)
      #expect(
        change.difference.sections == [.delete(index: 0, name: "home"), .insert(index: 1, name: "zoo")])
      #expect(change.difference.rows == (0..<3).map { .move(task[$0], from: path(0, $0), to: path(1, $0)) })
      #expect(change.causes == [task[0]: [3], task[1]: [3], task[2]: [3]])
    }
  }

  @Test func aRelatedObjectThatTheFilterReachesBringsAndTakesRows() throws {
    try withStore { store in
      var request = byTitle
      request.filter = try Filter(parsing: #"ANY tags.name == "urgent""#)
      let tag = try store.write { tx in
        let tag = try tx.insert("Tag", ["name": "later"])
        try tx.relate(task[1], "tags", to: tag)
        return tag
      }
      #expect(try last(store, request).isEmpty)
      try store.write { try $0.set(tag, ["name": "urgent"]) }
      #expect(try last(store, request).difference.rows == [.insert(task[1], to: path(0, 0))])
      try store.write { try $0.delete(tag) }
      #expect(try last(store, request).difference.rows == [.delete(task[1], from: path(0, 0))])
    }
  }

  @Test func aDerivedValueOfARelatedObjectIsFollowed() throws {
    try withStore { store in
      let request = Request<StoredObject>(
        entity: "Task", sort: [SortTerm(path: ["list", "total"], .descending), SortTerm(path: ["title"])],
        shows: [])
      try store.write { try $0.set(task[3], ["rank": 5]) }
      #expect(try last(store, request).difference.rows == [.move(task[3], from: path(0, 3), to: path(0, 0))])
      try store.write { try $0.set(task[0], ["rank": 1]) }
      #expect(
        try last(store, request).difference.rows
          == (0..<3).map { .update(task[$0], from: path(0, $0 + 1), to: path(0, $0 + 1)) })
    }
  }

  @Test func theOrderOfAToManyRelationshipThatIsShownIsFollowed() throws {
    try withStore { store in
      let request = Request(entity: "List", sort: [SortTerm(path: ["name"])], shows: [["tasks"]])
      try store.write { try $0.relate(list[0], "tasks", to: task[2], at: .before(task[0])) }
      #expect(try last(store, request).difference.rows == [.update(list[0], from: path(0, 0), to: path(0, 0))])
    }
  }

  // Filters on the sort keys.

  @Test(arguments: [
    "BEGINSWITH \"C\"", "BETWEEN {\"C\", \"D\"}", "IN {\"C2\"}", "== \"C2\"", "BETWEEN {\"C2\", \"C2\"}",
  ])
  func aTestOfWhatTheRequestSortsByKeepsTheRowsInTheirPlaces(test: String) throws {
    var model = FeedModel.model
    model.entities[0].indexes = [Index([.init(path: ["type"]), .init(path: ["name"])])]
    try withTemporaryStore(model) { store in
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      try store.insertRecipes("B", "C1", "C2", "C3", "D", type: type)
      try store.insertRecipes("C2")
      let request = Request<StoredObject>(
        entity: "Recipe", filter: try Filter(parsing: "type == \"\(type)\" AND name \(test)"),
        sort: [SortTerm(path: ["name"])])
      let live = try store.liveResults(of: request)
      var shown = try store.fetch(request).ids
      #expect(try live.ids == shown)
      for names in [["C2"], ["C2", "C2"], ["C4", "C2", "B2"]] {
        let ids = try store.write { tx in
          try names.map { name in
            let id = try tx.insert("Recipe", ["name": .string(name)])
            try tx.relate(id, "type", to: type)
            return id
          }
        }
        let wanted = try store.fetch(request).ids
        #expect(try shown.applying(last(store, request).difference) == wanted)
        #expect(try shown.applying(try #require(try live.update()).difference) == wanted)
        #expect(try live.ids == wanted)
        for (row, id) in wanted.sections[0].rows.enumerated() {
          #expect(try live.id(at: path(0, row)) == id && live.path(of: id) == path(0, row))
        }
        shown = wanted
        if names.count == 3 {
          try store.write { try $0.delete(ids[1]) }
          shown = try shown.applying(last(store, request).difference)
          #expect(try shown == store.fetch(request).ids)
        }
      }
    }
  }

  @Test func aSortKeyAfterTheIDIsAKeyOfTheRow() throws {
    try withStore { store in
      var request = byTitle
      request.sort += [SortTerm(path: ["id"]), SortTerm(path: ["list", "name"])]
      request.shows = []
      let live = try store.liveResults(of: request)
      try store.write { try $0.set(list[1], ["name": "zoo"]) }
      #expect(try last(store, request).difference.rows == [.update(task[3], from: path(0, 3), to: path(0, 3))])
      #expect(try live.update()?.difference.rows == [.update(task[3], from: path(0, 3), to: path(0, 3))])
      request.sort.removeLast()
      #expect(try last(store, request).isEmpty)
    }
  }

  // Windows.

  @Test func theLimitHoldsInEveryDifference() throws {
    try withStore { store in
      var request = byTitle
      request.limit = 2
      try store.write { try $0.insert("Task", ["title": "A"], id: task[4]) }
      let change = try last(store, request)
      #expect(change.difference.rows == [.delete(task[1], from: path(0, 1)), .insert(task[4], to: path(0, 0))])
      #expect(change.causes == [task[4]: [3]])
      try store.write { try $0.delete(task[0]) }
      let next = try last(store, request)
      #expect(next.difference.rows == [.delete(task[0], from: path(0, 1)), .insert(task[1], to: path(0, 1))])
      #expect(next.causes == [task[0]: [4]])
    }
  }

  @Test func changesOutsideOfTheWindowAreNone() throws {
    try withStore { store in
      var request = byTitle
      (request.offset, request.limit) = (1, 2)
      try store.write { try $0.rename(task[3], to: "dd") }
      #expect(try last(store, request).isEmpty)
      try store.write { try $0.rename(task[0], to: "aa") }
      #expect(try last(store, request).isEmpty)
    }
  }

  // Sections.

  @Test func aRowMovesOutOfADeletedSectionIntoAnInsertedOne() throws {
    try withStore { store in
      try store.write { try $0.relate(task[3], "list", to: list[2]) }
      let difference = try last(store, byList).difference
      #expect(difference.sections == [.delete(index: 1, name: "work"), .insert(index: 1, name: "none")])
      #expect(difference.rows == [.move(task[3], from: path(1, 0), to: path(1, 0))])
      // List views refuse such a move, and the plan for them omits it: the row is deleted and inserted with its
      // section.
      #expect(difference.viewPlan.rows.isEmpty && difference.viewPlan.sections == difference.sections)
    }
  }

  @Test func aSectionKeepsNoMemoryOfRowsThatLeft() throws {
    try withStore { store in
      try store.write { try $0.relate(task[3], "list", to: list[0]) }
      try store.write { try $0.relate(task[3], "list", to: list[1]) }
      try store.write { try $0.unrelate(task[3], "list", from: list[1]) }
      #expect(
        try last(store, byList).difference.sections == [.delete(index: 1, name: "work"), .insert(index: 0, name: "")])
      #expect(try store.difference(of: byList, from: 2, to: 4).isEmpty)
      let all = try store.difference(of: byList, from: 2).difference
      #expect(all.rows == [.move(task[3], from: path(1, 0), to: path(0, 0))])
    }
  }

  @Test func aNullAndAnEmptyNameAreOneSection() throws {
    try withStore { store in
      try store.write { try $0.rename(list[1], to: "") }
      try store.write { try $0.unrelate(task[3], "list", from: list[1]) }
      let difference = try last(store, byList).difference
      #expect(difference.sections.isEmpty && difference.rows == [.update(task[3], from: path(0, 0), to: path(0, 0))])
    }
  }

  // Moves.

  @Test func aRowThatKeepsItsPlaceIsAnUpdateAndNotAMove() throws {
    try withStore { store in
      try store.write { try $0.rename(task[1], to: "bb") }
      #expect(try last(store, byTitle).difference.rows == [.update(task[1], from: path(0, 1), to: path(0, 1))])
    }
  }

  @Test func aRowWhoseIndexOnlyShiftsIsNotReported() throws {
    try withStore { store in
      try store.write { try $0.delete(task[0]) }
      #expect(try last(store, byTitle).difference.rows == [.delete(task[0], from: path(0, 0))])
      #expect(try last(store, byList).difference.rows == [.delete(task[0], from: path(0, 0))])
    }
  }

  @Test func twoRowsThatChangePlacesAreOneMove() throws {
    try withStore { store in
      try store.write { tx in
        try tx.rename(task[1], to: "c")
        try tx.rename(task[2], to: "b")
      }
      #expect(
        try last(store, byTitle).difference.rows == [
          .move(task[2], from: path(0, 2), to: path(0, 1)), .update(task[1], from: path(0, 1), to: path(0, 2)),
        ])
    }
  }

  // Net changes.

  @Test func deleteAndInsertOfOneIdentityIsWhatItCameTo() throws {
    try withStore { store in
      try store.write { tx in
        try tx.delete(task[1])
        try tx.insert("Task", ["title": "b"], id: task[1])
        try tx.relate(task[1], "list", to: list[0])
      }
      #expect(try last(store, byTitle).isEmpty)
      try store.write { try $0.delete(task[1]) }
      try store.write { try $0.insert("Task", ["title": "bb"], id: task[1]) }
      #expect(
        try store.difference(of: byList, from: 3).difference.rows == [.move(task[1], from: path(0, 1), to: path(0, 0))])
      #expect(
        try store.difference(of: byTitle, from: 3).difference.rows == [
          .update(task[1], from: path(0, 1), to: path(0, 1))
        ])
      #expect(try store.difference(of: byTitle, from: 3).causes == [task[1]: [4, 5]])
    }
  }

  @Test func aValueThatCameBackIsNoChange() throws {
    try withStore { store in
      try store.write { try $0.rename(task[0], to: "x") }
      try store.write { try $0.rename(task[0], to: "a") }
      try store.write { tx in
        try tx.set(task[0], ["rank": 3])
        try tx.set(task[0], ["rank": 0])
      }
      #expect(try store.difference(of: byTitle, from: 2).isEmpty)
      var request = byTitle
      request.shows = [["changedAt"]]
      #expect(try last(store, request).difference.rows == [.update(task[0], from: path(0, 0), to: path(0, 0))])
    }
  }

  @Test func aLargeCommitIsSeenAsAWhole() throws {
    try withStore { store in
      try store.write { tx in
        for number in 0..<2_000 { try tx.insert("Task", ["title": .string("x\(number)")]) }
        for id in task[0..<4] { try tx.set(id, ["rank": 1]) }
      }
      let change = try last(store, byTitle)
      #expect(change.difference.rows.count == 2_004 && change.causes.count == 2_004)
      let old = SectionedIDs<ObjectID>(unsectioned: Array(task[0..<4]))
      #expect(try old.applying(change.difference) == SectionedIDs(try store.fetch(byTitle), byTitle))
    }
  }

  // Positions.

  @Test func positionsBeyondTheHeadAndUnknownNamesAreRefused() throws {
    try withStore { store in
      let error = #expect(throws: StoreError.self) { try store.difference(of: byTitle, from: 2, to: 3) }
      #expect(error?.code == .notFound)
      let request = Request(entity: "Nothing")
      let unknown = #expect(throws: StoreError.self) { try store.difference(of: request, from: 1) }
      #expect(unknown?.code == .badRequest)
      for position in [.empty, try store.position] {
        let change = try store.difference(of: byTitle, from: position, to: position)
        #expect(change.isEmpty && change.from == position && change.to == position)
      }
    }
  }
}
