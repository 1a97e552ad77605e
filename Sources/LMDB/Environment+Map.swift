import CLMDB

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Environment {
  /// Enlarges the map, which also limits the file's size; does nothing if it is large enough.
  ///
  /// New transactions of this process wait during the change, and this method waits for the live ones: the caller must
  /// end its own first. Other processes adopt the new size when they find data beyond their own.
  ///
  /// - Throws: `LMDBError` of kind `busy` if the live transactions do not end within the limit, `outOfMemory` if the
  ///   process has too little address space. The map then keeps its size.
  package func growMap(toAtLeast bytes: Int, waitingAtMost limit: Duration = .seconds(5)) throws(LMDBError) {
    try resizeMap(.resizeMap, waitingAtMost: limit) { current in
      let size = Self.roundedToPages(bytes)
      return size > current ? size : nil
    }
  }

  /// Makes room after a write that the map had none for: frees the pages that dead readers retain, else doubles the map.
  ///
  /// - Throws: The errors of checking the readers and of growing.
  package func makeRoom() throws(LMDBError) {
    if try checkReaders() > 0 { return }
    try growMap(toAtLeast: information().mapSizeInBytes * 2)
  }

  /// Runs an operation, and again after each time that the map was full, with more room.
  ///
  /// - Throws: Any other error of `body`; the errors of ``makeRoom()``.
  package func growing<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
      do {
        return try body()
      } catch let error as LMDBError where error.isMapFull && error.path == path {
        try makeRoom()
      }
    }
  }

  /// Adopts the size that another process has set for the file.
  func adoptMapSize(_ operation: LMDBError.Operation) throws(LMDBError) {
    let fileSize = try fileSizeInBytes()
    try resizeMap(operation, waitingAtMost: .seconds(2)) { current in
      // A size of 0 makes LMDB read the size from the meta page. If this process could not reserve the map that it
      // requested, it cannot reserve the map of another process either.
      current < Self.roundedToPages(options.mapSizeInBytes) ? Self.roundedToPages(2 * max(current, fileSize)) : 0
    }
  }

  private func resizeMap(
    _ operation: LMDBError.Operation, waitingAtMost limit: Duration, size: (Int) -> Int?
  ) throws(LMDBError) {
    try monitor.withLock { () throws(LMDBError) in
      try checkUsable(operation)
      // Waiting for the caller's own transaction would only use up the time allowed.
      guard unsafe state.writer != .current, closeGate(waitingAtMost: limit, passesWaitingWriter: true) else {
        throw refusal(.busy, operation)
      }
      defer { openGate() }
      try checkUsable(operation)
      guard let size = size(currentMapSize()) else { return }
      try setMapSize(size, operation)
    }
  }

  /// Sets the map's size. Must be called inside the monitor, with no live transaction.
  private func setMapSize(_ size: Int, _ operation: LMDBError.Operation) throws(LMDBError) {
    guard Self.isAddressSpaceFree(size) else { throw failure(ENOMEM, operation) }
    unsafe state.fileMap = nil
    let code = unsafe mdb_env_set_mapsize(engine, size)
    guard code == 0 else {
      // LMDB unmaps the old map before it maps the new one, and does not restore the old one.
      unsafe state.isBroken = true
      throw failure(code, operation)
    }
  }

  private func currentMapSize() -> Int {
    var information = unsafe MDB_envinfo()
    unsafe mdb_env_info(engine, &information)
    return unsafe information.me_mapsize
  }

  private static func isAddressSpaceFree(_ size: Int) -> Bool {
    guard size > 0 else { return true }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | noReserve
    guard let address = unsafe mmap(nil, size, PROT_NONE, flags, -1, 0), unsafe address != MAP_FAILED else {
      return false
    }
    unsafe munmap(address, size)
    return true
  }

  private static var noReserve: CInt {
    #if canImport(Darwin)
    0x40  // MAP_NORESERVE, which the Darwin module does not export.
    #else
    CInt(MAP_NORESERVE)
    #endif
  }
}
