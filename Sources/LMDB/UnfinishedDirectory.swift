#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A directory for unfinished work: it is renamed at the end, or removed.
///
/// A process that is killed leaves its directory, and the next process that creates a directory beside it removes it. A
/// lock (`flock`) that ends with the process marks a directory as in use. Only directories with names of this form,
/// `.NAME.RANDOM.unfinished`, are ever removed. The work is done in a directory inside the locked one, because an
/// environment locks its own directory.
package struct UnfinishedDirectory: Sendable {
  private let lock: DirectoryLock

  /// The directory in which the work is done.
  package var path: String { lock.path + "/work" }

  private static let ending = "unfinished"

  /// Creates a directory for its owner only, and removes leftovers of killed processes.
  ///
  /// - Parameters:
  ///   - parent: The parent directory.
  ///   - name: The name of the finished directory.
  /// - Throws: `LMDBError`.
  package init(in parent: String, for name: String) throws(LMDBError) {
    UnfinishedDirectory.removeLeftovers(in: parent)
    while true {
      let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
      let path = "\(parent)/.\(name).\(suffix).\(UnfinishedDirectory.ending)"
      guard unsafe mkdir(path, 0o700) == 0 else { throw LMDBError(code: errno, .createDirectory, path: path) }
      // Before the lock is acquired, another process may remove the directory as a leftover.
      guard let lock = try UnfinishedDirectory.lock(path) else { continue }
      self.lock = lock
      break
    }
    guard unsafe mkdir(path, 0o700) == 0 else {
      let error = LMDBError(code: errno, .createDirectory, path: path)
      remove()
      throw error
    }
  }

  /// Locks a new directory, or returns `nil` if another process has removed it.
  private static func lock(_ path: String) throws(LMDBError) -> DirectoryLock? {
    do throws(LMDBError) {
      let lock = try DirectoryLock(path, .createDirectory)
      lock.lock(.exclusive)
      return try FileIdentity(ofFileAt: path) == lock.identity() ? lock : nil
    } catch {
      if error.kind == .noSuchFile { return nil }
      unsafe rmdir(path)
      throw error
    }
  }

  /// Removes the directory with its contents; a directory that was already renamed stays.
  package func remove() {
    // A later process removes what this call cannot.
    try? removeTree(lock.path)
  }

  /// Removes the directories that are not in use; later calls remove what this one cannot.
  private static func removeLeftovers(in parent: String) {
    guard let names = try? directoryEntries(parent) else { return }
    for name in names where isUnfinished(name) {
      // Without locks, a leftover cannot be distinguished from a directory in use.
      guard let lock = try? DirectoryLock("\(parent)/\(name)", .removeFile),
        lock.tryLock(.exclusive, orWithoutLocks: false)
      else { continue }
      try? removeTree(lock.path)
    }
  }

  private static func isUnfinished(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isEmpty, parts[parts.count - 1] == ending else { return false }
    let random = parts[parts.count - 2]
    return (1...13).contains(random.count) && UInt64(random, radix: 36) != nil
  }
}
