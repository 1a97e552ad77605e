import DaybookEngine
import Foundation
import LMDB

/// A directory for temporary files in the system's place for them: `TMPDIR`, else `/tmp`.
///
/// Only its owner can access it. Files that a killed process left are removed by the next one.
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

  /// Removes the directory with its contents.
  func remove() { directory.remove() }
}
