import LMDB
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite(.hangLimit) struct EnvironmentTests {
  let directory = TemporaryDirectory()

  @Test(arguments: [EnvironmentOptions.Flush.full, .relaxed, .none])
  func `what was committed is there after closing and opening`(flush: EnvironmentOptions.Flush) throws {
    let first = try Environment.temporary(directory, flush: flush)
    let table = try first.makeTable()
    try first.write { try $0.put(bytes("key"), bytes("value"), in: table) }
    try first.synchronize()
    #expect(first.close())
    let second = try Environment.temporary(directory, flush: flush)
    let reopened = try #require(try second.openTables(["table", "other"]).first ?? nil)
    #expect(try second.read { try $0.value(bytes("key"), in: reopened) } == bytes("value"))
  }

  @Test func `a second open in the process is refused, under whatever path`() throws {
    let environment = try Environment.temporary(directory)
    let other = TemporaryDirectory()
    let link = other.path + "/link"
    #expect(symlink(directory.path, link) == 0)
    for path in [directory.path, directory.path + "/.", link] {
      #expect(kind { _ = try Environment.open(at: path) } == .alreadyOpen, "\(path)")
    }
    // The refusals have not affected the first environment's lock.
    _ = try environment.makeTable()
    environment.close()
    let again = try Environment.open(at: link, options: EnvironmentOptions(mapSizeInBytes: 1 << 30))
    #expect(again.identity == environment.identity)
  }

  @Test func `an environment that nobody refers to is closed`() throws {
    do { _ = try Environment.temporary(directory) }
    _ = try Environment.temporary(directory)
  }

  @Test func `files are for their owner only and are not inherited`() throws {
    let old = umask(0)
    let environment = try Environment.temporary(directory)
    umask(old)
    for name in ["data.mdb", "lock.mdb"] {
      var status = stat()
      #expect(stat(directory.path + "/" + name, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
    for descriptor in 0..<CInt(256) where FileIdentity.open(descriptor) == environment.identity {
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  @Test func `what cannot be opened is named`() throws {
    let missing = directory.path + "/missing"
    let error = #expect(throws: LMDBError.self) { try Environment.open(at: missing) }
    #expect(error?.kind == .noSuchFile)
    #expect(error?.path == missing)
    let foreign = try #require(fopen(directory.dataFile, "w"))
    fputs(String(repeating: "This is no database. ", count: 1000), foreign)
    fclose(foreign)
    #expect(kind { _ = try Environment.temporary(directory) } == .invalidFile)
    // The failure has left no registration.
    #expect(unlink(directory.dataFile) == 0)
    _ = try Environment.temporary(directory)
  }

  @Test func `a closed environment refuses everything`() throws {
    let environment = try Environment.temporary(directory)
    #expect(environment.close())
    #expect(environment.close())
    #expect(kind { _ = try environment.beginRead() } == .closed)
    #expect(kind { _ = try environment.beginWrite() } == .closed)
    #expect(kind { try environment.synchronize() } == .closed)
    #expect(kind { _ = try environment.openTables(["table"]) } == .closed)
    #expect(kind { _ = try environment.information() } == .closed)
    #expect(kind { try environment.growMap(toAtLeast: 2 << 30) } == .closed)
    #expect(kind { _ = try environment.readers() } == .closed)
  }

  @Test func `closing waits for live transactions, and leaves the environment open if they do not end`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    let reader = try environment.beginRead()
    #expect(!environment.close(waitingAtMost: .milliseconds(20)))
    try environment.write { try $0.put(bytes("key"), bytes("value"), in: table) }
    let snapshot = reader.snapshot
    #expect(try snapshot.value(bytes("key"), in: table) == nil)
    let closer = Thread { environment.close(waitingAtMost: .seconds(20)) }
    usleep(20_000)
    reader.end()
    closer.join()
    #expect(kind { _ = try environment.beginRead() } == .closed)
  }

  @Test func `of several threads that close, all find it closed`() throws {
    let environment = try Environment.temporary(directory)
    let reader = try environment.beginRead()
    let threads = (0..<4).map { _ in Thread { precondition(environment.close(waitingAtMost: .seconds(20))) } }
    usleep(20_000)
    reader.end()
    for thread in threads { thread.join() }
    #expect(environment.close())
  }

  @Test func `the figures tell size, commit and readers`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { try $0.put(bytes("key"), [UInt8](repeating: 1, count: 100_000), in: table) }
    let reader = try environment.beginRead()
    let snapshot = reader.snapshot
    let info = environment.info
    #expect(info.mapSizeInBytes == 1 << 30)
    #expect(info.usedSizeInBytes > 100_000)
    #expect(info.lastTransactionID == 2)
    #expect(snapshot.transactionID == 2)
    #expect(info.liveReaderCount == 1)
    #expect(info.oldestReaderTransactionID == 2)
    let readers = try environment.readers()
    #expect(readers.map(\.processID) == [Int(getpid())])
    reader.end()
    #expect(environment.info.liveReaderCount == 0)
  }

  @Test func `a compacting copy is sound, smaller and equal`() throws {
    let environment = try Environment.temporary(directory)
    let table = try environment.makeTable()
    try environment.write { for index in 0..<5000 { try $0.put(bytes(index), bytes("\(index)"), in: table) } }
    try environment.write { for index in 0..<4500 { _ = try $0.delete(bytes(index), in: table) } }
    let copy = TemporaryDirectory()
    let descriptor = open(copy.dataFile, O_CREAT | O_WRONLY | O_EXCL, 0o600)
    try environment.copyCompacting(to: descriptor)
    close(descriptor)
    #expect(try PageCheck.check(fileAt: copy.dataFile).faults == [])
    let second = try Environment.temporary(copy)
    let copied = try #require(try second.openTables(["table"])[0])
    #expect(try second.read { try $0.entries(in: copied) } == environment.read { try $0.entries(in: table) })
    #expect(second.info.usedSizeInBytes < environment.info.usedSizeInBytes)
  }

  @Test func `a copy onto a full or closed descriptor fails and leaves no reader`() throws {
    let environment = try Environment.temporary(directory)
    _ = try environment.makeTable()
    #expect(throws: LMDBError.self) { try environment.copyCompacting(to: -1) }
    #if os(Linux)
    let full = open("/dev/full", O_WRONLY)
    #expect(kind { try environment.copyCompacting(to: full) } == .diskFull)
    close(full)
    #endif
    #expect(environment.info.liveReaderCount == 0)
    #expect(environment.close(waitingAtMost: .zero))
  }

  @Test func `pages can be read beside the environment, but only through it`() throws {
    let environment = try Environment.temporary(directory)
    _ = try environment.makeTable()
    var page = [UInt8](repeating: 0, count: 4096)
    let count = try page.withUnsafeMutableBytes { try environment.readPages(at: 0, into: $0) }
    #expect(count == 4096)
    #expect(Array(page[16..<20]) == [0xDE, 0xC0, 0xEF, 0xBE])
    #expect(try environment.readPages(at: 1 << 40, into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == 0)
    #expect(kind { _ = try RawFile(at: directory.dataFile) } == .alreadyOpen)
    #expect(kind { _ = try RawFile(at: directory.path + "/lock.mdb") } == .alreadyOpen)
    environment.close()
    let file = try RawFile(at: directory.dataFile)
    let read = try file.read(at: 0, count: 4096)
    #expect(read == page)
    let size = file.sizeInBytes
    #expect(kind { _ = try file.read(at: size - 1, count: 2) } == .endOfFile)
    #expect(kind { _ = try file.read(at: .max, count: 2) } == .endOfFile)
    #expect(kind { _ = try file.read(at: -1, count: 2) } == .endOfFile)
  }

  @Test func `only regular files are read`() throws {
    #expect(kind { _ = try RawFile(at: directory.path) } == .notRegularFile)
    #expect(kind { _ = try RawFile(at: directory.path + "/none") } == .noSuchFile)
    let pipe = directory.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(kind { _ = try RawFile(at: pipe) } == .notRegularFile)
  }
}

extension FileIdentity {
  static func open(_ descriptor: CInt) -> FileIdentity? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
