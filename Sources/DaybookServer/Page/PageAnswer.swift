#if Server

import DaybookEngine
import DaybookModel
import DaybookPage
import HTTPTypes
import Hummingbird

/// A file of the page as it is sent: plain and compressed, each with a tag that follows from its bytes.
struct PageAnswer: Sendable {
  private let mediaType: String
  private let plain: Form
  private let compressed: Form

  private struct Form {
    let bytes: [UInt8]
    let tag: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      tag = "\"\(Digest(hashing: bytes.span.bytes))\""
    }
  }

  init(_ file: PageFile) {
    mediaType = file.mediaType
    let contents = file.sentContents
    plain = Form(contents)
    compressed = Form(GzipEncoder.encode(contents))
  }

  /// Returns the answer to a request: the file, or 304 where the client has it.
  func response(to request: Request) -> Response {
    let form = request.headers.takesGzip ? compressed : plain
    var headers: HTTPFields = [.eTag: form.tag, .cacheControl: "no-cache", .vary: "Accept-Encoding"]
    if request.headers.matchTag(form.tag) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = mediaType
    if form.tag == compressed.tag { headers[.contentEncoding] = "gzip" }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: form.bytes)))
  }
}

#endif
