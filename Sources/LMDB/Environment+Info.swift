import CLMDB

/// The figures of an environment at one moment.
package struct EnvironmentInfo: Hashable, Sendable {
  package let mapSizeInBytes: Int
  /// The size up to the last page in use.
  ///
  /// It includes the free pages in between, which are used again.
  package let usedSizeInBytes: Int
  package let pageSizeInBytes: Int
  /// The number of the last commit.
  package let lastTransactionID: Int
  package let maximumReaders: Int
  /// The number of live read transactions, of all processes.
  package let liveReaderCount: Int
  /// The oldest snapshot in use by a reader; pages freed since then cannot be used again.
  package let oldestReaderTransactionID: Int?
}

extension Environment {
  /// Returns the current figures.
  ///
  /// - Throws: `LMDBError` of kind `closed` if the environment is closed.
  package func information() throws(LMDBError) -> EnvironmentInfo {
    // Inside the monitor the map cannot be moved, and LMDB reads only a few words here.
    try monitor.withLock { () throws(LMDBError) in
      try checkUsable(.readInformation)
      var figures = unsafe MDB_envinfo()
      var statistics = MDB_stat()
      unsafe mdb_env_info(engine, &figures)
      unsafe mdb_env_stat(engine, &statistics)
      let live = unsafe (Self.listReaders(engine) ?? []).compactMap(\.transactionID)
      let pageSize = Int(statistics.ms_psize)
      return unsafe EnvironmentInfo(
        mapSizeInBytes: figures.me_mapsize,
        usedSizeInBytes: Self.size(ofPagesUpTo: figures.me_last_pgno, pageSize: pageSize),
        pageSizeInBytes: pageSize,
        lastTransactionID: figures.me_last_txnid,
        maximumReaders: Int(figures.me_maxreaders),
        liveReaderCount: live.count,
        oldestReaderTransactionID: live.min())
    }
  }

  /// The number of the last commit, of any process.
  ///
  /// A transaction that begins now sees this commit or a later one. While the number is the same, there is no later one.
  ///
  /// - Throws: `LMDBError` of kind `closed` if the environment is closed.
  /// - Complexity: O(1); it takes no reader slot.
  package func lastTransactionID() throws(LMDBError) -> Int {
    // Inside the monitor the map cannot be moved, and LMDB reads only a few words here.
    try monitor.withLock { () throws(LMDBError) in
      try checkUsable(.readInformation)
      var figures = unsafe MDB_envinfo()
      unsafe mdb_env_info(engine, &figures)
      return unsafe figures.me_last_txnid
    }
  }

  /// Computes the size in bytes.
  ///
  /// The page number comes from the file, so no value of it may trap.
  private static func size(ofPagesUpTo lastPage: Int, pageSize: Int) -> Int {
    let (count, isTooLarge) = lastPage.addingReportingOverflow(1)
    let (size, overflow) = count.multipliedReportingOverflow(by: pageSize)
    return isTooLarge || overflow ? .max : size
  }

  /// The current figures; the environment must be open.
  package var info: EnvironmentInfo {
    do { return try information() } catch { preconditionFailure(error.description) }
  }
}
