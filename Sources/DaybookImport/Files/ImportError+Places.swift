#if Import

import Foundation

extension ImportError {
  /// Makes an error at a place of a text.
  ///
  /// - Parameters:
  ///   - message: The fault, with the value concerned.
  ///   - file: The file; without one, the message has the line only.
  ///   - advice: The next step.
  init(_ kind: Kind, _ message: String, file: String? = nil, at place: TextPlace? = nil, advice: String? = nil) {
    let parts = [file, place.map { "line \($0.line)" }, place.map { "column \($0.column)" }].compactMap { $0 }
    let origin = parts.isEmpty ? "" : parts.joined(separator: ", ") + ": "
    self.init(kind, origin + message + (advice.map { "; \($0)" } ?? ""))
  }

  /// Makes the error for a file that the system refuses to open or to read.
  init(unreadable path: String, _ error: any Error) {
    self.init(
      .inputOutput, "the file cannot be read (\(ImportError.reason(of: error)))", file: path,
      advice: "check the path and the permissions")
  }

  private static func reason(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain != NSPOSIXErrorDomain else { return String(cString: strerror(Int32(cause.code))) }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileReadNoSuchFile, .fileNoSuchFile: return "there is no such file"
    case .fileReadNoPermission: return "permission is denied"
    default: return error.localizedDescription
    }
  }
}

#endif
