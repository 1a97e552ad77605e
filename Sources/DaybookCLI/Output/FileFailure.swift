import Foundation

/// A file that could not be read or written.
struct FileFailure: Error, CustomStringConvertible {
  /// The failed action, with the path.
  let action: String
  /// The number of the error.
  let code: Int32
  var advice: String?

  init(_ action: String, code: Int32 = errno, advice: String? = nil) {
    self.action = action
    self.code = code
    self.advice = advice
  }

  var description: String { "\(action): \(String(cString: strerror(code)))." }
}

/// The reader of the command's output has closed it; the command ends without an error.
struct BrokenPipe: Error {}
