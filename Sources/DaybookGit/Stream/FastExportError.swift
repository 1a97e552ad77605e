/// Why a `git fast-export` stream could not be read further, where, and what to do about it.
///
/// The commits handed out before it are whole and right; the reader gives no more after it.
package struct FastExportError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The stream stops inside a command, or before the `done` that it promised.
    case truncated
    /// Bytes that are not what the format has at that place.
    case malformed
    /// Something that the format has and an import cannot take, such as file contents in place of hashes.
    case unsupported
    /// One of `FastExportLimits` is exceeded.
    case limitExceeded
    /// The stream names objects by its own numbers only.
    case missingOriginalID
    /// A commit whose first parent is not the commit before.
    case notLinear
    /// The history does not hold the commit after which it should continue.
    case historyDiverged
  }

  package let kind: Kind

  /// The line at fault, from 1. Lines inside messages and file contents count as well, as in a text editor.
  package let lineNumber: Int

  /// Where that line starts, in bytes from the start of the stream.
  package let byteOffset: Int

  /// What is wrong, with the value at fault, and what to do.
  package let message: String
}

extension FastExportError: CustomStringConvertible {
  package var description: String {
    "git stream, line \(lineNumber) (byte \(byteOffset)): \(message)"
  }
}
