#if Import

import DaybookTestSupport
import Foundation

extension TemporaryDirectory {
  /// Writes a file, with the directories above it, and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], _ name: String = "file") throws -> String {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  @discardableResult
  func write(_ text: String, _ name: String) throws -> String { try write(Array(text.utf8), name) }

  /// Copies a database with its -wal, and returns the path of the copy.
  func copy(_ database: String) throws -> String {
    let name = URL(fileURLWithPath: database).lastPathComponent
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
      try write(SharedData.bytes(database + suffix), name + suffix)
    }
    return path(name)
  }

  /// Returns the bytes of the files in the directory, by name.
  func contents() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      files[name] = try SharedData.bytes(path(name))
    }
    return files
  }
}

#endif
