#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

/// The typed interface in a module with main-actor isolation by default.
@Suite(.hangLimit) struct MainActorTests {
  @Test func entitiesOfAllKindsAreWrittenAndRead() throws {
    try withTemporaryStore(Model(Note.self, Shelf.self, Label.self)) { store in
      let (note, label) = try store.write { tx in
        let shelf = try tx.insert(Shelf(name: "top"))
        let label = try tx.insert(Label(name: "new", color: .blue, size: Size(width: 2)))
        return (try tx.insert(Note(text: "milk", isDone: true, shelf: shelf, labels: [label])), label)
      }
      #expect(try store.get(note)?.text == "milk")
      #expect(try store.get(label)?.color == .blue)
      #expect(try store.get(label)?.size == Size(width: 2))
      let request = Note.where { $0.isDone && $0.shelf.name == "top" }.sorted(by: \.text)
      #expect(try store.fetch(request).rows.map(\.text) == ["milk"])
      #expect(try store.fetch(Label.where { $0.color == .red }).rows.isEmpty)
    }
  }

  @Test func theyAreReadOutsideOfTheMainActor() async throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: Model(Note.self, Shelf.self, Label.self))
    let id = try await store.write { try $0.insert(Note(text: "milk", isDone: false)) }
    let text = try await Task.detached { try store.get(id)?.value.text }.value
    #expect(text == "milk")
    let count = try await Task.detached { try store.fetch(Note.where { !$0.isDone }).rows.count }.value
    #expect(count == 1)
    store.close()
  }

  @Test func projectionWritesStructs() throws {
    var options = StoreOptions()
    options.projections = [ColorCounts()]
    try withTemporaryStore(Model(Note.self, Shelf.self, Label.self), options: options) { store in
      try store.write { tx in
        for name in ["new", "old"] { try tx.insert(Label(name: name, color: .blue, size: Size(width: 2))) }
      }
      #expect(try store.fetch(ColorCount.where { $0.color == .blue }).rows.map(\.labels) == [2])
    }
  }
}

@Entity struct ColorCount {
  @Key var color: Color
  var labels = 0
}

nonisolated struct ColorCounts: Projection {
  let name = "color-counts"
  let version = 1
  let mode = ProjectionMode.inline
  let entities: [DerivedEntity] = [.init(ColorCount.self)]

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.inserted(Label.self) {
      let label = try commit.after.require(id)
      try rows.update(ColorCount.key(color: label.color)) { $0.labels += 1 }
    }
  }
}

// By hand, in an extension.

struct Note {
  var text: String
  var isDone: Bool
  var shelf: Shelf.ID?
  var labels: Related<Label> = []
}

nonisolated extension Note: Storable {
  typealias ID = EntityID<Note>

  struct Fields: EntityFields {
    typealias Object = Note
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var text: Field<String> { Field(fieldPath, "text") }
    var isDone: Field<Bool> { Field(fieldPath, "isDone") }
    var shelf: ToOneField<Shelf> { ToOneField(fieldPath, "shelf") }
    var labels: ToManyField<Label> { ToManyField(fieldPath, "labels") }
  }

  static var entity: Entity {
    get throws {
      Entity(
        name: "Note",
        attributes: [try Attribute("text", as: String.self), try Attribute("isDone", as: Bool.self, default: false)],
        relationships: [
          Relationship("shelf", toOne: Shelf.self, inverse: "notes", isOptional: true),
          Relationship("labels", toMany: Label.self, inverse: "notes"),
        ])
    }
  }

  init(row: inout ObjectRow) throws {
    text = try row.value("text")
    isDone = try row.value("isDone")
    shelf = try row.target("shelf")
    labels = row.targets("labels")
  }

  func write(to values: inout ObjectValues) throws {
    try values.set("text", text)
    try values.set("isDone", isDone)
    values.relate("shelf", to: shelf)
    values.relate("labels", to: labels)
  }
}

// By hand, in the declaration.

struct Shelf: Storable {
  var name: String
  var notes: Related<Note> = []

  typealias ID = EntityID<Shelf>

  struct Fields: EntityFields {
    typealias Object = Shelf
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var name: Field<String> { Field(fieldPath, "name") }
    var notes: ToManyField<Note> { ToManyField(fieldPath, "notes") }
  }

  static var entity: Entity {
    get throws {
      Entity(
        name: "Shelf", nameAttribute: "name", attributes: [try Attribute("name", as: String.self)],
        relationships: [Relationship("notes", toMany: Note.self)])
    }
  }

  init(name: String) { self.name = name }

  init(row: inout ObjectRow) throws {
    name = try row.value("name")
    notes = row.targets("notes")
  }

  func write(to values: inout ObjectValues) throws {
    try values.set("name", name)
    values.relate("notes", to: notes)
  }
}

// By macro, with values of the module's own types.

@Entity struct Label {
  @Name var name: String
  var color: Color = .red
  var size: Size?
  var notes: Related<Note>
}

enum Color: String, ScalarValue { case red, blue }

struct Size: CodableValue, Hashable { var width = 1 }

#endif
