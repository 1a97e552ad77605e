/// Reading files that the command line names.
enum InputFile {
  /// Returns the bytes of a file; `-` is standard input.
  ///
  /// - Throws: ``FileFailure`` with the path and the system's message.
  static func bytes(at path: String) throws -> [UInt8] {
    let file = try InputDescriptor(path: path)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = chunk.withUnsafeMutableBytes { file.read(into: $0) }
      guard count >= 0 else { throw FileFailure("Cannot read \(path)") }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
