#if Import

import Foundation

/// A copy of a database with its `-wal` and `-journal` in a directory that only this user can read.
///
/// The copy is removed with this object.
final class PrivateCopy: Sendable {
  let path: String
  private let directory: String

  /// Copies the files.
  ///
  /// - Throws: ``ImportError`` if a file cannot be copied, or changes meanwhile.
  init(of path: String) throws(ImportError) {
    directory =
      FileManager.default.temporaryDirectory.appendingPathComponent("daybook-import-\(UUID().uuidString)").path
    self.path = directory + "/store"
    let suffixes = ["", "-wal", "-journal"].filter { FileBytes.exists(path + $0) }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let before = try suffixes.map { try FileBytes.state(of: path + $0) }
      for suffix in suffixes {
        let source = URL(fileURLWithPath: path + suffix).resolvingSymlinksInPath().path
        try FileManager.default.copyItem(atPath: source, toPath: self.path + suffix)
        // The source can be write-protected, and SQLite writes to the copy.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: self.path + suffix)
      }
      guard try suffixes.map({ try FileBytes.state(of: path + $0) }) == before else {
        throw ImportError(.inputOutput, "\(path) changed while it was copied; close the application that uses it")
      }
    } catch {
      try? FileManager.default.removeItem(atPath: directory)  // The error that is thrown matters more.
      if let error = error as? ImportError { throw error }
      throw ImportError(
        .inputOutput,
        "\(path) cannot be copied to \(directory) (\(error.localizedDescription)); free space there, or set TMPDIR")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)  // A copy that stays harms nothing, and there is no caller.
  }
}

#endif
