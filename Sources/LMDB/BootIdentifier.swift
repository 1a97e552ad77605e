#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A text that is the same until the operating system is started again, and then another one.
///
/// It tells whether files that were never flushed can still be trusted: they survive the death of a process, not that
/// of the system. If the system does not say, the answer is empty, and nothing must be trusted.
///
/// - Parameter override: The answer instead, for tests.
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
