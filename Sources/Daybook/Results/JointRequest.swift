import DaybookModel
import DaybookQuery

/// One of several requests that are followed together: the rows of a result, or a measure over them.
///
///     let requests: [JointRequest] = [.rows(of: byType), .value(.count, of: all), .value(.sum("servings"), of: all)]
///     for try await step in store.together(requests, from: saved) { ... }
public struct JointRequest: Hashable, Sendable {
  /// The request for the rows.
  public let request: FetchRequest
  /// The measure over the rows; `nil` for the rows themselves.
  public let measure: Measure?

  /// The most requests that are followed together.
  public static let maximumCount = 32

  /// Returns a request for the differences of a result.
  public static func rows(of request: FetchRequest) -> JointRequest {
    JointRequest(request: request, measure: nil)
  }

  /// Returns a request for the values of a measure over a result.
  public static func value(_ measure: Measure, of request: FetchRequest) -> JointRequest {
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
