import ApplicationSupport
import DaybookMacros

/// The outline: six levels of names.
package func application() throws -> Application {
  Application(
    "first", title: "First", summary: "An outline of six levels: names, and what belongs below them.",
    model: try Model(
      RootLevel.self, SecondLevel.self, ThirdLevel.self, FourthLevel.self, FifthLevel.self, SixthLevel.self),
    files: ["first.js": PackageResources.first_js],
    lists: [
      NamedList("1", RootLevel.all.sorted(by: \.name)),
      children("2") { id in SecondLevel.where { $0.parent == id }.sorted(by: \.name) },
      children("3") { id in ThirdLevel.where { $0.parent == id }.sorted(by: \.name) },
      children("4") { id in FourthLevel.where { $0.parent == id }.sorted(by: \.name) },
      children("5") { id in FifthLevel.where { $0.parent == id }.sorted(by: \.name) },
      children("6") { id in SixthLevel.where { $0.parent == id }.sorted(by: \.name) },
    ],
    forms: [
      Form("1", for: RootLevel.self, new: { _ in RootLevel(name: "") }),
      child("2", \SecondLevel.Fields.parent) { SecondLevel(name: "", parent: $0) },
      child("3", \ThirdLevel.Fields.parent) { ThirdLevel(name: "", parent: $0) },
      child("4", \FourthLevel.Fields.parent) { FourthLevel(name: "", parent: $0) },
      child("5", \FifthLevel.Fields.parent) { FifthLevel(name: "", parent: $0) },
      child("6", \SixthLevel.Fields.parent) { SixthLevel(name: "", parent: $0) },
    ],
    actions: [
      // What is below goes with it, deepest first: the model says so.
      Action("delete") { tx, input in try tx.delete(input.object("object")) }
    ],
    contents: write)
}

/// A list of the children of one parent.
private func children<Parent, Child>(
  _ level: String, _ request: @escaping @Sendable (EntityID<Parent>) -> Request<Record<Child>>
) -> NamedList {
  NamedList(level) { input in request(try input.id("of")) }
}

/// The form of a child: its name, and its parent, which the model requires.
private func child<Object: Storable, Parent: Storable>(
  _ level: String, _ parent: any KeyPath<Object.Fields, ToOneField<Parent>> & Sendable,
  _ new: @escaping @Sendable (EntityID<Parent>) -> Object
) -> Form {
  Form(
    level, for: Object.self, new: { input in new(try input.id("of")) },
    lists: [
      FormList("parents") { _ in
        try Request<Record<Parent>>(Request(entity: Parent.entityName, sort: [try SortTerm(parsing: "name")]))
      }
    ],
    actions: [
      FormAction("parent") { tx, object, input in
        if let other: EntityID<Parent> = try input.optionalID("parent") {
          try tx.relate(object, parent, to: other)
        } else if let present = try tx.target(of: object, parent) {
          try tx.unrelate(object, parent, from: present)
        }
      }
    ])
}

/// Two roots with something below them.
@Sendable private func write(_ tx: borrowing Transaction) throws {
  let animals = try tx.insert(RootLevel(name: "Animals"))
  let vertebrates = try tx.insert(SecondLevel(name: "Vertebrates", parent: animals))
  try tx.insert(SecondLevel(name: "Insects", parent: animals))
  let mammals = try tx.insert(ThirdLevel(name: "Mammals", parent: vertebrates))
  let carnivores = try tx.insert(FourthLevel(name: "Carnivores", parent: mammals))
  let cats = try tx.insert(FifthLevel(name: "Cats", parent: carnivores))
  try tx.insert(SixthLevel(name: "Iberian lynx", parent: cats))
  let plants = try tx.insert(RootLevel(name: "Plants"))
  try tx.insert(SecondLevel(name: "Trees", parent: plants))
}
