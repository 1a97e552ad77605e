import DaybookEngine
import Foundation
import LMDB

/// A private copy of the journal of a store whose volume is mounted read-only.
///
/// Opening a store writes: projections are built, and the journal notes which file of them to trust. On such a volume
/// neither can be done, so all work is on a copy in the system's directory for temporary files. The copy has no
/// projections: those on the volume belong to another mount, and are not trusted there.
///
/// No process may write to the journal through another mount of its volume while it is copied. So the copy is made under
/// the exclusive form of the lock that each process holds on the directory of an environment that it has open.
final class WorkingCopy: Sendable {
  /// The files of the copy.
  let directory: StoreDirectory
  private let storage: TemporaryStorage

  /// Copies the journal of a store if its volume is mounted read-only; nil if it can be written to.
  ///
  /// - Throws: `StoreError`: `busy` if a process has the store open through another mount, `full` or `inputOutput` if
  ///   there is no place for the copy; `LMDBError` if the journal cannot be read.
  /// - Complexity: O(*n*) for *n* bytes of the journal.
  init?(ofReadOnly original: StoreDirectory, progress: ((StoreProgress) -> Void)? = nil) throws {
    guard try isReadOnlyFileSystem(original.journalPath) else { return nil }
    storage = try TemporaryStorage(prefix: "daybook-read-only")
    directory = StoreDirectory(storage.path)
    do {
      let isDone: Void? = try Environment.whileUnused(at: original.journalPath) {
        try directory.makeDirectory(directory.journalPath)
        try copyFile(original.journalFile, to: directory.journalFile, progress: progress)
      }
      guard isDone != nil else {
        throw StoreError(
          .busy, "\(original.path) is on a read-only mount, and another process has it open.",
          advice: "Open it through the mount that the other process uses, or try again when it has closed the store.")
      }
    } catch {
      storage.remove()
      throw error
    }
  }

  /// Removes the files, which no environment must have open any more.
  func remove() { storage.remove() }
}

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
