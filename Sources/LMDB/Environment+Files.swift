import CLMDB

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Environment {
  /// Flushes all commits to the disk, whatever the flush option.
  ///
  /// - Throws: `LMDBError`; for one of kind `inputOutput` see `LMDBError.isUnknownOutcome`.
  package func synchronize() throws(LMDBError) {
    try unsafe withUse(.synchronize) { engine throws(LMDBError) in
      let code = unsafe mdb_env_sync(engine, 1)
      guard code == 0 else { throw failure(code, .synchronize) }
    }
  }

  /// Writes a copy of the last commit to a descriptor, without free pages.
  ///
  /// The copy is a data file.
  ///
  /// The copy holds a read transaction throughout, so the file may grow when others write at the same time.
  ///
  /// - Throws: `LMDBError`; of kind `incompatible` if pages leaked, which a check of the pages shows. The bytes written
  ///   to the descriptor are then worthless.
  /// - Complexity: O(*n*) for *n* bytes in use.
  package func copyCompacting(to fileDescriptor: CInt) throws(LMDBError) {
    // LMDB begins the copy's transaction itself, so adopt a map size set by another process first.
    try beginRead().end()
    try unsafe withUse(.copy) { engine throws(LMDBError) in
      let code = unsafe mdb_env_copyfd2(engine, fileDescriptor, UInt32(MDB_CP_COMPACT))
      guard code == 0 else { throw failure(code, .copy) }
    }
  }

  /// Reads bytes of the data file with ordinary reads, through the environment's descriptor.
  ///
  /// A page that is being written may be read half old, half new, unless it belongs to a snapshot that a transaction
  /// reads.
  ///
  /// - Returns: The number of bytes read; less than requested only at the end of the file.
  package func readPages(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(LMDBError) -> Int {
    try unsafe withUse(.readFile) { engine throws(LMDBError) in
      var descriptor: CInt = -1
      unsafe mdb_env_get_fd(engine, &descriptor)
      return try unsafe readFully(descriptor, at: offset, into: buffer, path: path + "/data.mdb")
    }
  }

  /// The size of the data file.
  package func fileSizeInBytes() throws(LMDBError) -> Int {
    try unsafe withUse(.inspectFile) { engine throws(LMDBError) in
      var descriptor: CInt = -1
      unsafe mdb_env_get_fd(engine, &descriptor)
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw failure(errno, .inspectFile) }
      return Int(status.st_size)
    }
  }
}

/// Reads until the buffer is full or the file ends.
func readFully(
  _ descriptor: CInt, at offset: Int, into buffer: UnsafeMutableRawBufferPointer, path: String
) throws(LMDBError) -> Int {
  var done = 0
  while done < buffer.count {
    let (position, overflow) = offset.addingReportingOverflow(done)
    guard offset >= 0, !overflow else { throw LMDBError(code: EINVAL, .readFile, path: path) }
    let count = unsafe pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(position))
    if count == 0 { break }
    if count < 0 {
      if errno == EINTR { continue }
      throw LMDBError(code: errno, .readFile, path: path)
    }
    done += count
  }
  return done
}
