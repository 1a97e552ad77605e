#if Import

/// The names that a file has for the entities and fields of its source, where the source has given them others.
///
/// A SQLite file can have names that no model allows, so its source has names of its own. Users know the file's.
package struct FileNames: Sendable {
  /// The file's names, by `Entity` or `Entity.field` of the source.
  private let names: [String: String]

  /// - Parameter names: The file's names, by `Entity` or `Entity.field` of the source.
  package init(_ names: [String: String] = [:]) {
    self.names = names
  }

  /// Returns the place in the source for a place that may have the file's names: `Order Details.order_id`.
  func place(_ place: String) -> String {
    if names[place] != nil { return place }
    let found = names.keys.sorted().first { key in fileName(of: key) == place }
    return found ?? place
  }

  /// Returns the whole name that the file has for a place.
  private func fileName(of key: String) -> String? {
    guard let end = key.firstIndex(of: "."), let field = names[key] else { return names[key] }
    return "\(names[String(key[..<end])] ?? String(key[..<end])).\(field)"
  }

  /// Gives the entities and fields of a report the file's names.
  func apply(to report: inout ImportReport) {
    for place in report.entities.indices {
      let entity = report.entities[place].name
      for number in report.entities[place].attributes.indices {
        let field = report.entities[place].attributes[number].name
        report.entities[place].attributes[number].name = names["\(entity).\(field)"] ?? field
      }
      for number in report.entities[place].relationships.indices {
        let field = report.entities[place].relationships[number].name
        report.entities[place].relationships[number].name = names["\(entity).\(field)"] ?? field
      }
      report.entities[place].name = names[entity] ?? entity
    }
  }
}

#endif
