import Synchronization
import Testing

@testable import LMDB

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The lock of the data file that a writer holds besides LMDB's own lock.
///
/// Other descriptors can drop LMDB's lock.
@Suite(.hangLimit) struct WriterLockTests {
  let directory = TemporaryDirectory()

  private func isLocked(_ descriptor: CInt) -> Bool {
    guard lockFile(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
    _ = lockFile(descriptor, LOCK_UN)
    return false
  }

  @Test func `the data file is locked exactly while a write transaction is alive`() throws {
    let environment = try Environment.open(at: directory.path, options: EnvironmentOptions(mapSizeInBytes: 1 << 20))
    let table = try environment.makeTable()
    let descriptor = open(directory.dataFile, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(!isLocked(descriptor))
    var transaction = try environment.beginWrite()
    #expect(isLocked(descriptor))
    // Closing another descriptor of the file does not drop this kind of lock.
    close(open(directory.dataFile, O_RDWR | O_CLOEXEC))
    close(open(directory.path + "/lock.mdb", O_RDWR | O_CLOEXEC))
    #expect(isLocked(descriptor))
    try transaction.put(bytes("a").rawSpan, bytes("b").rawSpan, in: table)
    try transaction.commit()
    #expect(!isLocked(descriptor))
    let aborted = try environment.beginWrite()
    #expect(isLocked(descriptor))
    aborted.abort()
    #expect(!isLocked(descriptor))
    let reading = try environment.beginRead()
    #expect(!isLocked(descriptor))
    reading.end()
  }

  @Test func `a writer waits for the lock before it reads the last commit`() async throws {
    let environment = try Environment.open(at: directory.path, options: EnvironmentOptions(mapSizeInBytes: 1 << 20))
    _ = try environment.makeTable()
    let descriptor = open(directory.dataFile, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(lockFile(descriptor, LOCK_EX) == 0)
    let hasBegun = Flag()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try environment.beginWrite().abort()
          hasBegun.isUp.store(true, ordering: .sequentiallyConsistent)
        } catch { Issue.record(error) }
      }
      usleep(50_000)
      let isEarly = hasBegun.isUp.load(ordering: .sequentiallyConsistent)
      #expect(!isEarly)
      _ = lockFile(descriptor, LOCK_UN)
    }
    let isDone = hasBegun.isUp.load(ordering: .sequentiallyConsistent)
    #expect(isDone)
  }

  @Test func `idle readers give their slots back where many are in use`() throws {
    var options = EnvironmentOptions(mapSizeInBytes: 1 << 20)
    options.maximumReaders = 16
    let environment = try Environment.open(at: directory.path, options: options)
    do {
      var readers: [Reading] = []
      for _ in 0..<12 { readers.append(Reading(try environment.beginRead())) }
    }
    #expect(try environment.readers().count <= 1)
  }

  @Test func `where address space is short the map is smaller`() throws {
    // More than any process has.
    let environment = try Environment.open(at: directory.path, options: EnvironmentOptions(mapSizeInBytes: 1 << 50))
    let table = try environment.makeTable()
    #expect(environment.info.mapSizeInBytes < 1 << 48)
    var transaction = try environment.beginWrite()
    try transaction.put(bytes("a").rawSpan, bytes("b").rawSpan, in: table)
    try transaction.commit()
    #expect(environment.close())
  }

  private final class Flag: Sendable {
    let isUp = Atomic(false)
  }
}
