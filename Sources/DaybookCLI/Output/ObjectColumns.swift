#if Command

import Daybook

/// The rows of a request as text: the columns and the cells.
///
/// The columns are the short form of the identity, all values and the to-one links; for a request that names what it
/// shows, the name and the values at these paths. Groups have their keys and values.
struct ObjectColumns {
  let columns: [TextTable.Column]
  private var labels: ObjectLabels
  /// The values that the request shows, or `nil` if it names none.
  private var shown: ShownReader?
  /// The attribute with the name, which has a column before the values that the request shows.
  private var nameAttribute: String?
  private var isOfGroups = false
  /// Whether rows may be of descendants: then they show their entity, and the fields of the request's.
  private var showsEntity = false
  /// The names of the attributes and links of the request's entity.
  private var names: (values: [String], links: [String]) = ([], [])

  /// - Throws: `StoreError` with the code `badRequest` if the request shows what the model lacks.
  init(of request: FetchRequest, in reader: borrowing StoreReader) throws {
    let model = reader.resolvedModel
    labels = ObjectLabels(model)
    if let grouping = try ResolvedRequest(checking: request.atAnyTime, in: model).grouping {
      columns = grouping.columns.map { TextTable.Column($0.name, alignment: $0.type.isNumber ? .right : .left) }
      isOfGroups = true
      return
    }
    guard let number = model.entity(named: request.entity) else {
      columns = ["id"]
      return
    }
    let entity = model.entities[number]
    if request.shows != nil {
      let shown = try ShownReader(request, in: reader)
      let name = entity.nameAttribute.map { entity.attributes[$0].name }
      let paths = shown.paths.filter { $0.name != name }.map {
        TextTable.Column($0.name, alignment: $0.isNumber ? .right : .left)
      }
      (self.shown, nameAttribute) = (shown, name)
      columns = ["id"] + (name.map { [TextTable.Column($0)] } ?? []) + paths
      return
    }
    let values = entity.attributes.filter { !$0.isRetired }.map {
      TextTable.Column($0.name, alignment: $0.type.isNumber ? .right : .left)
    }
    let links = entity.relationships.filter { !$0.isRetired && !$0.isMany }.map { TextTable.Column($0.name) }
    showsEntity = !request.isExact && !entity.descendants.isEmpty
    names = (values.map(\.title), links.map(\.title))
    columns = ["id"] + (showsEntity ? ["entity"] : []) + values + links
  }

  /// Returns the cells of an object: its short form, its values, and its to-one targets; or what the request shows.
  ///
  /// The cells of a group are its key and its values.
  mutating func cells(of object: StoredObject, _ reader: borrowing StoreReader) throws -> [String] {
    if isOfGroups {
      let group = GroupColumns(object)
      return (group.key + group.values).map { $0.value.text(as: $0.type) }
    }
    if let values = try shown?.values(of: object.id) {
      let name = nameAttribute == nil ? [] : [labels.name(of: object) ?? ""]
      let texts = try values.filter { $0.path.name != nameAttribute }.map { try labels.text(of: $0, reader) }
      return [object.id.shortForm] + name + texts
    }
    let shownLinks = showsEntity ? object.links.filter { names.links.contains($0.name) } : object.links
    let links = try shownLinks.map { try $0.target.map { try labels.label(of: $0, reader) } ?? "" }
    guard showsEntity else { return [object.id.shortForm] + labels.values(of: object).map(\.text) + links }
    // The parent's fields are not the first ones where a field moved up.
    let texts = Dictionary(
      labels.values(of: object).map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    let values = names.values.map { texts[$0] ?? "" }
    return [object.id.shortForm, object.entity] + values + links
  }
}

private extension ShownPath {
  var isNumber: Bool { path.type.isNumber && !path.isMany }
}

private extension AttributeType {
  var isNumber: Bool { [.integer, .double, .decimal].contains(self) }
}

#endif
