#if Command

import Foundation

/// A temporary file without a name, which holds output until its reader continues.
///
/// Only one thread at a time uses it, which the console's lock ensures.
final class OutputSpool: Sendable {
  private let descriptor: Int32

  private static let pieceSize = 64 << 10

  init() throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/daybook-output-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FileFailure("Cannot create a temporary file") }
    // The file disappears with its descriptor, even if the process is killed.
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  func append(_ bytes: ArraySlice<UInt8>) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw FileFailure("Cannot write to a temporary file") }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Reads all appended bytes, from the beginning.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileFailure("Cannot read a temporary file") }
    var piece = [UInt8](repeating: 0, count: OutputSpool.pieceSize)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure("Cannot read a temporary file") }
      if count == 0 { return }
      try piece.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}

#endif
