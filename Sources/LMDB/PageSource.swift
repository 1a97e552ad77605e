/// The source of bytes for a page check.
@safe
struct PageSource {
  let sizeInBytes: Int
  /// Reads bytes at an offset; returns the number read.
  private let read: (Int, UnsafeMutableRawBufferPointer) throws(LMDBError) -> Int

  init(_ environment: Environment) throws(LMDBError) {
    sizeInBytes = try environment.fileSizeInBytes()
    unsafe read = { (offset, buffer) throws(LMDBError) in try unsafe environment.readPages(at: offset, into: buffer) }
  }

  private init(size: Int, read: @escaping (Int, UnsafeMutableRawBufferPointer) throws(LMDBError) -> Int) {
    sizeInBytes = size
    unsafe self.read = unsafe read
  }

  /// Provides a file as a source for the duration of a closure.
  static func withSource<Result>(_ file: borrowing RawFile, _ body: (PageSource) -> Result) -> Result {
    // A closure cannot capture a borrowed file, but it can capture its descriptor, which the file keeps open.
    let (descriptor, path) = (file.descriptor, file.path)
    let source = unsafe PageSource(size: file.sizeInBytes) { (offset, buffer) throws(LMDBError) in
      try unsafe readFully(descriptor, at: offset, into: buffer, path: path)
    }
    return body(source)
  }

  /// Returns exactly the bytes requested, or `nil` if the file has fewer or the disk fails.
  func bytes(at offset: Int, count: Int) -> PageBytes? {
    guard offset >= 0, count >= 0, count <= sizeInBytes, offset <= sizeInBytes - count else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      // A failure to read is reported as a missing page.
      initialized = unsafe (try? read(offset, UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    return bytes.count == count ? PageBytes(bytes: bytes) : nil
  }
}

/// Bytes of a file, without assumptions: every access is checked against the end.
struct PageBytes {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func uint16(_ offset: Int) -> Int? { unsigned(offset, UInt16.self).map { Int($0) } }
  func uint32(_ offset: Int) -> Int? { unsigned(offset, UInt32.self).map { Int($0) } }
  func uint64(_ offset: Int) -> UInt64? { unsigned(offset, UInt64.self) }

  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
    return bytes[offset..<offset + count]
  }

  /// Numbers are in the byte order of the machine that wrote the file.
  private func unsigned<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, bytes.count >= size, offset <= bytes.count - size else { return nil }
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }
}

/// A set of page numbers, with one bit for each page of the stretches that have any.
struct PageSet {
  private static let wordsPerStretch = 512
  private var stretches: [Int: [UInt64]] = [:]
  private(set) var count = 0

  /// Adds a page. Returns whether it was absent.
  mutating func insert(_ page: Int) -> Bool {
    let (word, bit) = (page / 64, UInt64(1) << UInt64(page % 64))
    let (stretch, index) = (word / Self.wordsPerStretch, word % Self.wordsPerStretch)
    let isNew = stretches[stretch, default: [UInt64](repeating: 0, count: Self.wordsPerStretch)][index] & bit == 0
    if isNew {
      stretches[stretch, default: [UInt64](repeating: 0, count: Self.wordsPerStretch)][index] |= bit
      count += 1
    }
    return isNew
  }

  /// Returns the smallest page in both sets and their number, or `nil` if no page is in both.
  func overlap(with other: Self) -> (first: Int, count: Int)? {
    var first = Int.max
    var count = 0
    for (stretch, words) in stretches {
      guard let others = other.stretches[stretch] else { continue }
      for (index, word) in words.enumerated() where word & others[index] != 0 {
        let both = word & others[index]
        count += both.nonzeroBitCount
        first = min(first, (stretch * Self.wordsPerStretch + index) * 64 + both.trailingZeroBitCount)
      }
    }
    return count == 0 ? nil : (first, count)
  }
}
