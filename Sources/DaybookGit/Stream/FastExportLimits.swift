/// The limits of a reader, so that no stream makes it use memory without bound.
///
/// The defaults are beyond any known repository. A stream that exceeds a limit is refused with an error that names the
/// limit.
package struct FastExportLimits: Hashable, Sendable {
  /// The longest line, and so approximately the longest path: 1 MiB.
  package var lineLength = 1 << 20

  /// The longest commit message: 64 MiB. File contents are skipped, at any length.
  package var messageLength = 64 << 20

  /// The maximum number of file commands of one commit.
  ///
  /// A commit without parent has one for each of its files.
  package var changesPerCommit = 8_000_000

  /// The maximum size of the lines of one commit's file commands: 1 GiB.
  package var changeBytesPerCommit = 1 << 30

  /// The maximum number of marked file contents. A stream written with `--no-data` has none.
  package var blobMarks = 32_000_000

  /// The maximum number of refs that are reset in a stream.
  package var refs = 4_000_000

  package init() {}
}
