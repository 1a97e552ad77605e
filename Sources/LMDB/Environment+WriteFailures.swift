import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a write that failed means.
extension Environment {
  /// The room below which a disk counts as full: LMDB writes runs of at most 64 pages, and a value of many pages as one
  /// run, and what was left was filled by the part that fitted.
  private static let fullDiskRoomInBytes = 64 << 10

  /// Makes an error of a write that came back with a code, inside of a write transaction.
  ///
  /// When the disk takes only a part of a page, LMDB says that input or output failed; it means a full disk.
  func writeFailure(_ code: CInt, _ operation: LMDBError.Operation, detail: String = "") -> LMDBError {
    failure(code == EIO && isDiskFull() ? ENOSPC : code, operation, detail: detail)
  }

  /// Makes an error of a commit that came back with a code, while the writer's lock is still held.
  ///
  /// LMDB writes the pages, flushes them, and then writes the meta page, which makes the commit. If that fails, LMDB
  /// refuses all further transactions: then, and only then, is a commit that met a full disk not surely undone.
  func commitFailure(_ code: CInt) -> LMDBError {
    if refusesTransactions() {
      return failure(EIO, .commit, detail: code == EIO ? "" : "(the meta page, code \(code))")
    }
    return writeFailure(code, .commit)
  }

  private func refusesTransactions() -> Bool {
    var reader: OpaquePointer?
    let code = mdb_txn_begin(engine, nil, UInt32(bitPattern: MDB_RDONLY), &reader)
    if code == 0 { mdb_txn_abort(reader) }
    return code == MDB_PANIC
  }

  private func isDiskFull() -> Bool {
    var descriptor: CInt = -1
    guard mdb_env_get_fd(engine, &descriptor) == 0, let available = availableBytes(forDescriptor: descriptor)
    else { return false }
    return available < Self.fullDiskRoomInBytes
  }
}
