/// A file of the page, as it was compiled into the program.
package struct PageFile: Sendable {
  /// The name under which other files of the page refer to it: `page.js`.
  package let name: String
  package let contents: [UInt8]

  package init(_ name: String, _ contents: [UInt8]) {
    self.name = name
    self.contents = contents
  }

  /// The media type, from the extension of the name.
  package var mediaType: String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
