#if Server

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

  /// Creates an answer with bytes, compressed for a client that takes gzip.
  ///
  /// It is called on a thread for blocking work. A small answer is sent as it is, since its packet is no smaller, and so is a
  /// very large one, whose compression would hold the thread for long.
  init(_ bytes: [UInt8], type: String, headers: HTTPFields, answering request: Request) {
    var headers = headers
    headers[.vary] = "Accept-Encoding"
    guard Self.compressedSizes.contains(bytes.count), request.headers.takesGzip else {
      self.init(bytes, type: type, headers: headers)
      return
    }
    headers[.contentEncoding] = "gzip"
    self.init(GzipEncoder.encode(bytes, effort: .quick), type: type, headers: headers)
  }

  /// The sizes of answers that are compressed, in bytes.
  private static let compressedSizes = (1 << 10)...(8 << 20)
}

#endif
