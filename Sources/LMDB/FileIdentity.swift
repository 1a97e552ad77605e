#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The identity of a file under any of its names: its device and its inode.
///
/// Two paths with one identity are the same file, through symbolic links, hard links or mounts.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    // Device numbers are signed on Darwin, unsigned on Linux; only their bits matter.
    self.init(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Finds the identity of the file at a path without opening it, or `nil` if there is no file.
  ///
  /// - Throws: `LMDBError`, other than for a missing file.
  package init?(ofFileAt path: String) throws(LMDBError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw LMDBError(code: errno, .inspectFile, path: path)
    }
    self.init(status)
  }
}

extension FileIdentity: CustomStringConvertible {
  package var description: String { "\(device):\(inode)" }
}
