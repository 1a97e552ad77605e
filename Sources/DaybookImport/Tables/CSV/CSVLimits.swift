#if Import

/// The limits on a CSV file, which bound the memory of its reader.
package struct CSVLimits: Hashable, Sendable {
  /// The most bytes of a cell in UTF-8: as many as an attribute can have.
  package var cellSizeInBytes = 64 << 20
  /// The most bytes of a row in UTF-8: as many as a commit can have.
  package var rowSizeInBytes = 256 << 20
  /// The most cells of a row.
  package var columnCount = 10_000

  package init() {}
}

#endif
