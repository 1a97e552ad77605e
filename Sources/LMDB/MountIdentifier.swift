#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The number of the mount that a file is reached through, or 0 if the system does not tell.
///
/// It tells whether unflushed pages can still be trusted: they survive the death of a process, but not a volume that is
/// pulled out, or shut down by its file system, and mounted again while the system runs on. Linux 6.8 and later never
/// use a number twice; earlier ones may, from Linux 5.8 on.
///
/// One file has several numbers where its volume is mounted several times, or in several namespaces.
package func mountIdentifier(ofFileAt path: String) -> UInt64 {
  #if canImport(Darwin)
    return 0
  #else
    // The C library has the function, but declares it only to programs that ask for GNU's extensions.
    typealias Inspect = @convention(c) (CInt, UnsafePointer<CChar>, CInt, CUnsignedInt, UnsafeMutableRawPointer) -> CInt
    guard let symbol = dlsym(nil, "statx") else { return 0 }
    let inspect = unsafeBitCast(symbol, to: Inspect.self)
    // Both kinds in one call: a kernel that knows the unique one answers with it.
    let reused: CUnsignedInt = 0x1000
    let unique: CUnsignedInt = 0x4000
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { status in
      guard inspect(AT_FDCWD, path, 0, reused | unique, status.baseAddress!) == 0 else { return 0 }
      let mask = status.load(as: CUnsignedInt.self)
      return mask & (reused | unique) == 0 ? 0 : status.load(fromByteOffset: 0x90, as: UInt64.self)
    }
  #endif
}
