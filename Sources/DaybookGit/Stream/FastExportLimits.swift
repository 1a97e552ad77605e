/// What a reader takes at most, so that no stream makes it use memory without end.
///
/// The defaults are beyond any repository known to us. A stream that exceeds one is refused with an error that names
/// the limit.
package struct FastExportLimits: Hashable, Sendable {
  /// The longest line, and so about the longest path: 1 MiB.
  package var lineLength = 1 << 20

  /// The longest commit message: 64 MiB. File contents are skipped, at any length.
  package var messageLength = 64 << 20

  /// The most file commands of one commit. A commit without parent has one for each of its files.
  package var changesPerCommit = 8_000_000

  /// The most bytes in the lines of one commit's file commands: 1 GiB.
  package var changeBytesPerCommit = 1 << 30

  /// The most file contents with a number of their own. There are none in a stream written with `--no-data`.
  package var blobMarks = 32_000_000

  /// The most refs that are reset in a stream.
  package var refs = 4_000_000

  package init() {}
}
