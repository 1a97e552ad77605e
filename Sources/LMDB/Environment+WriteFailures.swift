import CLMDB

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Errors of failed writes and commits.
extension Environment {
  /// The free space below which a disk counts as full.
  ///
  /// LMDB writes runs of at most 64 pages, and a value of many pages as one run; the part of a run that fitted has
  /// filled the rest.
  private static let fullDiskRoomInBytes = 64 << 10

  /// Creates an error from the code of a failed write, inside a write transaction.
  ///
  /// When the disk accepts only a part of a page, LMDB reports an input or output error; the cause is a full disk.
  func writeFailure(_ code: CInt, _ operation: LMDBError.Operation, detail: String = "") -> LMDBError {
    failure(code == EIO && isDiskFull() ? ENOSPC : code, operation, detail: detail)
  }

  /// Creates an error from the code of a failed commit, while the writer's lock is still held.
  ///
  /// LMDB writes the pages, flushes them, and then writes the meta page, which completes the commit. If the last step
  /// fails, LMDB refuses all further transactions: only then may a commit that met a full disk have taken effect.
  func commitFailure(_ code: CInt) -> LMDBError {
    if refusesTransactions() {
      return failure(EIO, .commit, detail: code == EIO ? "" : "(the meta page, code \(code))")
    }
    return writeFailure(code, .commit)
  }

  /// Flushes what the flush option left to the system after a commit.
  ///
  /// - Returns: The failure, after which it is unknown if the commit is on the disk, or `nil`.
  func flushRelaxedCommit() -> LMDBError? {
    guard options.flush != .full else { return nil }
    let code = unsafe mdb_env_sync(engine, 1)
    return code == 0 ? nil : failure(code, .commit, detail: "(the flush)")
  }

  private func refusesTransactions() -> Bool {
    var reader: OpaquePointer?
    let code = unsafe mdb_txn_begin(engine, nil, UInt32(bitPattern: MDB_RDONLY), &reader)
    if code == 0 { unsafe mdb_txn_abort(reader) }
    return code == MDB_PANIC
  }

  private func isDiskFull() -> Bool {
    var descriptor: CInt = -1
    guard unsafe mdb_env_get_fd(engine, &descriptor) == 0, let available = availableBytes(forDescriptor: descriptor)
    else { return false }
    return available < Self.fullDiskRoomInBytes
  }
}
