import DaybookEngine
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// The present time of requests that are read here: the recorded time of a past position, else the clock's; `nil` where
  /// a result must not depend on the time.
  package func now() throws -> Timestamp? {
    let source = if let pending { pending.derived as? any DerivedSource } else { source }
    return try source?.presentTime(for: self)
  }

  /// Returns a request as it is read here, unless its time is set.
  package func timed(_ request: FetchRequest) throws -> FetchRequest {
    // Most requests do not depend on the time, so the clock is not read for them.
    guard request.mayReadTime, request.now == nil else { return request }
    return request.at(try now())
  }
}
