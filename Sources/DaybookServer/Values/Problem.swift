import DaybookModel
import HTTPTypes
import Hummingbird

/// A request that cannot be answered, as a problem document (RFC 9457).
struct Problem: Error, HTTPResponseError {
  let status: HTTPResponse.Status
  /// What was wrong, with the value concerned.
  let detail: String
  /// What to do next.
  var advice: String?
  /// The parameter that was wrong, if one was.
  var parameter: String?
  var headers = HTTPFields()

  init(_ status: HTTPResponse.Status, _ detail: String, advice: String? = nil, parameter: String? = nil) {
    self.status = status
    self.detail = detail
    self.advice = advice
    self.parameter = parameter
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var members: [(key: String, value: JSONValue)] = [
      ("title", .string(status.reasonPhrase)), ("status", .integer(Int64(status.code))), ("detail", .string(detail)),
    ]
    if let advice { members.append(("advice", .string(advice))) }
    if let parameter { members.append(("parameter", .string(parameter))) }
    return Response(.object(members), status: status, type: "application/problem+json", headers: headers)
  }
}
