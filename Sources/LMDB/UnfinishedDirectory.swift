#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A directory for work that is not finished: it gets its final name at the end, or is removed.
///
/// A process that is killed leaves its directory behind, and the next one that makes a directory beside it removes it.
/// What is in use is told by a lock (`flock`) that ends with the process. Only directories with names of this form,
/// `.NAME.RANDOM.unfinished`, are ever removed. The work is done in a directory inside of the locked one, because an
/// environment locks its own directory.
package struct UnfinishedDirectory: Sendable {
  private let lock: DirectoryLock

  /// Where the work is done.
  package var path: String { lock.path + "/work" }

  private static let ending = "unfinished"

  /// Makes a directory that only its owner can enter, and removes those that killed processes left beside it.
  ///
  /// - Parameters:
  ///   - parent: Where it will be.
  ///   - name: What it is for.
  /// - Throws: `LMDBError`.
  package init(in parent: String, for name: String) throws(LMDBError) {
    UnfinishedDirectory.removeLeftovers(in: parent)
    while true {
      let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
      let path = "\(parent)/.\(name).\(suffix).\(UnfinishedDirectory.ending)"
      guard mkdir(path, 0o700) == 0 else { throw LMDBError(code: errno, .createDirectory, path: path) }
      // Another process may take it for a leftover before it is locked, and remove it.
      guard let lock = try UnfinishedDirectory.lock(path) else { continue }
      self.lock = lock
      break
    }
    guard mkdir(path, 0o700) == 0 else {
      let error = LMDBError(code: errno, .createDirectory, path: path)
      remove()
      throw error
    }
  }

  /// Locks a directory that was just made; nil if another process has removed it.
  private static func lock(_ path: String) throws(LMDBError) -> DirectoryLock? {
    do throws(LMDBError) {
      let lock = try DirectoryLock(path, .createDirectory)
      lock.lock(.exclusive)
      return try FileIdentity(ofFileAt: path) == lock.identity() ? lock : nil
    } catch {
      if error.kind == .noSuchFile { return nil }
      rmdir(path)
      throw error
    }
  }

  /// Removes it with all that is in it; what has its final name by now stays.
  package func remove() {
    // What cannot be removed now is removed by a later process.
    try? removeTree(lock.path)
  }

  /// Removes the directories that no process uses any more. What cannot be removed is left to later ones.
  private static func removeLeftovers(in parent: String) {
    guard let names = try? directoryEntries(parent) else { return }
    for name in names where isUnfinished(name) {
      // Where there are no locks, none can be told from one that is in use.
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
