import Daybook

/// Objects of an entity as rows of text: the columns and the cells.
struct ObjectColumns {
  let columns: [TextTable.Column]
  private var labels: ObjectLabels

  init(of entity: String, in model: ResolvedModel) {
    labels = ObjectLabels(model)
    guard let number = model.entity(named: entity) else {
      columns = ["id"]
      return
    }
    let values = model.entities[number].attributes.filter { !$0.isRetired }.map {
      TextTable.Column($0.name, alignment: $0.type.isNumber ? .right : .left)
    }
    let links = model.entities[number].relationships.filter { !$0.isRetired && !$0.isMany }.map {
      TextTable.Column($0.name)
    }
    columns = ["id"] + values + links
  }

  /// Returns the cells of an object: its short form, its values, and its to-one targets.
  mutating func cells(of object: StoredObject, _ reader: borrowing StoreReader) throws -> [String] {
    let links = try object.links.map { try $0.target.map { try labels.label(of: $0, reader) } ?? "" }
    return [object.id.shortForm] + labels.values(of: object).map(\.text) + links
  }
}

private extension AttributeType {
  var isNumber: Bool { [.integer, .double, .decimal].contains(self) }
}
