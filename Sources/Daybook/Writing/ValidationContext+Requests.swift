import DaybookModel
import DaybookRuntime

extension ValidationContext: ObjectReader {
  /// Returns the result of a request in the state after the commit.
  ///
  /// Its rows cannot read related objects themselves, but contain the objects that the request prefetches.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try rows(of: fetch(request.fetch), request, from: nil)
  }
}
