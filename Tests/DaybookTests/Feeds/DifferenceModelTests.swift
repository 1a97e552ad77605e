import Daybook
import DaybookTestSupport
import Testing

/// Differences over spans in which the model changed.
@Suite(.hangLimit) struct DifferenceModelTests {
  private static let model = Model(entities: [
    Entity(
      name: "List",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "itemCount", type: nil, derivation: .count(relationship: "items")),
        Attribute(name: "heaviest", type: nil, derivation: .maximum(relationship: "items", attribute: "weight")),
      ], relationships: [Relationship(name: "items", target: "Item", inverse: "list", isMany: true)]),
    Entity(
      name: "Item", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "weight", type: .integer, isOptional: true),
      ],
      relationships: [Relationship(name: "list", target: "List", inverse: "items", isOptional: true)]),
    Entity(name: "Note", attributes: [Attribute(name: "text", type: .string)]),
  ])

  private static let list = ObjectID(high: 1, low: 1)
  private static let items = (2...5).map { ObjectID(high: 1, low: $0) }
  private var items: [ObjectID] { Self.items }

  /// Runs a body with a list of items a, b, c and d, of the weights 1 to 4, at position 2.
  private func withStore(_ body: (Store) throws -> Void) throws {
    try withTemporaryStore(Self.model) { store in
      try store.write { tx in
        try tx.insert("List", ["name": "list"], id: Self.list)
        for (index, id) in items.enumerated() {
          let name = String(Character(UnicodeScalar(UInt8(97 + index))))
          try tx.insert("Item", ["name": .string(name), "weight": .integer(Int64(index + 1))], id: id)
          try tx.relate(id, "list", to: Self.list)
        }
      }
      try body(store)
    }
  }

  private func change(_ store: Store, _ change: (inout Model) -> Void) throws {
    var model = try store.read { $0.model }
    change(&model)
    try store.apply(model)
  }

  private static let byName = Request(entity: "Item", sort: [SortTerm(path: ["name"])])
  private static let lists = Request(entity: "List", sort: [SortTerm(path: ["itemCount"])])

  @Test func anAddedIndexIsNoReset() throws {
    try withStore { store in
      try change(store) { $0.entities[1].indexes = [Index([.init(path: ["name"], .descending)])] }
      try store.write { try $0.rename(items[0], to: "z") }
      let change = try store.difference(of: Self.byName, from: 2)
      #expect(!change.isReset)
      #expect(change.difference.rows == [.move(items[0], from: path(0), to: path(3))])
      #expect(change.causes == [items[0]: [4]])
      #expect(try store.difference(of: Self.byName, from: 2, to: 3).isEmpty)
      #expect(try store.difference(of: Self.byName, from: 0, to: 4).difference.rows.count == 4)
    }
  }

  @Test func anAddedAttributeThatIsShownIsAReset() throws {
    try withStore { store in
      try change(store) {
        $0.entities[1].attributes.append(Attribute(name: "color", type: .string, defaultValue: "red"))
      }
      try store.write { try $0.set(items[0], ["color": "blue"]) }
      let reset = try store.difference(of: Self.byName, from: 2)
      #expect(reset.isReset && reset.difference.isEmpty && reset.causes.isEmpty)
      #expect(try store.difference(of: Self.byName, from: 4, to: 2).isReset)
      #expect(try store.difference(of: Self.byName, from: 0).isReset)
      #expect(
        try store.difference(of: Self.byName, from: 3).difference.rows == [
          .update(items[0], from: path(0), to: path(0))
        ])
      // A request that does not show the attribute needs no reset.
      var request = Self.byName
      request.shows = [["name"]]
      let change = try store.difference(of: request, from: 2)
      #expect(!change.isReset && change.isEmpty)
    }
  }

  @Test func anAttributeWithADefaultThatWasAddedLaterChangesNothingBefore() throws {
    try withStore { store in
      try store.write { try $0.set(items[1], ["weight": 9]) }
      try change(store) {
        $0.entities[1].attributes.append(Attribute(name: "color", type: .string, defaultValue: "red"))
      }
      try store.write { tx in
        for id in items { try tx.set(id, ["color": "blue"]) }
        try tx.delete(items[3])
      }
      let change = try store.difference(of: Self.byName, from: 2, to: 3)
      #expect(!change.isReset)
      #expect(change.difference.rows == [.update(items[1], from: path(1), to: path(1))])
      // A request that only the later model can resolve.
      var red = Self.byName
      red.filter = try Filter(parsing: #"color == "red""#)
      #expect(try store.difference(of: red, from: 4).difference.rows.count == 4)
      #expect(throws: StoreError.self) { try store.difference(of: red, from: 2, to: 3) }
      #expect(try store.difference(of: red, from: 2, to: 5).isReset)
    }
  }

  @Test func aRenameThatTheRequestDoesNotNameIsNoReset() throws {
    try withStore { store in
      try change(store) {
        $0.entities[1].attributes[1] = Attribute(name: "mass", renamedFrom: "weight", type: .integer, isOptional: true)
        $0.entities[0].attributes[2] = Attribute(
          name: "heaviest", type: nil, derivation: .maximum(relationship: "items", attribute: "mass"))
      }
      try store.write { try $0.set(items[2], ["mass": 7]) }
      let change = try store.difference(of: Self.byName, from: 2)
      #expect(!change.isReset)
      #expect(change.difference.rows == [.update(items[2], from: path(2), to: path(2))])
      let lists = try store.difference(of: Self.lists, from: 2)
      #expect(!lists.isReset && lists.causes == [Self.list: [4]])
    }
  }

  @Test func aRenameThatTheRequestNamesIsAReset() throws {
    try withStore { store in
      try change(store) {
        $0.entities[1].attributes[1] = Attribute(name: "mass", renamedFrom: "weight", type: .integer, isOptional: true)
        $0.entities[0].attributes[2] = Attribute(
          name: "heaviest", type: nil, derivation: .maximum(relationship: "items", attribute: "mass"))
      }
      let new = Request(entity: "Item", sort: [SortTerm(path: ["mass"])])
      #expect(try store.difference(of: new, from: 2).isReset)
      #expect(try store.difference(of: new, from: 3).isEmpty)
      let old = Request(entity: "Item", sort: [SortTerm(path: ["weight"])])
      let error = #expect(throws: StoreError.self) { try store.difference(of: old, from: 2) }
      #expect(error?.code == .badRequest)
      #expect(try store.difference(of: old, from: 0, to: 2).difference.rows.count == 4)
    }
  }

  @Test func namesThatChangePlacesAreAReset() throws {
    try withStore { store in
      try change(store) {
        $0.entities[1].attributes = [
          Attribute(name: "name", type: .string),
          Attribute(name: "weight", type: .integer, isOptional: true),
          Attribute(name: "size", type: .integer, isOptional: true),
        ]
      }
      try store.write { try $0.set(items[0], ["size": 40]) }
      for (old, new) in [("weight", "spare"), ("size", "weight"), ("spare", "size")] {
        try change(store) {
          let number = $0.entities[1].attributes.firstIndex { $0.name == old }!
          $0.entities[1].attributes[number].name = new
          $0.entities[1].attributes[number].renamedFrom = old
          $0.entities[0].attributes.removeAll { $0.name == "heaviest" }
        }
      }
      let request = Request(entity: "Item", sort: [SortTerm(path: ["weight"])], shows: [])
      #expect(try store.difference(of: request, from: 4).isReset)
    }
  }

  @Test func anAttributeThatComesBackUnderItsNameIsAnotherOne() throws {
    try withStore { store in
      try change(store) {
        $0.entities[0].attributes.removeLast()
        $0.entities[1].attributes.removeLast()
      }
      try change(store) {
        $0.entities[1].attributes.append(Attribute(name: "weight", type: .integer, isOptional: true))
      }
      let request = Request(entity: "Item", sort: [SortTerm(path: ["weight"])], shows: [])
      #expect(try store.difference(of: request, from: 2).isReset)
      #expect(try store.difference(of: request, from: 3).isReset)
    }
  }

  @Test func differencesBeforeADerivedAttributeWentAreStillRight() throws {
    try withStore { store in
      try store.write { try $0.set(items[3], ["weight": 10]) }  // 3
      try store.write { try $0.delete(items[0]) }  // 4
      try change(store) { $0.entities[0].attributes.removeLast(2) }  // 5
      try store.write { tx in  // 6
        try tx.delete(items[3])
        try tx.rename(items[1], to: "bb")
      }
      let shown = Request(entity: "List", shows: [["heaviest"]])
      let update = [RowChange.update(Self.list, from: path(0), to: path(0))]
      #expect(try store.difference(of: shown, from: 2, to: 3).difference.rows == update)
      #expect(try store.difference(of: shown, from: 3, to: 4).isEmpty)
      let count = Request<StoredObject>(
        entity: "List", filter: try Filter(parsing: "itemCount == 4"), section: SectionKey(path: ["itemCount"]))
      let gone = try store.difference(of: count, from: 3, to: 4)
      #expect(gone.difference.sections == [.delete(index: 0, name: "4")])
      #expect(gone.difference.rows == [.delete(Self.list, from: path(0))] && gone.causes == [Self.list: [4]])
      #expect(throws: StoreError.self) { try store.difference(of: count, from: 3) }
      let all = Request(entity: "List")
      #expect(try store.difference(of: all, from: 4).isReset)
      #expect(try store.difference(of: all, from: 5).isEmpty)
    }
  }

  @Test func aRemovedEntityLeavesTheOthersAlone() throws {
    try withStore { store in
      let note = try store.write { try $0.insert("Note", ["text": "a"]) }  // 3
      try store.write { tx in  // 4
        try tx.rename(items[0], to: "aa")
        try tx.delete(note)
      }
      try change(store) { $0.entities.removeLast() }  // 5
      try store.write { try $0.rename(items[0], to: "aaa") }  // 6
      let change = try store.difference(of: Self.byName, from: 2)
      #expect(!change.isReset && change.causes == [items[0]: [4, 6]])
      let notes = Request(entity: "Note")
      #expect(try store.difference(of: notes, from: 2, to: 3).difference.rows.count == 1)
      #expect(throws: StoreError.self) { try store.difference(of: notes, from: 2) }
    }
  }

  @Test func removedRelatedPartsAreNotReached() throws {
    try withStore { store in
      try change(store) {  // 3
        $0.entities[0].attributes.removeLast(2)
        $0.entities[0].relationships = []
        $0.entities[1].relationships = []
      }
      try store.write { try $0.delete(items[2]) }  // 4
      var request = Self.byName
      request.shows = [["name"]]
      let change = try store.difference(of: request, from: 2)
      #expect(!change.isReset)
      #expect(change.difference.rows == [.delete(items[2], from: path(2))])
      // The owner's former link counts as shown.
      #expect(try store.difference(of: Self.byName, from: 2).isReset)
    }
  }

  private func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }
}
