import DaybookModel
import DaybookRuntime

extension JointRequest {
  /// Returns a request for the differences of a result.
  public static func rows<Object>(of request: EntityRequest<Object>) -> JointRequest { .rows(of: request.request) }

  /// Returns a request for the values of a measure over a result.
  public static func value<Object>(
    _ measure: EntityMeasure<Object>, of request: EntityRequest<Object>
  ) -> JointRequest {
    .value(measure.measure, of: request.request)
  }
}
