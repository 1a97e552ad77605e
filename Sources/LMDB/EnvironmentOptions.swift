/// The options for opening an environment.
package struct EnvironmentOptions: Sendable {
  /// When a commit is flushed to the disk.
  package enum Flush: Sendable, Hashable {
    /// Data, then meta page: two flushes a commit. A commit survives the loss of power.
    case full
    /// Data only: a loss of power may undo the last commit, but never damages the file.
    case relaxed
    /// Never: a loss of power may leave a torn file, so use it only for data that can be rebuilt.
    case none
  }

  /// The address space to reserve, which also limits the file's size.
  ///
  /// It costs no memory and no disk. If the process may not have so much, less is reserved.
  package var mapSizeInBytes: Int
  /// The number of read transactions of all processes together.
  ///
  /// The first process to open the environment decides.
  package var maximumReaders: Int
  /// The number of tables whose handles can be open in this process at a time.
  package var maximumTables: Int
  /// When a commit is flushed to the disk.
  package var flush: Flush
  /// Whether the file is only read, and no process ever writes to it.
  ///
  /// Such a file needs no lock file and no reader slots, and is never modified.
  package var isReadOnly: Bool
  /// Whether a commit is acknowledged only while the path leads to the file that was opened.
  ///
  /// A file whose directory was removed, moved or replaced takes further commits, which are lost with it.
  package var requiresPath = false
  /// How often a writer frees the reader slots of processes that have died.
  package var readerCheckInterval = Duration.seconds(10)
  /// Called after each such check with the reader slots that are left.
  ///
  /// It runs on the writer's thread before the transaction begins, and must not use the environment.
  package var afterReaderCheck: (@Sendable ([ReaderInfo]) -> Void)?
  /// Returns whether the rows of a table end in a checksum of key and value.
  ///
  /// Each read compares the checksum. LMDB itself has no checksums: it returns a damaged byte as data. The result for a
  /// name must not change in a file's life, because the two forms of a row cannot be distinguished.
  package var hasChecksums: @Sendable (_ table: String) -> Bool

  package init(
    mapSizeInBytes: Int = 256 << 30, maximumReaders: Int = 1024, maximumTables: Int = 64, flush: Flush = .full,
    isReadOnly: Bool = false, hasChecksums: @escaping @Sendable (_ table: String) -> Bool = { _ in false }
  ) {
    precondition(mapSizeInBytes > 0, "A map has a positive size")
    precondition((1...65_536).contains(maximumReaders), "An environment has 1 to 65,536 reader slots")
    precondition((1...4_096).contains(maximumTables), "An environment has 1 to 4,096 table handles")
    self.mapSizeInBytes = mapSizeInBytes
    self.maximumReaders = maximumReaders
    self.maximumTables = maximumTables
    self.flush = flush
    self.isReadOnly = isReadOnly
    self.hasChecksums = hasChecksums
  }
}
