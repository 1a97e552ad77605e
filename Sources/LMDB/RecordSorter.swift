/// Sorts records that were collected in any order, and removes all but the last record of each key.
///
/// A comparison of two records costs two cache misses. So eight bytes of each key are kept beside the record's address,
/// as a number with the same order, and sorted by their digits; only records that agree in these bytes are read again,
/// for the next eight.
@unsafe
struct RecordSorter {
  /// A record, with eight bytes of its key.
  @unsafe
  struct Entry: BitwiseCopyable {
    var prefix: UInt64
    let record: MemoryRecord
  }

  /// The memory that sorting takes for each record, in bytes.
  static let sizeOfEntryInBytes = unsafe 2 * MemoryLayout<Entry>.stride

  private let entries: UnsafeMutablePointer<Entry>
  private let scratch: UnsafeMutablePointer<Entry>
  private var count: Int

  /// The greatest number of records that are sorted by comparing them.
  private static let maximumCountToCompare = 48

  /// Sorts records by their keys; of records with the same key, only the last one of the list stays.
  ///
  /// - Returns: The records, with rising keys.
  static func sort(_ records: borrowing PlainList<MemoryRecord>) -> PlainList<MemoryRecord> {
    var sorter = unsafe RecordSorter(records)
    unsafe sorter.sort()
    unsafe sorter.removeDuplicates()
    var sorted = unsafe PlainList<MemoryRecord>()
    for index in unsafe 0..<sorter.count { unsafe sorted.append(sorter.entries[index].record) }
    unsafe sorter.deallocate()
    return unsafe sorted
  }

  private init(_ records: borrowing PlainList<MemoryRecord>) {
    unsafe count = unsafe records.count
    unsafe entries = unsafe .allocate(capacity: count)
    unsafe scratch = unsafe .allocate(capacity: count)
    for index in unsafe 0..<count {
      unsafe (entries + index).initialize(to: Entry(prefix: 0, record: records[index]))
    }
  }

  private func deallocate() {
    unsafe entries.deallocate()
    unsafe scratch.deallocate()
  }

  private func sort() {
    guard unsafe count > 1 else { return }
    unsafe sort(0..<count, after: 0)
  }

  /// Sorts records that agree in their first bytes.
  private func sort(_ range: Range<Int>, after agreed: Int) {
    guard unsafe range.count > Self.maximumCountToCompare else { return unsafe sortByComparing(range, after: agreed) }
    let skip = unsafe sharedCount(range, after: agreed)
    unsafe readPrefixes(range, after: skip)
    unsafe sortByPrefix(range)
    unsafe forEachTie(range) { tie in
      // Keys that end within the eight bytes would agree in them again.
      if tie.allSatisfy({ unsafe entries[$0].record.key.count >= skip + 8 }) {
        unsafe sort(tie, after: skip + 8)
      } else {
        unsafe mergeSort(tie)
      }
    }
  }

  /// Sorts a few records by insertion.
  private func sortByComparing(_ range: Range<Int>, after agreed: Int) {
    unsafe readPrefixes(range, after: agreed)
    for index in range.dropFirst() {
      let entry = unsafe entries[index]
      var place = index
      while place > range.lowerBound, unsafe precedes(entry, entries[place - 1]) {
        unsafe entries[place] = unsafe entries[place - 1]
        place -= 1
      }
      unsafe entries[place] = unsafe entry
    }
  }

  private func precedes(_ left: Entry, _ right: Entry) -> Bool {
    if unsafe left.prefix != right.prefix { return unsafe left.prefix < right.prefix }
    return unsafe compareBytes(left.record.key, right.record.key) < 0
  }

