#if Server

import Daybook
import DaybookModel
import HTTPTypes
import Hummingbird
import Logging

/// A request that cannot be answered, as a problem document (RFC 9457).
///
/// Beside the members of the standard it has `advice`, what to do next, and the place in the input: `parameter` with the
/// `column` in its value, counted from 1, or the JSON pointer (RFC 6901) to a part of the body. Where a write would break a
/// rule of the model, `failure` has the entity, the object, its fields, the rule and the value.
package struct Problem: Error, HTTPResponseError {
  package let status: HTTPResponse.Status
  /// What was wrong, with the value concerned.
  var detail: String
  /// What to do next.
  var advice: String?
  /// The parameter or header that was wrong, if one was.
  var parameter: String?
  /// The faulty character of the parameter's value, from 1.
  var column: Int?
  /// The faulty part of the body, as a JSON pointer.
  var pointer: String?
  /// The rule of the model that a write would break.
  var failure: ConstraintFailure?
  /// What the log has in the place of ``detail``: the state of the store, whose files are not the client's to know.
  var cause: String?
  /// Further members, of the operation that cannot be carried out.
  package var members: [(key: String, value: JSONValue)] = []
  var headers = HTTPFields()

  /// - Parameter seconds: After how many seconds the client may ask again; `nil` if that changes nothing.
  package init(
    _ status: HTTPResponse.Status, _ detail: String, advice: String? = nil, parameter: String? = nil,
    retryAfter seconds: Int? = nil
  ) {
    self.status = status
    self.detail = detail
    self.advice = advice
    self.parameter = parameter
    if let seconds { headers[.retryAfter] = "\(seconds)" }
  }

  /// The members of the document.
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("title", .string(status.reasonPhrase)), ("status", .integer(Int64(status.code))), ("detail", .string(detail)),
    ]
    if let advice { members.append(("advice", .string(advice))) }
    if let parameter { members.append(("parameter", .string(parameter))) }
    if let column { members.append(("column", .integer(Int64(column)))) }
    if let pointer { members.append(("pointer", .string(pointer))) }
    if let failure { members.append(("failure", failure.json)) }
    members += self.members
    return .object(members)
  }

  /// Reports a failure of the server, and what the client does not receive.
  func log(to logger: Logger) {
    guard cause != nil || status.code >= 500 else { return }
    logger.error("request failed", metadata: ["error": "\(cause ?? detail)"])
  }

  package func response(from request: Request, context: some RequestContext) throws -> Response {
    Response(json, status: status, type: "application/problem+json", headers: headers)
  }
}

#endif
