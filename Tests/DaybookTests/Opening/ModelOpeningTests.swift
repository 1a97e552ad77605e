import Daybook
import DaybookTestSupport
import Testing

/// A store that is opened with a model.
@Suite(.hangLimit) struct ModelOpeningTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }
  private let first = Model(entities: [
    Entity(name: "Bottle", nameAttribute: "label", attributes: [Attribute(name: "label", type: .string)])
  ])
  private let second = Model(entities: [
    Entity(
      name: "Bottle", nameAttribute: "title",
      attributes: [
        Attribute(name: "title", renamedFrom: "label", type: .string),
        Attribute(name: "price", type: .double, defaultValue: 3.0),
      ])
  ])

  init() throws {
    directory = try TemporaryDirectory()
    let store = try Store(at: path, model: first)
    try store.write { try $0.insert("Bottle", ["label": "Gigondas"]) }
    try closeAndVerify(store)
  }

  private func error(opening model: Model, applying: Bool) -> StoreError? {
    var options = StoreOptions()
    options.appliesModel = applying
    return #expect(throws: StoreError.self) { try Store(at: path, model: model, options: options) }
  }

  private func apply(_ model: Model) throws -> Store {
    var options = StoreOptions()
    options.appliesModel = true
    return try Store(at: path, model: model, options: options)
  }

  @Test func anotherModelIsRefusedUnlessItIsApplied() throws {
    let refused = error(opening: second, applying: false)
    #expect(refused?.code == .badModel)
    #expect(refused?.message.contains("rename attribute Bottle.label to title") == true)
    #expect(refused?.advice?.contains("appliesModel") == true)

    let store = try apply(second)
    #expect(try store.position == 3)
    #expect(try store.fetch(Request(entity: "Bottle")).rows.map { $0["title"] } == ["Gigondas"])
    try closeAndVerify(store)
    // It has the model now.
    let again = try apply(second)
    #expect(try again.position == 3)
    try closeAndVerify(again)
  }

  @Test func aModelOfAnEarlierTimeIsNeverAppliedAgain() throws {
    try closeAndVerify(apply(second))
    for applying in [false, true] {
      let refused = error(opening: first, applying: applying)
      #expect(refused?.code == .badModel)
      #expect(
        refused?.message.contains(
          "has a later model, since commit 3: rename attribute Bottle.label to title; add attribute Bottle.price")
          == true)
    }
    let store = try Store(at: path)
    #expect(try store.position == 3)
    try closeAndVerify(store)
  }

  @Test func aModelThatCannotFollowIsRefusedAndTheStoreClosed() throws {
    var other = first
    other.entities[0].nameAttribute = nil
    other.entities[0].attributes[0].type = .integer
    let refused = error(opening: other, applying: true)
    #expect(refused?.message.contains("is a string and cannot become an integer") == true)
    try closeAndVerify(Store(at: path))
  }

  @Test func aNewStoreHasTheModelFromItsFirstCommit() throws {
    var options = StoreOptions()
    options.appliesModel = true
    let store = try Store(at: directory.path("new"), model: second, options: options)
    #expect(try store.position == 1)
    try closeAndVerify(store)
  }

  @Test func aStoreThatIsOpenIsRefusedWithAdvice() throws {
    let store = try Store(at: path)
    let refused = #expect(throws: StoreError.self) { try Store(at: path) }
    #expect(refused?.code == .exists)
    #expect(refused?.message.hasPrefix("The store is open in this process already: ") == true)
    #expect(refused?.advice?.contains("close it first") == true)
    try closeAndVerify(store)
  }
}
