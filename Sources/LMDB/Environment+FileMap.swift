import CLMDB
import CLMDBGuard

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Environment {
  /// Where the file is in memory, or `nil` if that is not known.
  ///
  /// LMDB does not report where the map begins. It is found from a row of the unnamed table, whose page is compared
  /// with the file, and stays until the map is resized, while no transaction is live.
  func fileMap(_ transaction: OpaquePointer) -> FileMap? {
    if let map = monitor.withLock({ unsafe state.fileMap }) { return map }
    guard let map = unsafe findFileMap(transaction) else { return nil }
    monitor.withLock { unsafe state.fileMap = map }
    return map
  }

  private func findFileMap(_ transaction: OpaquePointer) -> FileMap? {
    var (statistics, figures) = unsafe (MDB_stat(), MDB_envinfo())
    unsafe mdb_env_stat(engine, &statistics)
    unsafe mdb_env_info(engine, &figures)
    let pageSize = UInt(statistics.ms_psize)
    // The map begins at a page of the system, which larger pages of the file need not do.
    guard pageSize > 0, pageSize & (pageSize - 1) == 0, pageSize <= UInt(sysconf(CInt(_SC_PAGESIZE))),
      let address = unsafe firstKeyAddress(transaction)
    else { return nil }
    let start = address & ~(pageSize - 1)
    guard let page = unsafe UnsafeRawPointer(bitPattern: start) else { return nil }
    let number = unsafe UInt(page.loadUnaligned(as: UInt64.self))
    let (offset, overflow) = number.multipliedReportingOverflow(by: pageSize)
    let size = unsafe UInt(figures.me_mapsize)
    guard !overflow, offset < size, start > offset else { return nil }
    // A page with the number of another one is not at that place in the file with the same bytes.
    let isSame = unsafe withUnsafeTemporaryAllocation(byteCount: Int(pageSize), alignment: 8) { buffer in
      guard let count = try? unsafe readFully(dataDescriptor, at: Int(offset), into: buffer, path: path),
        count == buffer.count, let bytes = buffer.baseAddress
      else { return false }
      return unsafe memcmp(bytes, page, count) == 0
    }
    return isSame ? FileMap(start: start - offset, size: size, pageSize: pageSize) : nil
  }

  /// Returns the address of the first key of the unnamed table, or `nil` if it has none.
  private func firstKeyAddress(_ transaction: OpaquePointer) -> UInt? {
    var cursor: OpaquePointer?
    guard unsafe mdb_cursor_open(transaction, Environment.mainHandle, &cursor) == 0, let cursor = unsafe cursor else {
      return nil
    }
    defer { unsafe mdb_cursor_close(cursor) }
    var (key, value) = unsafe (MDB_val(), MDB_val())
    guard unsafe daybook_lmdb_cursor_get(cursor, &key, &value, MDB_FIRST) == 0 else { return nil }
    return unsafe UInt(bitPattern: key.mv_data)
  }
}

/// Sets the exit status of a process in which LMDB meets a damaged page while it changes pages.
///
/// Such a call cannot be left. Without a status the process ends with a signal, which a debugger can catch.
package func endProcess(onDamageWithStatus status: CInt) { daybook_lmdb_end_with(status) }
