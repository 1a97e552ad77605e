import Foundation
import Testing

@testable import LMDB

@Suite(.hangLimit) struct DirectoryLockTests {
  /// A process that is being started has copies of all descriptors until it runs its own program.
  @Test func `a released lock is free even if a copy of its descriptor is open`() throws {
    let directory = TemporaryDirectory()
    var lock: DirectoryLock? = try DirectoryLock(directory.path, .openEnvironment)
    #expect(lock?.tryLock(.exclusive, orWithoutLocks: false) == true)
    let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
      .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == directory.path }
      .map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    let other = try DirectoryLock(directory.path, .openEnvironment)
    #expect(!other.tryLock(.exclusive, orWithoutLocks: true))
    lock = nil
    #expect(other.tryLock(.exclusive, orWithoutLocks: false))
  }
}
