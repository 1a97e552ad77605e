import Foundation
import LMDB

/// A directory for files that are gone when the work is done, where the system keeps such: `TMPDIR`, else `/tmp`.
///
/// Only its owner can enter it. What a process that was killed leaves behind is removed by the next one.
struct TemporaryStorage: Sendable {
  private let directory: UnfinishedDirectory

  var path: String { directory.path }

  init(prefix: String) throws {
    do {
      directory = try UnfinishedDirectory(in: FileManager.default.temporaryDirectory.path, for: prefix)
    } catch {
      throw StoreError(
        .inputOutput, "Cannot create a temporary directory: \(error)",
        advice: "Set TMPDIR to a directory that can be written to.")
    }
  }

  /// Removes it with all that is in it.
  func remove() { directory.remove() }
}
