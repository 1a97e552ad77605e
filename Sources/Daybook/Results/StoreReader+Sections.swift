import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension StoreReader {
  /// Returns the sections of a request's result, with the numbers of rows within its limit and offset.
  ///
  ///     let sections = try store.read { try $0.sections(of: request) }
  ///
  /// A request without a section key has one section, whose name is empty.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  /// - Complexity: O(*s* log *n*) for *s* sections if an index has exactly the rows that match, in this order; else, and
  ///   for a past position, O(*n* log *n*) for *n* rows that the plan reads.
  public func sections(of request: Request<some ResultRow>) throws -> [ResultSection] {
    if let derived = try derived(request.fetch.entity) { return try derived.sections(of: request) }
    let base = try RankBase(reader.resolve(request.fetch), in: reader)
    let window = try RankedWindow(RankedKeys(base), in: reader)
    return try window.sections.map { ResultSection(name: $0.name, count: $0.count) }
  }
}