  /// Sorts records by whole keys; records with equal keys keep their order.
  private func mergeSort(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    let middle = range.lowerBound + range.count / 2
    unsafe mergeSort(range.lowerBound..<middle)
    unsafe mergeSort(middle..<range.upperBound)
    unsafe (scratch + range.lowerBound).update(from: entries + range.lowerBound, count: range.count)
    var (left, right) = (range.lowerBound, middle)
    for index in range {
      let takesRight =
        unsafe left == middle
        || (right < range.upperBound && compareBytes(scratch[right].record.key, scratch[left].record.key) < 0)
      unsafe entries[index] = unsafe scratch[takesRight ? right : left]
      if takesRight { right += 1 } else { left += 1 }
    }
  }

  /// Returns the number of bytes with which all keys of a range begin.
  private func sharedCount(_ range: Range<Int>, after agreed: Int) -> Int {
    let first = unsafe entries[range.lowerBound].record.key
    var shared = first.count
    for index in range.dropFirst() {
      let key = unsafe entries[index].record.key
      shared = min(shared, key.count)
      var count = agreed
      while count < shared, unsafe first[count] == key[count] { count += 1 }
      shared = count
      if shared == agreed { break }
    }
    return shared
  }

  private func readPrefixes(_ range: Range<Int>, after skip: Int) {
    for index in range {
      unsafe entries[index].prefix = unsafe MemoryNode.prefix(of: entries[index].record.key, after: skip)
    }
  }

  /// Calls `body` with each range of two or more entries that have the same prefix.
  private func forEachTie(_ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = range.lowerBound
    while start < range.upperBound {
      let prefix = unsafe entries[start].prefix
      var end = start + 1
      while end < range.upperBound, unsafe entries[end].prefix == prefix { end += 1 }
      if end - start > 1 { body(start..<end) }
      start = end
    }
  }

  /// Sorts by the digits of the prefixes, from the last to the first; entries with equal prefixes keep their order.
  private func sortByPrefix(_ range: Range<Int>) {
    let histogram = UnsafeMutablePointer<Int>.allocate(capacity: 8 * 256)
    defer { unsafe histogram.deallocate() }
    unsafe histogram.initialize(repeating: 0, count: 8 * 256)
    for index in range {
      let prefix = unsafe entries[index].prefix
      for digit in 0..<8 {
        unsafe histogram[digit << 8 | Int(truncatingIfNeeded: prefix &>> UInt64(digit << 3) & 0xff)] &+= 1
      }
    }
    var (source, target) = unsafe (entries, scratch)
    for digit in 0..<8 where unsafe turnIntoPlaces(histogram + digit << 8, range) {
      let places = unsafe histogram + digit << 8
      for index in range {
        let entry = unsafe source[index]
        let value = unsafe Int(truncatingIfNeeded: entry.prefix &>> UInt64(digit << 3) & 0xff)
        unsafe target[places[value]] = unsafe entry
        unsafe places[value] &+= 1
      }
      unsafe (source, target) = unsafe (target, source)
    }
    if unsafe source != entries {
      unsafe (entries + range.lowerBound).update(from: source + range.lowerBound, count: range.count)
    }
  }

  /// Turns the counts of a digit's values into the places of the first entry with each value.
  ///
  /// - Returns: `false` if all entries have the same value, so that this digit sorts nothing.
  private func turnIntoPlaces(_ counts: UnsafeMutablePointer<Int>, _ range: Range<Int>) -> Bool {
    var place = range.lowerBound
    for value in 0..<256 {
      let count = unsafe counts[value]
      if count == range.count { return false }
      unsafe counts[value] = place
      place += count
    }
    return true
  }

  /// Keeps the last entry of each key.
  private mutating func removeDuplicates() {
    var kept = 0
    for index in unsafe 0..<count {
      let isLast =
        unsafe index + 1 == count || entries[index].prefix != entries[index + 1].prefix
        || compareBytes(entries[index].record.key, entries[index + 1].record.key) != 0
      guard isLast else { continue }
      unsafe entries[kept] = unsafe entries[index]
      kept += 1
    }
    unsafe count = kept
  }
}
