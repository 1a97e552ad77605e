#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Rows that do not fit into memory: sorted runs in a file without a name, which are merged when all rows are there.
///
/// A table that is filled in the order of its keys is written once, page after page. Without the runs, each part that
/// fits into memory would change nearly all pages of a table with scattered keys.
package final class SortedRuns {
  private let path: String
  /// The file, made with the first run; its name is removed at once, so that it is gone after a crash.
  private var descriptor: CInt = -1
  private var end = 0
  private var runs: [Range<Int>] = []

  /// The bytes before a row: the sizes of its key and its value.
  static let headSizeInBytes = 8
  /// The most bytes of each run that a merge reads ahead.
  private static let bufferSizeInBytes = 64 << 10

  /// - Parameter directory: An existing directory on the volume that is to hold the rows.
  package init(in directory: String) {
    path = "\(directory)/.runs-\(getpid())-\(UInt64.random(in: 0 ... .max))"
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package var isEmpty: Bool { runs.isEmpty }

  /// Appends the entries of a sorted table as a run. The table stays as it is.
  ///
  /// - Precondition: No entry is a deletion.
  /// - Throws: `LMDBError` if the disk is full or fails.
  package func append(_ table: MemoryTable) throws(LMDBError) {
    guard !table.isEmpty else { return }
    try openFile()
    let start = end
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SortedRuns.bufferSizeInBytes * 2)
    var cursor = table.makeCursor()
    while cursor.moveToNext() {
      precondition(!cursor.isDeletion, "A run has rows, and no deletions.")
      SortedRuns.append(cursor.key, cursor.value, to: &bytes)
      if bytes.count >= SortedRuns.bufferSizeInBytes { try write(&bytes) }
    }
    try write(&bytes)
    runs.append(start..<end)
  }

  private static func append(_ key: RawSpan, _ value: RawSpan, to bytes: inout [UInt8]) {
    for size in [key.byteCount, value.byteCount] {
      unsafe withUnsafeBytes(of: UInt32(size)) { unsafe bytes.append(contentsOf: $0) }
    }
    unsafe key.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  private func openFile() throws(LMDBError) {
    guard descriptor < 0 else { return }
    let opened = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw LMDBError(code: errno, .writeFile, path: path) }
    descriptor = opened
    guard unsafe unlink(path) == 0 else { throw LMDBError(code: errno, .removeFile, path: path) }
  }

  private func write(_ bytes: inout [UInt8]) throws(LMDBError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(end + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw LMDBError(code: count < 0 ? errno : EIO, .writeFile, path: path) }
      done += count
    }
    end += done
    bytes.removeAll(keepingCapacity: true)
  }

  /// Calls a closure with all rows by rising key, and forgets them.
  ///
  /// - Parameters:
  ///   - limit: The memory for reading ahead, in bytes; at least one row of each run is read.
  ///   - body: Called with key and value.
  /// - Precondition: No key is in two runs.
  /// - Throws: `LMDBError` if the file cannot be read; the errors of `body`.
  /// - Complexity: O(*n* log *r*) for *n* rows in *r* runs.
  package func merge(limitInBytes limit: Int, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
    let size = min(max(limit / max(runs.count, 1), 4 << 10), SortedRuns.bufferSizeInBytes)
    var queue = RunQueue()
    for bytes in runs {
      let run = SortedRun(descriptor, bytes, bufferSizeInBytes: size, path: path)
      if try run.moveToNext() { queue.add(run) }
    }
    while let run = queue.first {
      try unsafe body(RawSpan(_unsafeBytes: run.key), RawSpan(_unsafeBytes: run.value))
      if try run.moveToNext() { queue.settleFirst() } else { queue.removeFirst() }
    }
    (runs, end) = ([], 0)
  }
}

