#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The kind of a file that a path leads to, through symbolic links.
package enum FileKind: Hashable, Sendable {
  case regular, directory
  /// A pipe, a socket or a device.
  case other

  /// Finds the kind of the file at a path, or `nil` if there is no file.
  ///
  /// `FileManager.fileExists` would report a file that may not be reached as missing.
  ///
  /// - Throws: `LMDBError`: `noSuchFile` for a path with a zero byte, `accessDenied` if a directory above the file may not be entered.
  package init?(ofFileAt path: String) throws(LMDBError) {
    // The system would take the part before it for the path.
    guard !path.utf8.contains(0) else {
      throw LMDBError(.noSuchFile, .inspectFile, path: path, detail: "(a path cannot contain a zero byte)")
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw LMDBError(code: errno, .inspectFile, path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    default: self = .other
    }
  }
}
