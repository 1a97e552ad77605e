import DaybookEngine
import Foundation

/// The lock of the one process of a node that follows the stream: the file `follow.lock` in the store's directory.
///
/// The lock lasts until it is released or its process ends, and then another process takes over.
final class FollowLock: Sendable {
  private let descriptor: CInt

  /// Acquires the lock, or returns `nil` if another process has it.
  ///
  /// - Throws: `StoreError` with the code `inputOutput` if the file cannot be made.
  init?(_ directory: StoreDirectory) throws {
    let path = directory.path + "/follow.lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(systemError: errno, "open", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { Foundation.close(descriptor) }
  }
}
