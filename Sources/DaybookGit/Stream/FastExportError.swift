/// The reason why a `git fast-export` stream could not be read, with its place and a remedy.
///
/// The commits returned before it are complete and correct; the reader returns none after it.
package struct FastExportError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The stream stops inside a command, or before the `done` that it promised.
    case truncated
    /// Bytes that the format does not allow at that place.
    case malformed
    /// Something valid that an import cannot read, such as file contents in place of hashes.
    case unsupported
    /// One of `FastExportLimits` is exceeded.
    case limitExceeded
    /// The stream names objects only by its own numbers.
    case missingOriginalID
    /// A commit whose first parent is not the previous commit.
    case notLinear
    /// The history does not contain the commit after which it should continue.
    case historyDiverged
  }

  package let kind: Kind

  /// The faulty line, from 1.
  ///
  /// Lines inside messages and file contents count as well, as in a text editor.
  package let lineNumber: Int

  /// The start of that line, in bytes from the start of the stream.
  package let byteOffset: Int

  /// The fault, with the faulty value, and the remedy.
  package let message: String
}

extension FastExportError: CustomStringConvertible {
  package var description: String {
    "git stream, line \(lineNumber) (byte \(byteOffset)): \(message)"
  }
}
