import DaybookModel
import HTTPTypes
import Hummingbird

extension Response {
  /// Creates an answer with a JSON value.
  package init(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, type: String = "application/json", headers: HTTPFields = [:]
  ) {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    self.init(bytes, status: status, type: type, headers: headers)
  }

  /// Creates an answer with bytes.
  init(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, type: String, headers: HTTPFields = [:]) {
    var headers = headers
    headers[.contentType] = type
    self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
