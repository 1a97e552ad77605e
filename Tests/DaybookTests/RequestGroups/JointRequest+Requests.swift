@testable import Daybook

extension JointRequest {
  static func rows(of request: Request<StoredObject>) -> JointRequest {
    JointRequest(request: request.fetch, measure: nil)
  }

  static func value(of measure: Measure<StoredObject>) -> JointRequest { measure._followed.request }
}

extension JointChange {
  /// The difference of a request that is followed for its rows, if they changed.
  func change(of request: Request<StoredObject>) -> ResultsChange? { change(of: request.fetch) }

  /// The value of a measure, if it is a new one.
  func value(of measure: Measure<StoredObject>) -> LiveValue? { value(measure.aggregation, of: measure.request.fetch) }
}
