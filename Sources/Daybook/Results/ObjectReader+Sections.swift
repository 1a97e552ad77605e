import DaybookRuntime

extension ObjectReader where Self: ~Copyable {
  /// Returns the sections of a request's result, with the numbers of rows within its limit and offset.
  ///
  ///     let sections = try store.sections(of: request)
  ///
  /// A request without a section key has one section, whose name is empty.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`, `expired`.
  /// - Complexity: O(*s* log *n*) for *s* sections if an index has exactly the rows that match, in this order; else, and
  ///   for a past position, O(*n* log *n*) for *n* rows that the plan reads.
  public func sections(of request: Request<some ResultRow>) throws -> [ResultSection] {
    try read { try $0.sections(of: request.fetch) }
  }
}
