#if Command

import Foundation

/// A file that is written under a temporary name, and renamed when it is complete.
final class NewFile {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    temporaryPath = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure("Cannot create \(path)") }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw FileFailure("Cannot write to \(path)") }
        rest = rest.dropFirst(count)
      }
    }
  }

  func finish() throws {
    guard fsync(descriptor) == 0 else { throw FileFailure("Cannot write to \(path)") }
    guard rename(temporaryPath, path) == 0 else { throw FileFailure("Cannot create \(path)") }
    close(descriptor)
  }

  func discard() {
    close(descriptor)
    unlink(temporaryPath)
  }
}

#endif
