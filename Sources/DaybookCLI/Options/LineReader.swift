#if Command

import Daybook
import DaybookTools
import Foundation

/// Reads lines from a file, or from a pipe as they arrive.
struct LineReader: OperationSource {
  private let file: InputDescriptor
  private let path: String
  private var bytes: [UInt8] = []
  /// The offset of the next line.
  private var start = 0
  /// The offset up to which there is no end of a line.
  private var searched = 0
  private var isAtEnd = false

  /// The longest line: as large as a commit can be.
  private static let maximumLineSize = 256 << 20

  /// - Parameter path: The file; `-` is standard input.
  init(path: String) throws {
    self.path = path == "-" ? "standard input" : path
    file = try InputDescriptor(path: path)
  }

  mutating func next() throws -> [UInt8]? {
    while true {
      if let end = findEnd() {
        let line = [UInt8](bytes[start..<end])
        start = end + 1
        searched = start
        return line
      }
      if isAtEnd { return takeRest() }
      try fill()
    }
  }

  mutating func isReady() throws -> Bool {
    while findEnd() == nil, !isAtEnd {
      guard file.hasInput() else { return false }
      try fill()
    }
    return true
  }

  /// Returns the last line, which need not be terminated.
  private mutating func takeRest() -> [UInt8]? {
    guard start < bytes.count else { return nil }
    let line = [UInt8](bytes[start...])
    start = bytes.count
    searched = start
    return line
  }

  private mutating func findEnd() -> Int? {
    let found = bytes.withUnsafeBytes { buffer -> Int? in
      guard searched < buffer.count, let base = buffer.baseAddress else { return nil }
      return memchr(base + searched, 0x0a, buffer.count - searched).map { UnsafeRawPointer($0) - base }
    }
    if found == nil { searched = bytes.count }
    return found
  }

  private mutating func fill() throws {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    guard bytes.count < LineReader.maximumLineSize else {
      throw StoreError(.tooLarge, "A line of \(path) has more than \(LineReader.maximumLineSize) bytes.")
    }
    let count = file.read(appendingTo: &bytes)
    guard count >= 0 else { throw FileFailure("Cannot read \(path)") }
    if count == 0 { isAtEnd = true }
  }
}

/// A file that is open for reading, closed when the object is released.
final class InputDescriptor {
  private let descriptor: Int32
  /// What one call reads; a pipe often has a line or two.
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)

  /// - Parameter path: The file; `-` is standard input.
  init(path: String) throws {
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("Cannot open \(path)") }
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// Reads the available bytes, and waits if no byte is available.
  ///
  /// - Returns: The number of bytes, zero at the end, or -1 with `errno` if it failed.
  func read(appendingTo bytes: inout [UInt8]) -> Int {
    while true {
      let count = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Returns whether reading would not wait.
  func hasInput() -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Foundation.poll(&poll, 1, 0) > 0
  }
}

/// Reading files that the command line names.
enum InputFile {
  /// Returns the bytes of a file; `-` is standard input.
  ///
  /// - Throws: ``FileFailure`` with the path and the system's message.
  static func bytes(at path: String) throws -> [UInt8] {
    let file = try InputDescriptor(path: path)
    var bytes: [UInt8] = []
    while true {
      let count = file.read(appendingTo: &bytes)
      guard count >= 0 else { throw FileFailure("Cannot read \(path)") }
      if count == 0 { return bytes }
    }
  }

  /// Returns the model in a file; `-` is standard input.
  ///
  /// - Throws: ``FileFailure``; `StoreError` with the code `badModel`, which names the import of a file that another
  ///   program wrote.
  static func model(at path: String) throws -> Model {
    let bytes = try bytes(at: path)
    do {
      return try Model(parsing: bytes)
    } catch {
      throw StoreError(.badModel, "\(error)", advice: ForeignFile.advice(for: bytes).map { .text($0) })
    }
  }
}

#endif
