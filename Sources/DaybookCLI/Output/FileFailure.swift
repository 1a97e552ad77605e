#if Command

import Foundation

/// A file that could not be read or written.
struct FileFailure: Error, CustomStringConvertible {
  /// The failed action, with the path.
  let action: String
  /// The number of the error.
  let code: Int32
  var advice: String?
  /// Whether standard output could not be written.
  var isOfOutput = false

  init(_ action: String, code: Int32 = errno, advice: String? = nil) {
    self.action = action
    self.code = code
    self.advice = advice
  }

  var description: String { "\(action): \(String(cString: strerror(code)))." }
}

/// The reader of the command's output has closed it; the command ends without an error.
struct BrokenPipe: Error {}

/// The exit statuses of the command besides 0, and the 64 of ArgumentParser for wrong usage.
enum ExitStatus {
  /// The store refused the command.
  static let refused: Int32 = 1
  /// Input or output failed.
  static let inputOutput: Int32 = 74
}

#endif
