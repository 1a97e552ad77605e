import DaybookModel
import LMDB
import WorkLimits

/// Sorts the keys of a buffer by their bytes, without moving the keys.
///
/// A comparison of two keys costs two cache misses. So eight bytes of each key are kept beside the key's index, as a number
/// with the same order, and sorted by their digits. Only keys that agree in these bytes are read again, for the next eight:
/// the rows of a section share the section's bytes, so one step sorts the sections and the next one the rows in each.
struct SortedKeyOrder {
  private struct Entry {
    /// Eight bytes of the key, big-endian; zeros after its end.
    var head: UInt64
    let index: Int
  }

  private let bytes: [UInt8]
  /// The end of each key.
  private let ends: [Int]
  private var entries: [Entry]
  private var scratch: [Entry]
  private var work = WorkCounter()

  /// The greatest number of keys that are sorted by comparing them.
  private static let maximumCountToCompare = 32

  /// - Parameters:
  ///   - bytes: All keys, one after the other.
  ///   - ends: The end of each key.
  init(_ bytes: [UInt8], ends: [Int]) {
    (self.bytes, self.ends) = (bytes, ends)
    entries = ends.indices.map { Entry(head: 0, index: $0) }
    scratch = ends.count > SortedKeyOrder.maximumCountToCompare ? entries : []
  }

  /// Sorts the keys and returns their indexes; equal keys are in any order.
  ///
  /// - Throws: `WorkLimitExceeded`.
  /// - Complexity: O(*n*) for *n* keys that differ in few bytes, O(*n* log *n*) at most.
  consuming func sorted() throws -> [Int] {
    try sort(entries.indices, after: 0)
    return entries.map(\.index)
  }

  private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// Sorts keys that agree in their first bytes.
  private mutating func sort(_ range: Range<Int>, after agreed: Int) throws {
    guard range.count > SortedKeyOrder.maximumCountToCompare else { return try sortByComparing(range, after: agreed) }
    let skip = try sharedCount(range, after: agreed)
    try readHeads(range, after: skip)
    try sortByHead(range)
    var start = range.lowerBound
    while start < range.upperBound {
      let head = entries[start].head
      var end = start + 1
      while end < range.upperBound, entries[end].head == head { end += 1 }
      if end - start > 1 { try sortTie(start..<end, after: skip) }
      start = end
    }
  }

  private mutating func sortTie(_ range: Range<Int>, after skip: Int) throws {
    // Keys that end within the eight bytes would agree in them again.
    if range.allSatisfy({ self.range(entries[$0].index).count >= skip + 8 }) { return try sort(range, after: skip + 8) }
    var work = WorkCounter()
    let ordered = try entries[range].sorted {
      try work.step()
      return precedes($0, $1)
    }
    entries.replaceSubrange(range, with: ordered)
  }

  /// Sorts a few keys by insertion.
  private mutating func sortByComparing(_ range: Range<Int>, after agreed: Int) throws {
    try readHeads(range, after: agreed)
    for index in range.dropFirst() {
      let entry = entries[index]
      var place = index
      while place > range.lowerBound, precedes(entry, entries[place - 1]) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
  }

  private func precedes(_ a: Entry, _ b: Entry) -> Bool {
    if a.head != b.head { return a.head < b.head }
    return compareBytes(bytes.rawSpan.extracting(range(a.index)), bytes.rawSpan.extracting(range(b.index))) < 0
  }

  /// Returns the number of bytes with which all keys of a range begin.
  private mutating func sharedCount(_ entriesRange: Range<Int>, after agreed: Int) throws -> Int {
    let first = range(entries[entriesRange.lowerBound].index)
    var shared = first.count
    for entry in entriesRange.dropFirst() {
      try work.step()
      let key = range(entries[entry].index)
      shared = min(shared, key.count)
      var count = agreed
      while count < shared {
        // Eight bytes at a time, of which the leading ones agree.
        let expected = head(from: first.lowerBound + count, to: first.upperBound)
        let difference = expected ^ head(from: key.lowerBound + count, to: key.upperBound)
        count += difference.leadingZeroBitCount / 8
        if difference != 0 { break }
      }
      shared = min(shared, count)
      if shared == agreed { break }
    }
    return shared
  }

  private mutating func readHeads(_ range: Range<Int>, after skip: Int) throws {
    for entry in range {
      try work.step()
      let key = self.range(entries[entry].index)
      entries[entry].head = head(from: key.lowerBound + skip, to: key.upperBound)
    }
  }

  /// Returns the first eight bytes of a range as a number; zeros after its end.
  @inline(__always)
  private func head(from start: Int, to end: Int) -> UInt64 {
    guard start + 8 <= bytes.count else {
      return (start..<(start + 8)).reduce(0) { $0 << 8 | ($1 < end ? UInt64(bytes[$1]) : 0) }
    }
    // The eight bytes are in the buffer; the bytes after the key's end are cleared.
    let head = unsafe UInt64(bigEndian: bytes.rawSpan.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
    let excess = start + 8 - end
    return excess <= 0 ? head : excess >= 8 ? 0 : head & (.max << UInt64(excess << 3))
  }

  /// Sorts by the digits of the heads, from the last to the first; entries with equal heads keep their order.
  private mutating func sortByHead(_ range: Range<Int>) throws {
    var places = [Int](repeating: 0, count: 8 * 256)
    for entry in range {
      let head = entries[entry].head
      for digit in 0..<8 { places[digit << 8 | Int(truncatingIfNeeded: head >> UInt64(digit << 3) & 0xff)] += 1 }
    }
    for digit in 0..<8 where SortedKeyOrder.turnIntoPlaces(&places, digit, range) {
      for entry in range {
        try work.step()
        let moved = entries[entry]
        let slot = digit << 8 | Int(truncatingIfNeeded: moved.head >> UInt64(digit << 3) & 0xff)
        scratch[places[slot]] = moved
        places[slot] += 1
      }
      // The whole buffers are exchanged only if the range is everything.
      if range.count == entries.count {
        swap(&entries, &scratch)
      } else {
        for entry in range { entries[entry] = scratch[entry] }
      }
    }
  }

  /// Turns the counts of a digit's values into the places of the first entry with each value.
  ///
  /// - Returns: `false` if all entries have the same value, so that this digit sorts nothing.
  private static func turnIntoPlaces(_ places: inout [Int], _ digit: Int, _ range: Range<Int>) -> Bool {
    var place = range.lowerBound
    for slot in (digit << 8)..<((digit + 1) << 8) {
      let count = places[slot]
      if count == range.count { return false }
      places[slot] = place
      place += count
    }
    return true
  }
}
