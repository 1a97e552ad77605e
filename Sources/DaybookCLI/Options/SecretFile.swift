#if Command

import Foundation

/// A file of its own that only its owner can read.
struct SecretFile {
  let path: String

  /// Creates the file among the temporary files.
  ///
  /// - Throws: `CocoaError` if that is not possible.
  init(text: String, named name: String) throws {
    let directory = FileManager.default.temporaryDirectory
    path = directory.appendingPathComponent("\(name)-\(UUID().uuidString.lowercased())").path
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
  }

  func remove() {
    // A file that is gone is what is wanted.
    try? FileManager.default.removeItem(atPath: path)
  }
}

#endif
