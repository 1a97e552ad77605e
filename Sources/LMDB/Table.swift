/// A named table of an environment: sorted keys, one value each.
///
/// A table is a name and a handle that stays valid in the process until the table is dropped; it may be kept and
/// shared. Used after that, or with another environment, it is refused with `LMDBError.Kind.tableMissing`.
package struct Table: Hashable, Sendable {
  package let name: String
  /// LMDB's number for the table in this process; given again to another table when this one is gone.
  package let handle: UInt32
  /// The environment it belongs to.
  @usableFromInline let owner: UInt32
  /// Tells apart the tables that were given one handle after the other; unique in the environment.
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
  /// The room that all its pages take.
  package let sizeInBytes: Int
}
