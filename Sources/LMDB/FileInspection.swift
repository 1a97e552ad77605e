#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

#if !canImport(Darwin)
/// The call `statx` of Linux, which returns the facts about a file that are asked for.
enum FileInspection {
  @unsafe
  typealias Call =
    @convention(c) @Sendable (
      CInt, UnsafePointer<CChar>, CInt, CUnsignedInt, UnsafeMutableRawPointer
    ) -> CInt

  /// The call; `nil` if the C library lacks it.
  ///
  /// The library declares it only to programs that define `_GNU_SOURCE`.
  static let call: Call? = unsafe dlsym(nil, "statx").map { unsafe unsafeBitCast($0, to: Call.self) }

  /// The size of its result in bytes.
  static let size = 256

  /// Returns the identity of the file at a path, or `nil` if that cannot be found out in this way.
  ///
  /// It asks for the inode alone. A call of `stat` asks for the times too, and the file system then gives each later
  /// write a time of its own, which it has to note: some ten microseconds for each commit on ext4 (Linux 6.13 and later).
  static func identity(ofFileAt path: [CChar]) -> FileIdentity? {
    guard let call = unsafe call else { return nil }
    let inode: CUnsignedInt = 0x100
    return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { status in
      guard unsafe call(AT_FDCWD, path, 0, inode, status.baseAddress!) == 0,
        unsafe status.load(as: CUnsignedInt.self) & inode != 0
      else { return nil }
      let major = unsafe UInt64(status.load(fromByteOffset: 0x88, as: UInt32.self))
      let minor = unsafe UInt64(status.load(fromByteOffset: 0x8c, as: UInt32.self))
      // The number of the device as `stat` returns it.
      let device = (major & ~0xfff) << 32 | (major & 0xfff) << 8 | (minor & ~0xff) << 12 | minor & 0xff
      return unsafe FileIdentity(device: device, inode: status.load(fromByteOffset: 0x20, as: UInt64.self))
    }
  }
}
#endif
