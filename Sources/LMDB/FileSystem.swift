#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Returns whether a path is on a network file system, where LMDB is not reliable.
///
/// The path need not exist, but its parent must. A file system of unknown type counts as local.
///
/// - Throws: `LMDBError` if neither the path nor its parent exists.
package func isNetworkFileSystem(_ path: String) throws(LMDBError) -> Bool {
  #if canImport(Darwin)
  var figures = statfs()
  guard statfs(try existingPath(path), &figures) == 0 else {
    throw LMDBError(code: errno, .inspectFile, path: path)
  }
  return figures.f_flags & UInt32(MNT_LOCAL) == 0
  #else
  let path = try existingPath(path)
  guard let table = readSmallFile("/proc/self/mountinfo") else { return false }
  return isNetworkFileSystemType(fileSystemType(of: path, mountTable: table) ?? "")
  #endif
}

/// Whether a path is on a volume that is mounted read-only.
///
/// The flags of the mount decide. The error of `access` would not: for a user without the permission to write it is
/// `EACCES`, whatever the mount.
///
/// - Throws: `LMDBError` if the path cannot be reached.
package func isReadOnlyFileSystem(_ path: String) throws(LMDBError) -> Bool {
  var figures = statvfs()
  guard unsafe statvfs(path, &figures) == 0 else { throw LMDBError(code: errno, .inspectFile, path: path) }
  return UInt(figures.f_flag) & UInt(ST_RDONLY) != 0
}

/// Returns whether a type, as Linux names it, is a remote or shared file system.
///
/// `9p` and `virtiofs` count: they show a host's files to its guests, and the host may write to them too. Other `fuse`
/// types count as local, except the ones known to be remote.
package func isNetworkFileSystemType(_ type: String) -> Bool {
  let types = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "afs", "ceph", "coda", "ncpfs", "ncp", "lustre", "gfs2",
    "ocfs2", "gpfs", "beegfs", "orangefs", "panfs", "glusterfs", "vboxsf", "vmhgfs", "prl_fs", "davfs", "fuse.sshfs",
    "fuse.glusterfs", "fuse.ceph", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse", "fuse.goofys", "fuse.davfs",
    "fuse.davfs2", "fuse.curlftpfs", "fuse.juicefs", "fuse.mfs", "fuse.moosefs", "fuse.vmhgfs-fuse", "fuse.prl_fsd",
    "fuse.blobfuse", "fuse.blobfuse2", "fuse.sshfs-fuse", "fuse.afp", "fuse.smbnetfs", "fuse.seaweedfs",
  ]
  return types.contains(type)
}

/// Returns the type of the file system that holds a path, by Linux's list of mounts.
///
/// The longest mount point above the path decides, and the last of several mounts on that point.
package func fileSystemType(of path: String, mountTable: String) -> String? {
  // Bytes, because opening a store reads the list, and splitting it as text took half of that.
  let path = Array(path.utf8)
  var best: (length: Int, type: ArraySlice<UInt8>)?
  for line in Array(mountTable.utf8).split(separator: UInt8(ascii: "\n")) {
    let fields = line.split(separator: UInt8(ascii: " "))
    // Optional fields end with a dash; the type follows it.
    guard fields.count > 6, let dash = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
      dash + 1 < fields.endIndex
    else { continue }
    let point = unescaped(fields[4])
    let isAbove = point.elementsEqual("/".utf8) || path == point || path.starts(with: point + "/".utf8)
    if isAbove, point.count >= best?.length ?? 0 { best = (point.count, fields[dash + 1]) }
  }
  return best.map { String(decoding: $0.type, as: UTF8.self) }
}

/// Decodes the escapes of a mount point.
///
/// Linux writes blanks, tabs, line ends and backslashes in mount points as a backslash and three octal digits.
private func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
  guard field.contains(UInt8(ascii: "\\")) else { return Array(field) }
  let bytes = Array(field)
  var result: [UInt8] = []
  var index = 0
  while index < bytes.count {
    if bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count,
      let code = UInt8(String(decoding: bytes[index + 1...index + 3], as: UTF8.self), radix: 8)
    {
      result.append(code)
      index += 4
    } else {
      result.append(bytes[index])
      index += 1
    }
  }
  return result
}

/// Returns the path without symbolic links, or its parent's path if it does not exist.
private func existingPath(_ path: String) throws(LMDBError) -> String {
  if let resolved = resolved(path) { return resolved }
  let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  let isAbsolute = path.utf8.first == UInt8(ascii: "/")
  guard let resolved = resolved(parent.isEmpty ? (isAbsolute ? "/" : ".") : parent) else {
    throw LMDBError(code: errno, .inspectFile, path: path)
  }
  return resolved
}

private func resolved(_ path: String) -> String? {
  guard let pointer = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(pointer) }
  return unsafe String(cString: pointer)
}

/// Returns the contents of a file of unknown size, or `nil` if it cannot be read.
func readSmallFile(_ path: String) -> String? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = unsafe read(descriptor, &piece, piece.count)
    if count < 0 {
      if errno == EINTR { continue }
      return nil
    }
    if count == 0 { return String(decoding: bytes, as: UTF8.self) }
    bytes += piece[..<count]
  }
}
