import DaybookModel
import DaybookQuery

/// One of several requests that are followed together: the rows of a result, or a measure over them.
package struct JointRequest: Hashable, Sendable {
  /// The request for the rows.
  package let request: FetchRequest
  /// The measure over the rows; `nil` for the rows themselves.
  package let measure: Aggregation?

  /// The most requests that are followed together.
  package static let maximumCount = 32

  /// Returns a request for the differences of a result.
  package static func rows(of request: FetchRequest) -> JointRequest {
    JointRequest(request: request, measure: nil)
  }

  /// Returns a request for the values of a measure over a result.
  package static func value(_ measure: Aggregation, of request: FetchRequest) -> JointRequest {
    JointRequest(request: request, measure: measure)
  }

  /// - Throws: `StoreError` with the code `badRequest` for no requests, and for more than ``maximumCount``.
  static func check(_ requests: [JointRequest]) throws(StoreError) {
    guard (1...maximumCount).contains(requests.count) else {
      throw StoreError(
        .badRequest, "\(requests.count) requests cannot be followed together.",
        advice: "Give 1 to \(maximumCount) requests.")
    }
  }
}
