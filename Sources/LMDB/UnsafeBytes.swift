/// A run of bytes in a ``ByteArena``; the arena must outlive it.
@unsafe
@usableFromInline
package struct UnsafeBytes: BitwiseCopyable {
  @usableFromInline let start: UnsafeRawPointer?
  @usableFromInline package let count: Int

  @inlinable
  init(start: UnsafeRawPointer?, count: Int) {
    unsafe self.start = unsafe start
    unsafe self.count = count
  }

  /// Returns whether two runs begin at the same address.
  package func isSameRun(as other: UnsafeBytes) -> Bool { unsafe start == other.start }

  /// No bytes.
  @inlinable
  package static var none: UnsafeBytes { unsafe UnsafeBytes(start: nil, count: 0) }

  @inlinable
  @inline(__always)
  package var isNone: Bool { unsafe count == 0 }

  /// The bytes as a span, which the compiler does not tie to the owner of the bytes.
  @inlinable
  package var unsafeSpan: RawSpan {
    @_lifetime(immortal)
    get {
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count))
      return unsafe _overrideLifetime(span, copying: RawSpan())
    }
  }
}

extension UnsafeBytes {
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(start: bytes.baseAddress, count: bytes.count)
  }
}

extension RawSpan {
  /// The same bytes, without the compiler's lifetime checks.
  ///
  /// A span cannot be stored, nor leave the closure that created it, so a span into a transaction's pages or an arena
  /// cannot outlive the transaction or the arena if these live in an outer scope. The compiler cannot see this through
  /// a reference to a class; the caller must not change the row while the span is in use.
  package var unsafeBytes: UnsafeBytes {
    unsafe withUnsafeBytes { unsafe UnsafeBytes(start: $0.baseAddress, count: $0.count) }
  }
}

extension [UInt8] {
  /// The bytes as a span.
  ///
  /// It is like `span.bytes`, which needs a newer system on Apple's platforms.
  var rawSpan: RawSpan {
    @_lifetime(borrow self)
    @inline(__always)
    get {
      // The address is valid as long as the array is borrowed: an array of integers always has contiguous storage.
      let bytes = unsafe withUnsafeBytes { unsafe $0 }
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
    }
  }
}
