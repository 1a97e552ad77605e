import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct ScanTests {
  private let directory: TemporaryDirectory
  private let store: Store
  private let type: ObjectID
  private let cake: ObjectID

  init() throws {
    directory = try TemporaryDirectory()
    let model = Model(entities: [
      Entity(
        name: "Recipe", nameAttribute: "name",
        attributes: [Attribute(name: "name", type: .string), Attribute(name: "servings", type: .integer)],
        relationships: [Relationship(name: "type", target: "Type", inverse: "recipes", isOptional: true)]),
      Entity(
        name: "Type", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true)]),
    ])
    store = try Store(at: directory.path("s"), model: model)
    let type = try store.write { try $0.insert("Type", ["name": "Dessert"]) }  // 2
    let cake = try store.write { try $0.insert("Recipe", ["name": "Cake", "servings": 4]) }  // 3
    try store.write { tx in  // 4
      try tx.relate(cake, "type", to: type)
      try tx.set(cake, ["servings": 6])
    }
    try store.write { try $0.unrelate(cake, "type", from: type) }  // 5
    (self.type, self.cake) = (type, cake)
  }

  @Test func allEventsComeInOrder() throws {
    var seen: [String] = []
    try store.read { reader in
      try reader.forEachEvent { event in
        seen.append("\(event.position) \(event.kind) \(event.object == cake ? "cake" : "type")")
        return true
      }
    }
    #expect(
      seen == ["2 inserted type", "3 inserted cake", "4 related cake", "4 set cake", "5 unrelated cake"])
  }

  @Test func fieldsAndLinksAreThoseOfTheEvents() throws {
    try store.read { reader in
      let recipe = try reader.tag(of: "Recipe")
      let servings = try reader.tag(ofAttribute: "servings", of: "Recipe")
      var numbers: [Value] = []
      var targets: [ObjectID?] = []
      try reader.forEachEvent(from: 3) { event in
        #expect(event.entity == recipe)
        if event.relationship != nil { targets += [event.formerTarget, event.target] }
        var fields = event.fields
        while let field = try fields.next() {
          if field.tag == servings { numbers.append(try field.value()) }
        }
        return true
      }
      #expect(numbers == [4, 4, 6])
      #expect(targets == [nil, type, type, nil])
    }
  }

  @Test func rangesIncludeBothEndsAndTheScanMayStop() throws {
    #expect(try positions(from: 3, to: 4) == [3, 4, 4])
    #expect(try positions(from: 0, to: 99) == [2, 3, 4, 4, 5])
    #expect(try positions(from: 6, to: nil) == [])
    #expect(try positions(from: 4, to: 3) == [])
    #expect(try positions(from: 1, to: nil, limit: 2) == [2, 3])
  }

  private func positions(from first: Position, to last: Position?, limit: Int = .max) throws -> [Position] {
    var positions: [Position] = []
    try store.read { reader in
      try reader.forEachEvent(from: first, to: last) { event in
        positions.append(event.position)
        return positions.count < limit
      }
    }
    return positions
  }

  @Test func unknownNamesHaveNoTag() throws {
    #expect(throws: StoreError.self) { try store.read { try $0.tag(of: "Cake") } }
    #expect(throws: StoreError.self) { try store.read { try $0.tag(ofAttribute: "colour", of: "Recipe") } }
  }
}
