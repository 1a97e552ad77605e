/// A named table of an environment: sorted keys, one value each.
///
/// A table is a name and a handle that stays valid in the process until the table is dropped; it may be kept and
/// shared. After that, or with another environment, each use throws `LMDBError.Kind.tableMissing`.
package struct Table: Hashable, Sendable {
  package let name: String
  /// LMDB's number for the table in this process.
  ///
  /// Reused for another table after this one is dropped.
  package let handle: UInt32
  /// The environment that owns the table.
  @usableFromInline let owner: UInt32
  /// Distinguishes tables that had the same handle one after the other.
  ///
  /// Unique in the environment.
  @usableFromInline let serial: UInt32
  /// Whether its rows end in a checksum; see ``EnvironmentOptions/hasChecksums``.
  package let hasChecksums: Bool
}

/// The shape of a table's tree.
package struct TableStatistics: Hashable, Sendable {
  /// The number of levels; 0 for an empty table.
  package let depth: Int
  package let branchPageCount: Int
  package let leafPageCount: Int
  package let overflowPageCount: Int
  package let entryCount: Int
  /// The size of all its pages.
  package let sizeInBytes: Int
}
