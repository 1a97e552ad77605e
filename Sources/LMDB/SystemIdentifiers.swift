#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Returns a text that stays the same until the operating system restarts.
///
/// The text shows whether files that were never flushed can still be trusted: unflushed writes survive the death of a
/// process, but not a crash of the system. If the system provides no identifier, the text is empty, and no unflushed
/// file may be trusted.
///
/// - Parameter override: A text to return instead, for tests.
package func bootIdentifier(override: String? = nil) -> String {
  if let override { return override }
  #if canImport(Darwin)
  var size = 0
  guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 0 else { return "" }
  var bytes = [UInt8](repeating: 0, count: size)
  guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return "" }
  return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  #else
  let text = readSmallFile("/proc/sys/kernel/random/boot_id") ?? ""
  return String(decoding: text.utf8.prefix { $0 > 0x20 }, as: UTF8.self)
  #endif
}

/// Returns the number of the mount of a file's path, or 0 if the system does not provide it.
///
/// The number shows whether unflushed pages can still be trusted: they survive the death of a process, but not a volume
/// that is removed, or shut down by its file system, and mounted again while the system runs. Linux 6.8 and later never
/// reuse a number; Linux 5.8 to 6.7 may.
///
/// One file has several numbers if its volume is mounted several times, or in several namespaces.
package func mountIdentifier(ofFileAt path: String) -> UInt64 {
  #if canImport(Darwin)
  return 0
  #else
  guard let inspect = unsafe FileInspection.call else { return 0 }
  // Request both kinds in one call: a kernel that supports the unique number returns it.
  let reused: CUnsignedInt = 0x1000
  let unique: CUnsignedInt = 0x4000
  return unsafe withUnsafeTemporaryAllocation(byteCount: FileInspection.size, alignment: 8) { status in
    guard unsafe inspect(AT_FDCWD, path, 0, reused | unique, status.baseAddress!) == 0 else { return 0 }
    let mask = unsafe status.load(as: CUnsignedInt.self)
    return unsafe mask & (reused | unique) == 0 ? 0 : status.load(fromByteOffset: 0x90, as: UInt64.self)
  }
  #endif
}
