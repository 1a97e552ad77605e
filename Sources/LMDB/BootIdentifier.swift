#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Returns a text that stays the same until the operating system restarts.
///
/// The text tells whether files that were never flushed can still be trusted: unflushed writes survive the death of a
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
