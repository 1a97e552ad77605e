import Foundation
import LMDB

/// A directory for files that are gone when the work is done, where the system keeps such: `TMPDIR`, else `/tmp`.
///
/// Only its owner can enter it. A process that is killed leaves it behind.
struct TemporaryStorage {
  let path: String

  init(prefix: String) throws {
    let parent = FileManager.default.temporaryDirectory.path
    path = "\(parent)/\(prefix)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    guard mkdir(path, 0o700) == 0 else {
      throw StoreError(
        .inputOutput, "Cannot create the directory \(path): \(String(cString: strerror(errno))).",
        advice: "Set TMPDIR to a directory that can be written to.")
    }
  }

  /// Removes it with all that is in it.
  func remove() {
    try? removeTree(path)  // What cannot be removed now is left to the system; the work itself is done.
  }
}
