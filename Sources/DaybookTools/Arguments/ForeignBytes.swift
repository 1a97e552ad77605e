import Foundation

/// Finds arguments and paths of the environment that are not UTF-8.
///
/// A path of the system is a sequence of bytes, and the text of this program is UTF-8: Swift repairs other bytes by
/// U+FFFD, and two different paths would become the same third one.
package enum ForeignBytes {
  /// The variables from which the command, the library or git take paths.
  private static let pathVariables = ["TMPDIR", "HOME", "PATH"]

  /// Returns what is wrong with the arguments and the environment of this program, or `nil` if all are UTF-8; it shows the
  /// argument or the variable with its bytes.
  package static func problem() -> String? {
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[number], let text = escaped(argument) else { continue }
      return
        "Argument \(number) is not UTF-8: “\(text)”. Rename the file, or name it through a link whose path is UTF-8."
    }
    for name in pathVariables + ownVariables() {
      guard let value = getenv(name), let text = escaped(value) else { continue }
      return "The variable \(name) of the environment is not UTF-8: “\(text)”."
    }
    return nil
  }

  /// Returns what is wrong with the working directory, for paths that are made absolute and stored, or `nil` if it is UTF-8.
  package static func workingDirectoryProblem() -> String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return escaped(path).map { "The working directory is not UTF-8: “\($0)”. Give absolute paths." }
  }

  private static func ownVariables() -> [String] {
    ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("DAYBOOK_") }.sorted()
  }

  /// Returns the bytes of a C string with an escape such as `\xe9` for each that is not part of UTF-8, or `nil` if all are.
  static func escaped(_ string: UnsafePointer<CChar>) -> String? {
    let bytes = UnsafeBufferPointer(start: string, count: strlen(string)).map { UInt8(bitPattern: $0) }
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var text = ""
    var rest = bytes[...]
    while let byte = rest.first {
      // A character of UTF-8 has at most four bytes.
      let count = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.count == 1 }
      text += count.map { String(decoding: rest.prefix($0), as: UTF8.self) } ?? "\\x" + hex(byte)
      rest = rest.dropFirst(count ?? 1)
    }
    return text
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
