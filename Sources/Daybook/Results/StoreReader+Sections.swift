import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension StoreReader {
  /// Returns the sections of a request's result, with the numbers of their rows.
  func sections(of request: FetchRequest) throws -> [ResultSection] {
    // Indexes have counts of committed rows alone.
    guard isOfStore else {
      return try fetch(request).sections.map { ResultSection(name: $0.name, count: $0.rows.count) }
    }
    if let derived = try derived(request.entity) { return try derived.sections(of: request) }
    let base = try RankBase(reader.resolve(timed(request)), in: reader)
    let window = try RankedWindow(RankedKeys(base), in: reader)
    return try window.sections.map { ResultSection(name: $0.name, count: $0.count) }
  }
}
