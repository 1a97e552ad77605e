import DaybookDiff
import DaybookModel
import DaybookQuery

/// The answer to a request: sections of objects, at a position. A value that does not change when the store does.
///
///     let results = try store.fetch(request)
///     results[RowPath(section: 0, row: 2)]["name"]
///     results.path(of: cake)
///
/// It holds all objects; for answers of any size, read in pages as they are looked at, see ``LiveResults``.
public struct FetchedResults: Sendable, Hashable {
  /// The state of the store that it was read from.
  public let position: Position
  /// The sections in order. A request without a section key has one, whose name is empty, even over no objects.
  public let sections: [Section]

  /// A section of an answer.
  public struct Section: Sendable, Hashable {
    /// The name of the section; empty where the request has no sections.
    public let name: String
    /// The objects in their order.
    public let objects: [StoredObject]
  }

  /// All objects, section by section.
  public var objects: [StoredObject] { sections.flatMap(\.objects) }

  /// The number of objects.
  public var count: Int { sections.reduce(0) { $0 + $1.objects.count } }

  /// The object at an index path, which must be one of the answer.
  public subscript(path: RowPath) -> StoredObject { sections[path.section].objects[path.row] }

  /// Where an object is; nil if it is not in the answer.
  ///
  /// - Complexity: O(*n*).
  public func path(of id: ObjectID) -> RowPath? {
    for (section, rows) in sections.enumerated() {
      if let row = rows.objects.firstIndex(where: { $0.id == id }) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  /// The ids by section: what differences are applied to.
  public var ids: SectionedIDs<ObjectID> {
    SectionedIDs(sections: sections.map { SectionedIDs.Section(name: $0.name, ids: $0.objects.map(\.id)) })
  }

  /// The titles of an index beside a list: for each section the first character of its name in upper case, each once.
  public var sectionIndexTitles: [String] { SectionIndex.titles(of: sections.map(\.name)) }
}

extension Reader {
  /// Looks the names in a request up.
  package func resolve(_ request: FetchRequest) throws -> ResolvedRequest {
    try ResolvedRequest(checking: request, in: model)
  }

  /// Answers a request.
  func fetch(_ request: FetchRequest, at position: Position, usesConstraints: Bool = true) throws -> FetchedResults {
    var sections = SectionRun<StoredObject>(isSectioned: request.section != nil)
    try forEachObject(in: request, usesConstraints: usesConstraints) { object, section in
      sections.append(object, to: section)
      return true
    }
    return FetchedResults(
      position: position, sections: sections.all.map { FetchedResults.Section(name: $0.name, objects: $0.rows) })
  }

  /// Walks the answer to a request, each object with the name of its section, until `body` returns false.
  func forEachObject(
    in request: FetchRequest, usesConstraints: Bool = true, _ body: (StoredObject, String) throws -> Bool
  ) throws {
    try forEachRow(in: request, usesConstraints: usesConstraints) { key, section in
      guard let object = try object(key) else { throw contradiction(in: .views) }
      return try body(object, section)
    }
  }

  /// Walks the rows that answer a request, each with the name of its section, until `body` returns false.
  private func forEachRow(
    in request: FetchRequest, usesConstraints: Bool = true, _ body: (ObjectKey, String) throws -> Bool
  ) throws {
    let resolved = try resolve(request)
    let executor = FetchExecutor(resolved, reader: self, usesConstraints: usesConstraints)
    var source = ReaderSource(reader: self)
    // Locals, as a look into the request copies all of it for each row.
    let (entity, hasSections) = (resolved.entity, request.section != nil)
    try executor.forEachRow { row in
      let key = ObjectKey(entity: entity, id: row.id)
      guard hasSections else { return try body(key, "") }
      let values = row.values.isEmpty ? try resolved.sortValues(of: key, in: &source) : row.values
      return try body(key, resolved.sectionName(of: values))
    }
  }

  /// The ids of a request's result by section.
  func ids(of request: FetchRequest) throws -> SectionedIDs<ObjectID> {
    var sections = SectionRun<ObjectID>(isSectioned: request.section != nil)
    try forEachRow(in: request) { key, section in
      sections.append(key.id, to: section)
      return true
    }
    return SectionedIDs(sections: sections.all.map { SectionedIDs.Section(name: $0.name, ids: $0.rows) })
  }
}

/// Rows that come in order, put together by section.
private struct SectionRun<Row> {
  private(set) var all: [(name: String, rows: [Row])]
  private let isSectioned: Bool

  /// - Parameter isSectioned: Whether there are sections; else there is one, without a name.
  init(isSectioned: Bool) {
    self.isSectioned = isSectioned
    all = isSectioned ? [] : [("", [])]
  }

  mutating func append(_ row: Row, to section: String) {
    // Sections are told apart by bytes: names that look the same may differ in them.
    if isSectioned, all.last.map({ !equalBytes($0.name, section) }) ?? true { all.append((section, [])) }
    all[all.count - 1].rows.append(row)
  }
}

extension CommitBuilder {
  func fetch(_ request: FetchRequest) throws -> FetchedResults {
    try fold.settle()
    return try reader.fetch(request, at: Position(writer.position.number - 1), usesConstraints: false)
  }
}

extension ResolvedRequest {
  /// Looks the names in a request up.
  ///
  /// - Throws: `StoreError` with the code `badRequest`.
  convenience init(checking request: FetchRequest, in model: ResolvedModel) throws(StoreError) {
    do {
      try self.init(request, in: model)
    } catch {
      throw StoreError(.badRequest, "\(error)")
    }
  }
}
