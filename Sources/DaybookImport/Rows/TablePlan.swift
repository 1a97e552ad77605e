#if Import

import Daybook
import DaybookModel

/// The way of a file's rows into entities, found before a row is written.
struct TablePlan {
  /// The entity of the rows, and the nested ones.
  let entity: TableEntity
  /// The model of the store after the import.
  let model: Model
  /// The names of the key's fields in the store; empty without a key.
  let key: [String]
  /// The way of each column.
  let routes: [ColumnRoute]

  /// The way of the values of one column.
  enum ColumnRoute {
    case attribute(Attribute)
    case link(TableLink)
  }

  /// - Parameters:
  ///   - present: The model of the store; `nil` for a new one.
  /// - Throws: ``ImportError`` for columns that do not fit the entity, and for options that name no column.
  init(_ file: any TableFile, _ options: TableOptions, _ present: Model?) throws(ImportError) {
    entity = file.table
    let columns = entity.columns
    key = try TablePlan.key(options.key, columns, file)
    let links = try TablePlan.links(options.links, columns, file)
    let former = present?.wholeEntity(file.table.name)
    if !entity.children.isEmpty, !key.isEmpty {
      throw ImportError(
        .usage, "nested objects become objects of their own, which no key finds again; leave out --nested or --key")
    }
    if let former {
      for (number, column) in columns.enumerated() where links[number] == nil {
        try TablePlan.check(column, former, file)
      }
    }
    var imported = Model(entities: [])
    for table in entity.all { imported.entities.append(TablePlan.entity(table, isKey: key, isTop: table == entity)) }
    for (number, link) in links.enumerated() {
      guard let link else { continue }
      let known = (present?.entities ?? []).map(\.name) + imported.entities.map(\.name)
      guard known.contains(link.target) else {
        throw ImportError(
          .usage, "“\(columns[number].name)” leads to \(link.target), which the store lacks", file: file.name,
          at: columns[number].place, advice: "import \(link.target) first")
      }
      let name = columns[number].attribute
      if let former, former.relationship(name)?.target != link.target {
        throw ImportError(
          .usage,
          "\(former.name) has no relationship “\(name)” to \(link.target) for the column “\(columns[number].name)”",
          file: file.name, at: columns[number].place,
          advice: "add one with “daybook model --apply”, or leave out --link")
      }
      imported.entities[0].attributes.removeAll { $0.name == name }
      imported.entities[0].relationships.append(
        former?.relationship(name)
          ?? Relationship(name: name, target: link.target, isOptional: !key.contains(name)))
    }
    TablePlan.addChildren(of: entity, to: &imported)
    if let former {
      // The store's declaration counts: nothing is added to an entity that exists.
      imported.entities[0] = present?.entity(former.name) ?? former
    }
    model =
      try present.map { present throws(ImportError) in try ModelMerge.merged(present, adding: imported) } ?? imported
    var routes: [ColumnRoute] = []
    for (number, column) in columns.enumerated() {
      if let link = links[number] {
        routes.append(.link(link))
      } else if let attribute = model.attributes(of: file.table.name).first(where: { $0.name == column.attribute }) {
        routes.append(.attribute(attribute))
      }
    }
    self.routes = routes
  }

  /// The column of a name, which may be the file's or the store's.
  private static func number(of name: String, _ columns: [TableColumn]) -> Int? {
    columns.firstIndex { $0.name == name } ?? columns.firstIndex { $0.attribute == name }
  }

  private static func key(
    _ names: [String], _ columns: [TableColumn], _ file: any TableFile
  ) throws(ImportError) -> [String] {
    var key: [String] = []
    for name in names {
      guard let number = number(of: name, columns) else { throw missing(name, "--key", columns, file) }
      guard !key.contains(columns[number].attribute) else {
        throw ImportError(.usage, "--key names “\(name)” twice", file: file.name)
      }
      key.append(columns[number].attribute)
    }
    return key
  }

  private static func links(
    _ links: [TableLink], _ columns: [TableColumn], _ file: any TableFile
  ) throws(ImportError) -> [TableLink?] {
    var found: [TableLink?] = columns.map { _ in nil }
    for link in links {
      guard let number = number(of: link.column, columns) else { throw missing(link.column, "--link", columns, file) }
      guard found[number] == nil else {
        throw ImportError(.usage, "--link names “\(link.column)” twice", file: file.name)
      }
      found[number] = link
    }
    return found
  }

  private static func missing(
    _ name: String, _ option: String, _ columns: [TableColumn], _ file: any TableFile
  ) -> ImportError {
    ImportError(
      .usage, "\(option) names “\(name)”, which is not a column", file: file.name, at: columns.first?.place,
      advice: "the columns are \(columns.map { "“\($0.name)”" }.joined(separator: ", "))")
  }

  /// - Throws: ``ImportError`` for a column that an entity of the store has no stored attribute for.
  private static func check(
    _ column: TableColumn, _ entity: Entity, _ file: any TableFile
  ) throws(ImportError) {
    if let attribute = entity.attributes.first(where: { $0.name == column.attribute }) {
      guard attribute.derivation == nil else {
        throw ImportError(
          .usage, "\(entity.name).\(attribute.name) is derived, so no column can be its values", file: file.name,
          at: column.place, advice: "remove the column “\(column.name)”")
      }
      return
    }
    if entity.relationship(column.attribute) != nil {
      throw ImportError(
        .usage, "\(entity.name).\(column.attribute) is a relationship", file: file.name, at: column.place,
        advice: "name what its values are: --link \(column.attribute)=ENTITY.ATTRIBUTE")
    }
    let names = entity.attributes.filter { $0.derivation == nil }.map(\.name).joined(separator: ", ")
    throw ImportError(
      .usage, "\(entity.name) has no attribute “\(column.attribute)” for the column “\(column.name)”", file: file.name,
      at: column.place, advice: "it has \(names); add one with “daybook model --apply”, or remove the column")
  }

  /// Returns the declaration of a new entity. Only the key is required: a later file may lack other values.
  private static func entity(_ table: TableEntity, isKey key: [String], isTop: Bool) -> Entity {
    let names = ["name", "title"]
    let name = table.columns.first { $0.type == .string && names.contains($0.attribute) }?.attribute
    return Entity(
      name: table.name, nameAttribute: name,
      attributes: table.columns.map { column in
        Attribute(name: column.attribute, type: column.type, isOptional: !isTop || !key.contains(column.attribute))
      }, unique: isTop && !key.isEmpty ? [key] : [])
  }

  private static func addChildren(of table: TableEntity, to model: inout Model) {
    guard let place = model.entities.firstIndex(where: { $0.name == table.name }) else { return }
    for child in table.children {
      model.entities[place].relationships.append(
        Relationship(
          name: child.relationship, target: child.entity.name, inverse: child.inverse, isMany: child.isMany,
          isOptional: !child.isMany, isOrdered: child.isMany, deleteRule: .cascade))
      if let other = model.entities.firstIndex(where: { $0.name == child.entity.name }) {
        model.entities[other].relationships.append(
          Relationship(name: child.inverse, target: table.name, inverse: child.relationship, isOptional: true))
      }
      addChildren(of: child.entity, to: &model)
    }
  }
}

#endif