/// One run of a merge, and the row at which it is.
@safe
private final class SortedRun {
  private let descriptor: CInt
  private let path: String
  /// The bytes of the file that are not in the buffer yet.
  private var rest: Range<Int>
  private var buffer: UnsafeMutableRawBufferPointer
  /// The part of the buffer that holds bytes of the file after the row.
  private var filled: Range<Int> = 0..<0
  /// The row, in the buffer.
  private(set) var key = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var value = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ descriptor: CInt, _ bytes: Range<Int>, bufferSizeInBytes: Int, path: String) {
    (self.descriptor, self.path, rest) = (descriptor, path, bytes)
    unsafe buffer = .allocate(byteCount: bufferSizeInBytes, alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// Moves to the next row, and returns whether there is one.
  func moveToNext() throws(LMDBError) -> Bool {
    guard !filled.isEmpty || !rest.isEmpty else { return false }
    try fill(SortedRuns.headSizeInBytes)
    let (keySize, valueSize) = (size(at: filled.lowerBound), size(at: filled.lowerBound + 4))
    try fill(SortedRuns.headSizeInBytes + keySize + valueSize)
    let start = filled.lowerBound + SortedRuns.headSizeInBytes
    unsafe key = UnsafeRawBufferPointer(rebasing: buffer[start..<start + keySize])
    unsafe value = UnsafeRawBufferPointer(rebasing: buffer[start + keySize..<start + keySize + valueSize])
    filled = start + keySize + valueSize..<filled.upperBound
    return true
  }

  private func size(at offset: Int) -> Int {
    Int(unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Makes sure that so many bytes of the file are in the buffer.
  private func fill(_ count: Int) throws(LMDBError) {
    guard filled.count < count else { return }
    let present = filled.count
    let larger = unsafe count > buffer.count ? .allocate(byteCount: count, alignment: 16) : buffer
    unsafe larger.baseAddress!.copyMemory(from: buffer.baseAddress! + filled.lowerBound, byteCount: present)
    if unsafe larger.baseAddress != buffer.baseAddress {
      unsafe buffer.deallocate()
      unsafe buffer = larger
    }
    let wanted = unsafe min(buffer.count - present, rest.count)
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[present..<present + wanted])
    let found = try unsafe readFully(descriptor, at: rest.lowerBound, into: target, path: path)
    // The file has no name, so nothing else can have shortened it.
    guard found == wanted, present + found >= count else { throw LMDBError(code: EIO, .readFile, path: path) }
    filled = 0..<present + found
    rest = rest.lowerBound + found..<rest.upperBound
  }
}

/// The runs of a merge, the one with the least key first.
private struct RunQueue {
  private struct Entry {
    let run: SortedRun
    /// The first bytes of the key, which nearly always decide a comparison.
    let prefix: (UInt64, UInt64)

    init(_ run: SortedRun) {
      self.run = run
      prefix = unsafe (run.key.word(at: 0), run.key.word(at: 8))
    }

    static func < (left: Entry, right: Entry) -> Bool {
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      return unsafe compareBytes(left.run.key, right.run.key) < 0
    }
  }

  /// A heap: the run at each place is before those at twice the place plus 1 and plus 2.
  private var heap: [Entry] = []

  var first: SortedRun? { heap.first?.run }

  mutating func add(_ run: SortedRun) {
    var place = heap.count
    heap.append(Entry(run))
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Finds the place of the first run, which has moved.
  mutating func settleFirst() {
    heap[0] = Entry(heap[0].run)
    sinkFirst()
  }

  /// Removes the first run, which has ended.
  mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    sinkFirst()
  }

  private mutating func sinkFirst() {
    var place = 0
    while true {
      var least = place
      for child in 2 * place + 1..<2 * place + 3 where child < heap.count && heap[child] < heap[least] { least = child }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

private extension UnsafeRawBufferPointer {
  /// Returns eight bytes as a number whose order is theirs; bytes beyond the end count as 0.
  func word(at offset: Int) -> UInt64 {
    if offset + 8 <= count {
      return UInt64(bigEndian: unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = unsafe word << 8 | (index < count ? UInt64(self[index]) : 0) }
    return word
  }
}
