import LMDB
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite(.hangLimit) struct FileTests {
  let directory = TemporaryDirectory()

  @Test func `a directory appears with all its contents, for its owner only`() throws {
    let path = directory.path + "/store"
    try createDirectoryAtomically(at: path) { temporary in
      #expect(try FileIdentity(ofFileAt: path) == nil)
      #expect(mkdir(temporary + "/journal", 0o700) == 0)
      let environment = try Environment.open(
        at: temporary + "/journal", options: EnvironmentOptions(mapSizeInBytes: 1 << 20))
      _ = try environment.makeTable()
      environment.close()
    }
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    #expect(try directoryEntries(directory.path) == ["store"])
    let environment = try Environment.open(at: path + "/journal", options: EnvironmentOptions(mapSizeInBytes: 1 << 20))
    #expect(try environment.openTables(["table"])[0] != nil)
  }

  @Test func `a failure leaves nothing behind`() throws {
    let path = directory.path + "/store"
    #expect(throws: CancellationError.self) {
      try createDirectoryAtomically(at: path) { temporary in
        #expect(mkdir(temporary + "/inner", 0o700) == 0)
        #expect(symlink("/", temporary + "/inner/link") == 0)
        throw CancellationError()
      }
    }
    #expect(try directoryEntries(directory.path) == [])
    #expect(access("/", F_OK) == 0)
  }

  @Test func `what killed processes left unfinished is removed, and nothing else`() throws {
    let leftovers = [".store.1a2b3c.unfinished", ".another.store.zz.unfinished"]
    let others = [
      ".store.1a2b3c", ".store.unfinished", ".store.A_B.unfinished", "store.1a.unfinished", ".1a.unfinished",
    ]
    for name in leftovers + others {
      #expect(mkdir("\(directory.path)/\(name)", 0o700) == 0)
      #expect(mkdir("\(directory.path)/\(name)/journal", 0o700) == 0)
    }
    let inUse = try UnfinishedDirectory(in: directory.path, for: "store")
    let inUseName = splitPath(splitPath(inUse.path).parent).name
    #expect(try directoryEntries(directory.path) == (others + [inUseName]).sorted())
    try createDirectoryAtomically(at: directory.path + "/store") { _ in }
    #expect(try directoryEntries(directory.path) == (others + [inUseName, "store"]).sorted())
    inUse.remove()
    #expect(try directoryEntries(directory.path) == (others + ["store"]).sorted())
  }

  @Test func `unfinished directories of many threads do not disturb each other`() async throws {
    let path = directory.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            try createDirectoryAtomically(at: "\(path)/\(thread)-\(number)") { temporary in
              #expect(mkdir(temporary + "/inner", 0o700) == 0)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try directoryEntries(path).count == 200)
  }

  @Test func `what exists is not replaced, even if it comes meanwhile`() throws {
    let path = directory.path + "/store"
    let failure = kind {
      try createDirectoryAtomically(at: path) { _ in #expect(mkdir(path, 0o700) == 0) }
    }
    #expect(failure == .alreadyExists)
    #expect(
      kind { try createDirectoryAtomically(at: path) { _ in Issue.record("Not to be filled") } } == .alreadyExists)
    #expect(try directoryEntries(directory.path) == ["store"])
    #expect(kind { try createDirectoryAtomically(at: directory.path + "/a/b") { _ in } } == .noSuchFile)
  }

  @Test func `an environment left open is noticed before its files are touched`() throws {
    var left: Environment?
    let failure = kind {
      try createDirectoryAtomically(at: directory.path + "/store") { temporary in
        left = try Environment.open(at: temporary, options: EnvironmentOptions(mapSizeInBytes: 1 << 20))
      }
    }
    #expect(failure == .alreadyOpen)
    left?.close()
  }

  @Test func `a temporary directory is on no network file system, and a missing parent is an error`() throws {
    #expect(try !isNetworkFileSystem("/"))
    #expect(kind { _ = try isNetworkFileSystem(directory.path + "/a/b") } == .noSuchFile)
    _ = try isNetworkFileSystem(directory.path + "/new")
  }

  @Test func `a relative path begins at the working directory, and is not followed again later`() throws {
    let directory = getcwd(nil, 0)
    defer { free(directory) }
    let working = try String(cString: #require(directory))
    #expect(absolutePath("a/data.mdb") == Array((working + "/a/data.mdb").utf8CString))
    #expect(absolutePath("/a/data.mdb") == Array("/a/data.mdb".utf8CString))
  }

  @Test func `a commit is refused where the path no longer leads to the file`() throws {
    var options = EnvironmentOptions(mapSizeInBytes: 1 << 20)
    options.requiresPath = true
    let path = directory.path + "/environment"
    #expect(mkdir(path, 0o700) == 0)
    let environment = try Environment.open(at: path, options: options)
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    _ = try transaction.openTable("rows", create: true)
    #expect(rename(path, directory.path + "/aside") == 0)
    var error: LMDBError?
    do throws(LMDBError) { try transaction.commit() } catch let failure { error = failure }
    #expect(error?.kind == .displaced && error?.isUnknownOutcome == true)
    #expect(kind { _ = try environment.beginWrite() } == .displaced)
    #expect(rename(directory.path + "/aside", path) == 0)
    try environment.beginWrite().abort()
  }

  @Test func `the file system is that of the deepest and last mount`() {
    let table = """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      30 22 0:25 / /home rw shared:2 master:3 - nfs4 server:/home rw
      31 30 0:26 / /home/my\\040files rw - fuse.sshfs me@host: rw
      32 22 0:27 / /data rw - ext4 /dev/vdb rw
      33 22 0:28 / /data rw - xfs /dev/vdc rw
      a line that is none
      """
    #expect(fileSystemType(of: "/etc", mountTable: table) == "ext4")
    #expect(fileSystemType(of: "/home/me", mountTable: table) == "nfs4")
    #expect(fileSystemType(of: "/homestead", mountTable: table) == "ext4")
    #expect(fileSystemType(of: "/home/my files/x", mountTable: table) == "fuse.sshfs")
    #expect(fileSystemType(of: "/data", mountTable: table) == "xfs")
    #expect(fileSystemType(of: "/data", mountTable: "") == nil)
    for type in ["nfs", "cifs", "fuse.sshfs", "9p"] { #expect(isNetworkFileSystemType(type)) }
    for type in ["ext4", "btrfs", "tmpfs", "overlay", "fuse.ntfs-3g", ""] { #expect(!isNetworkFileSystemType(type)) }
  }

  @Test func `the boot identifier stays the same, and can be set`() {
    #expect(bootIdentifier() == bootIdentifier())
    #expect(!bootIdentifier().isEmpty)
    #expect(bootIdentifier(override: "another boot") == "another boot")
  }
}

@Suite(.hangLimit) struct ErrorTests {
  @Test func `every return code of LMDB has a class, an explanation and an advice`() {
    for code in CInt(-30799)...(-30780) {
      #expect(LMDBError.Kind(code: code) != .system, "\(code)")
    }
    #expect(LMDBError.Kind(code: 12345) == .system)
    for kind in LMDBError.Kind.allCases {
      #expect(!kind.explanation.isEmpty)
      #expect(kind.advice.hasSuffix("."))
    }
  }

  @Test func `an error says what, where, why and what to do`() {
    let error = LMDBError(code: ENOSPC, .commit, path: "/store")
    #expect(error.isDiskFull)
    #expect(
      error.description
        == "cannot commit the transaction in /store: the disk or the quota is full (code 28). "
        + "Make room and write again; nothing was written.")
  }

  @Test func `only a disk error of a commit or a flush has an unknown outcome`() {
    #expect(LMDBError(code: EIO, .commit, path: "").isUnknownOutcome)
    #expect(LMDBError(code: EIO, .synchronize, path: "").isUnknownOutcome)
    #expect(!LMDBError(code: EIO, .readValue, path: "").isUnknownOutcome)
    #expect(!LMDBError(code: ENOSPC, .commit, path: "").isUnknownOutcome)
  }
}
