import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

extension Reader {
  /// Resolves the names in a request.
  package func resolve(_ request: FetchRequest) throws -> ResolvedRequest {
    try ResolvedRequest(checking: request, in: model)
  }

  /// Returns the result of a request.
  func fetch(_ request: FetchRequest, at position: Position, usesConstraints: Bool = true) throws -> FetchedResults {
    var sections = SectionRun<StoredObject>(isSectioned: request.section != nil)
    try forEachObject(in: request, usesConstraints: usesConstraints) { object, section in
      sections.append(object, to: section)
      return true
    }
    return FetchedResults(
      position: position, sections: sections.all.map { FetchedResults.Section(name: $0.name, objects: $0.rows) })
  }

  /// Calls `body` with each object of a result and its section name, until it returns `false`.
  func forEachObject(
    in request: FetchRequest, usesConstraints: Bool = true, _ body: (StoredObject, String) throws -> Bool
  ) throws {
    try forEachRow(in: request, usesConstraints: usesConstraints) { key, section in
      guard let object = try object(key) else { throw contradiction(in: .indexes) }
      return try body(object, section)
    }
  }

  /// Calls `body` with each row of a result and its section name, until it returns `false`.
  private func forEachRow(
    in request: FetchRequest, usesConstraints: Bool = true, _ body: (ObjectKey, String) throws -> Bool
  ) throws {
    let resolved = try resolve(request)
    let executor = FetchExecutor(resolved, reader: self, usesConstraints: usesConstraints)
    var source = ReaderSource(reader: self)
    // Local copies, because each access to the request would copy all of it for each row.
    let (entity, hasSections) = (resolved.entity, request.section != nil)
    try executor.forEachRow { row in
      let key = ObjectKey(entity: entity, id: row.id)
      guard hasSections else { return try body(key, "") }
      let values = row.values.isEmpty ? try resolved.sortValues(of: key, in: &source) : row.values
      return try body(key, resolved.sectionName(of: values))
    }
  }

  /// Returns the ids of a request's result by section.
  func ids(of request: FetchRequest) throws -> SectionedIDs<ObjectID> {
    var sections = SectionRun<ObjectID>(isSectioned: request.section != nil)
    try forEachRow(in: request) { key, section in
      sections.append(key.id, to: section)
      return true
    }
    return SectionedIDs(sections: sections.all.map { SectionedIDs.Section(name: $0.name, ids: $0.rows) })
  }
}

/// Collects ordered rows by section.
private struct SectionRun<Row> {
  private(set) var all: [(name: String, rows: [Row])]
  private let isSectioned: Bool

  /// - Parameter isSectioned: Whether there are sections; if not, there is one section without a name.
  init(isSectioned: Bool) {
    self.isSectioned = isSectioned
    all = isSectioned ? [] : [("", [])]
  }

  mutating func append(_ row: Row, to section: String) {
    // Sections are distinguished by bytes: names that look the same may have different bytes.
    if isSectioned, all.last.map({ !equalBytes($0.name, section) }) ?? true { all.append((section, [])) }
    all[all.count - 1].rows.append(row)
  }
}
