import Foundation

/// Reading files that the command line names.
enum InputFile {
  /// The bytes of a file; `-` is standard input.
  ///
  /// - Throws: ``FileFailure`` with the path and what the system says.
  static func bytes(at path: String) throws -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("Cannot open \(path)") }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure("Cannot read \(path)") }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
