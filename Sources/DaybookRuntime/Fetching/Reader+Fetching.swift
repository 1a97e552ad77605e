import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

extension Reader {
  /// Resolves the names in a request.
  package func resolve(_ request: FetchRequest) throws -> ResolvedRequest {
    try ResolvedRequest(checking: request, in: model)
  }

  /// Resolves the names in a request, and plans it; adds up the groups of a grouped one, unless their rows are kept.
  ///
  /// - Throws: `StoreError` with the code `badRequest`; for groups the errors of ``GroupState``.
  func executor(of request: FetchRequest, usesConstraints: Bool = true) throws -> FetchExecutor {
    let planned = try planned(request, usesConstraints: usesConstraints)
    guard let grouping = planned.request.grouping else { return FetchExecutor(planned, reader: self) }
    let rows =
      try readingRows(of: grouping)
      ?? GroupState(grouping, in: self, keeping: .none, usesConstraints: usesConstraints).reader(over: self)
    return FetchExecutor(planned, reader: rows)
  }

  /// Resolves and plans a request; the plan of an earlier request of the same shape is used if the reader has it.
  ///
  /// - Throws: `StoreError` with the code `badRequest`.
  private func planned(_ request: FetchRequest, usesConstraints: Bool) throws(StoreError) -> PlannedRequest {
    do throws(QueryError) {
      guard usesConstraints, let plans else {
        return try PlannedRequest(resolving: request, in: model, usesConstraints: usesConstraints)
      }
      return try plans.plan(request, in: model)
    } catch {
      throw StoreError(.badRequest, "\(error)")
    }
  }

  /// Returns the plan of a request in one line.
  ///
  /// - Throws: `StoreError` with the code `badRequest`.
  func explanation(of request: FetchRequest, usesConstraints: Bool = true) throws -> String {
    let planned = try planned(request, usesConstraints: usesConstraints)
    guard let grouping = request.grouping else { return planned.plan.explanation }
    let objects = planned.request.objects
    if let kept = planned.request.grouping?.kept {
      let name = "groups \(model.entities[objects.entity].name).\(kept.groups.name)"
      // The number by which a day or a month is sorted is an attribute that no text can name.
      let plan = planned.plan.explanation
        .replacing(ResolvedModel.hiddenOrderPrefix, with: "").replacing(ResolvedModel.hiddenPrefix, with: "")
      return kept.model == nil ? "all \(name): \(plan)" : "\(name): \(plan)"
    }
    let pass = PlannedRequest(objects, in: model, usesConstraints: usesConstraints).plan.explanation
    let keys = grouping.keys.map(\.name).joined(separator: ", ")
    return "\(pass); \(keys.isEmpty ? "one group" : "groups by \(keys)") in one pass"
  }

  /// Returns the result of a request.
  package func fetch(_ request: FetchRequest, at position: Position, usesConstraints: Bool = true) throws
    -> Results<StoredObject>
  {
    var sections = SectionRun<StoredObject>(isSectioned: request.section != nil, limit: request.limit)
    try forEachObject(in: request, usesConstraints: usesConstraints) { object, section in
      sections.append(object, to: section)
      return true
    }
    return Results(
      position: position, at: request.now,
      sections: sections.finish().map { ListSection(name: $0.name, rows: $0.rows) })
  }

  /// Calls `body` with each object of a result and its section name, until it returns `false`.
  func forEachObject(
    in request: FetchRequest, usesConstraints: Bool = true, _ body: (StoredObject, String) throws -> Bool
  ) throws {
    try forEachRow(in: request, usesConstraints: usesConstraints) { key, section, reader in
      guard let object = try reader.object(key) else { throw contradiction(in: .indexes) }
      return try body(object, section)
    }
  }

  /// Calls `body` with each row of a result, its section name and the reader that has it, until it returns `false`.
  private func forEachRow(
    in request: FetchRequest, usesConstraints: Bool = true, _ body: (ObjectKey, String, Reader) throws -> Bool
  ) throws {
    let executor = try executor(of: request, usesConstraints: usesConstraints)
    let resolved = executor.request
    let reader = executor.reader
    var source = ReaderSource(reader: reader)
    // Local copies, because each access to the request would copy all of it for each row.
    let (entity, hasSections) = (resolved.entity, request.section != nil)
    try executor.forEachRow { row in
      let key = ObjectKey(entity: entity, id: row.id)
      guard hasSections else { return try body(key, "", reader) }
      let values = row.values.isEmpty ? try resolved.sortValues(of: key, in: &source) : row.values
      return try body(key, resolved.sectionName(of: values), reader)
    }
  }

  /// Returns the ids of a request's result by section.
  func ids(of request: FetchRequest, usesConstraints: Bool = true) throws -> SectionedIDs<ObjectID> {
    var sections = SectionRun<ObjectID>(isSectioned: request.section != nil, limit: request.limit)
    try forEachRow(in: request, usesConstraints: usesConstraints) { key, section, _ in
      sections.append(key.id, to: section)
      return true
    }
    return SectionedIDs(sections: sections.finish().map { ListSection(name: $0.name, rows: $0.rows) })
  }
}

/// Collects ordered rows by section.
private struct SectionRun<Row> {
  private var finished: [(name: String, rows: [Row])] = []
  /// The section of the last row; `nil` before the first one of a request with sections.
  private var name: String?
  // Not in the list of sections, where each row would be added through two arrays.
  private var rows: [Row] = []
  private let isSectioned: Bool

  /// The most rows for which there is room from the start.
  private static var maximumReservedCount: Int { 256 }

  /// - Parameters:
  ///   - isSectioned: Whether there are sections; if not, there is one section without a name.
  ///   - limit: The most rows that are added, if there is a limit.
  init(isSectioned: Bool, limit: Int?) {
    self.isSectioned = isSectioned
    if isSectioned { return }
    name = ""
    if let limit { rows.reserveCapacity(min(max(limit, 0), SectionRun.maximumReservedCount)) }
  }

  mutating func append(_ row: Row, to section: String) {
    // Sections are distinguished by bytes: names that look the same may have different bytes.
    if isSectioned, name.map({ !equalBytes($0, section) }) ?? true {
      finishSection()
      name = section
    }
    rows.append(row)
  }

  private mutating func finishSection() {
    guard let name else { return }
    finished.append((name, rows))
    rows = []
  }

  /// Returns all sections.
  consuming func finish() -> [(name: String, rows: [Row])] {
    finishSection()
    return finished
  }
}
