import CChecksum

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A node of a ``MemoryTree``: up to 256 records in key order, with children in a branch.
///
/// A search reads as few records as possible, because each costs a cache miss. All keys of a node begin with the same
/// bytes, which are stored once (`skip` counts them); the next eight bytes of each key are stored as a number in a
/// separate array, over which the binary search runs. Only keys that agree in all these bytes are compared in full.
///
/// In a branch, record *i* is a key that is not greater than any key under child *i* and greater than all keys under
/// child *i* - 1; for child 0 the first condition need not hold.
@unsafe
struct MemoryNode: Equatable {
  static let capacity = 256
  private static let prefixesOffset = 128
  private static let recordsOffset = prefixesOffset + 8 * capacity
  private static let childrenOffset = recordsOffset + 8 * capacity
  private static let largestSkip = 56

  @unsafe
  private struct Header {
    var count = 0
    var skip = 0
    var parent: UnsafeMutableRawPointer?
    var previous: UnsafeMutableRawPointer?
    var next: UnsafeMutableRawPointer?
    var isLeaf: Bool
    // The common bytes follow, in the rest of the space before the prefixes.
  }
  private static let commonOffset = 64

  let address: UnsafeMutableRawPointer

  @inline(__always)
  init(address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

  @inline(__always)
  init?(_ address: UnsafeMutableRawPointer?) {
    guard let address = unsafe address else { return nil }
    unsafe self.address = unsafe address
  }

  static func make(isLeaf: Bool) -> Self {
    unsafe assert(MemoryLayout<Header>.size <= commonOffset && commonOffset + largestSkip <= prefixesOffset)
    let node = unsafe Self(address: .allocate(byteCount: size(isLeaf: isLeaf), alignment: 64))
    unsafe node.address.initializeMemory(as: Header.self, to: Header(isLeaf: isLeaf))
    return unsafe node
  }

  static func size(isLeaf: Bool) -> Int { unsafe isLeaf ? childrenOffset : childrenOffset + 8 * capacity }

  func deallocate() { unsafe address.deallocate() }

  @inline(__always)
  static func == (left: Self, right: Self) -> Bool { unsafe left.address == right.address }
}

extension MemoryNode {
  @inline(__always)
  private var header: UnsafeMutablePointer<Header> { unsafe address.assumingMemoryBound(to: Header.self) }
  @inline(__always)
  private var common: UnsafeMutableRawPointer { unsafe address + Self.commonOffset }
  @inline(__always)
  private var prefixes: UnsafeMutablePointer<UInt64> {
    unsafe (address + Self.prefixesOffset).assumingMemoryBound(to: UInt64.self)
  }
  @inline(__always)
  private var records: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    unsafe (address + Self.recordsOffset).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }
  @inline(__always)
  private var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    unsafe (address + Self.childrenOffset).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  @inline(__always) var isLeaf: Bool { unsafe header.pointee.isLeaf }
  @inline(__always) var count: Int { unsafe header.pointee.count }
  @inline(__always) var isFull: Bool { unsafe count == Self.capacity }

  var parent: Self? {
    get { unsafe Self(header.pointee.parent) }
    nonmutating set { unsafe header.pointee.parent = unsafe newValue?.address }
  }
  var previous: Self? {
    get { unsafe Self(header.pointee.previous) }
    nonmutating set { unsafe header.pointee.previous = unsafe newValue?.address }
  }
  var next: Self? {
    get { unsafe Self(header.pointee.next) }
    nonmutating set { unsafe header.pointee.next = unsafe newValue?.address }
  }

  @inline(__always)
  func record(_ index: Int) -> MemoryRecord {
    unsafe assert(index >= 0 && index < count)
    return unsafe MemoryRecord(address: records[index])
  }

  /// Asks the processor to load a record, if the node has it.
  @inline(__always)
  func prefetchRecord(_ index: Int) {
    guard unsafe index < count else { return }
    // A record of an index fits two lines of the processor's cache.
    unsafe daybook_prefetch(records[index])
    unsafe daybook_prefetch(records[index] + 64)
  }

  /// Replaces a record by another one with the same key.
  func setRecord(_ index: Int, _ record: MemoryRecord) { unsafe records[index] = unsafe record.address }

  @inline(__always)
  func child(_ index: Int) -> Self {
    unsafe assert(!isLeaf && index >= 0 && index < count)
    return unsafe Self(address: children[index])
  }

  func index(ofChild child: Self) -> Int {
    guard let index = unsafe (0..<count).first(where: { unsafe children[$0] == child.address }) else {
      preconditionFailure("A node is a child of its parent")
    }
    return index
  }
}

extension MemoryNode {
  /// Finds the first record whose key is not less than a key, and whether it is equal.
  @inline(__always)
  func search(_ key: UnsafeRawBufferPointer) -> (index: Int, isEqual: Bool) {
    let count = unsafe count
    let skip = unsafe header.pointee.skip
    if skip > 0 {
      let order = unsafe memcmpOrZero(key.baseAddress, common, min(skip, key.count))
      if order < 0 { return (0, false) }
      if order > 0 { return (count, false) }
      // The key is a prefix of the bytes that all keys of the node share.
      if key.count < skip { return (0, false) }
    }
    let prefix = unsafe Self.prefix(of: key, after: skip)
    let index = unsafe firstIndex(notBelow: prefix, 0, count)
    guard index < count, unsafe prefixes[index] == prefix else { return (index, false) }
    return unsafe searchTies(key, prefix, from: index)
  }

  /// Searches among the records that agree with the key in the common bytes and the prefix.
  private func searchTies(_ key: UnsafeRawBufferPointer, _ prefix: UInt64, from start: Int) -> (Int, Bool) {
    var low = start
    let isAlone = unsafe start + 1 == count || prefixes[start + 1] != prefix
    var high = unsafe isAlone ? start + 1 : prefix == .max ? count : firstIndex(notBelow: prefix + 1, start, count)
    while low < high {
      let middle = (low + high) / 2
      let order = unsafe compareBytes(record(middle).key, key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  @inline(__always)
  private func firstIndex(notBelow prefix: UInt64, _ start: Int, _ end: Int) -> Int {
    var low = start
    var length = end - start
    let prefixes = unsafe prefixes
    // The loop has no branch that the processor could mispredict.
    while length > 0 {
      let half = length / 2
      let isBelow = unsafe prefixes[low + half] < prefix
      low = isBelow ? low + half + 1 : low
      length = isBelow ? length - half - 1 : half
    }
    return low
  }

  /// Returns the index of the child to which a key belongs.
  @inline(__always)
  func childIndex(for key: UnsafeRawBufferPointer) -> Int {
    let (index, isEqual) = unsafe search(key)
    return isEqual ? index : max(index - 1, 0)
  }

  /// Returns eight bytes of a key as a number with the same order.
  ///
  /// Missing bytes count as zeros.
  @inline(__always)
  static func prefix(of key: UnsafeRawBufferPointer, after skip: Int) -> UInt64 {
    let length = key.count - skip
    if length >= 8 { return unsafe UInt64(bigEndian: key.loadUnaligned(fromByteOffset: skip, as: UInt64.self)) }
    guard length > 0 else { return 0 }
    var prefix: UInt64 = 0
    for index in skip..<key.count { prefix = unsafe prefix << 8 | UInt64(key[index]) }
    return prefix << UInt64(8 * (8 - length))
  }
}

extension MemoryNode {
  /// Inserts a record and, in a branch, its child; the node must not be full.
  func insert(_ record: MemoryRecord, child: Self? = nil, at index: Int) {
    let count = unsafe count
    unsafe assert(index <= count && count < Self.capacity && (child != nil) == !isLeaf)
    let key = unsafe record.key
    if count == 0 {
      unsafe startSkip(key)
    } else if index == 0 || index == count {
      // Only a new first or last key can share fewer bytes with the other keys than they share with each other.
      unsafe lowerSkip(for: key)
    }
    let moved = count - index
    unsafe (prefixes + index + 1).update(from: prefixes + index, count: moved)
    unsafe (records + index + 1).update(from: records + index, count: moved)
    unsafe prefixes[index] = unsafe Self.prefix(of: key, after: header.pointee.skip)
    unsafe records[index] = unsafe record.address
    if let child = unsafe child {
      unsafe (children + index + 1).update(from: children + index, count: moved)
      unsafe children[index] = unsafe child.address
      unsafe child.parent = unsafe self
    }
    unsafe header.pointee.count = count + 1
  }

  /// Fills an empty leaf with a range of records whose keys rise.
  func fill(_ source: borrowing PlainList<MemoryRecord>, _ range: Range<Int>) {
    unsafe assert(isLeaf && count == 0 && !range.isEmpty && range.count <= Self.capacity)
    let first = unsafe source[range.lowerBound].key
    let last = unsafe source[range.upperBound - 1].key
    unsafe startSkip(UnsafeRawBufferPointer(rebasing: first[..<sharedCount(first, last)]))
    let skip = unsafe header.pointee.skip
    for index in range {
      let record = unsafe source[index]
      unsafe prefixes[index - range.lowerBound] = unsafe Self.prefix(of: record.key, after: skip)
      unsafe records[index - range.lowerBound] = unsafe record.address
    }
    unsafe header.pointee.count = range.count
  }

  /// Replaces the first record by one that is not greater.
  func lowerFirstRecord(to record: MemoryRecord) {
    unsafe lowerSkip(for: record.key)
    unsafe prefixes[0] = unsafe Self.prefix(of: record.key, after: header.pointee.skip)
    unsafe records[0] = unsafe record.address
  }

  func remove(at index: Int) {
    let moved = unsafe count - index - 1
    unsafe (prefixes + index).update(from: prefixes + index + 1, count: moved)
    unsafe (records + index).update(from: records + index + 1, count: moved)
    if unsafe !isLeaf { unsafe (children + index).update(from: children + index + 1, count: moved) }
    unsafe header.pointee.count -= 1
  }

  func removeAll() { unsafe header.pointee.count = 0 }

  /// Moves the records starting at an index into an empty node.
  func move(from index: Int, to other: Self) {
    let moved = unsafe count - index
    unsafe other.header.pointee.skip = unsafe header.pointee.skip
    unsafe memcpy(other.common, common, Self.largestSkip)
    unsafe other.prefixes.update(from: prefixes + index, count: moved)
    unsafe other.records.update(from: records + index, count: moved)
    if unsafe !isLeaf {
      unsafe other.children.update(from: children + index, count: moved)
      for index in 0..<moved { unsafe Self(address: other.children[index]).parent = unsafe other }
    }
    unsafe other.header.pointee.count = moved
    unsafe header.pointee.count = index
    unsafe raiseSkip()
    unsafe other.raiseSkip()
  }

  private func startSkip(_ key: UnsafeRawBufferPointer) {
    let skip = unsafe min(key.count, Self.largestSkip)
    if let source = key.baseAddress, skip > 0 { unsafe memcpy(common, source, skip) }
    unsafe header.pointee.skip = skip
  }

  private func lowerSkip(for key: UnsafeRawBufferPointer) {
    let skip = unsafe header.pointee.skip
    let shared = unsafe sharedCount(UnsafeRawBufferPointer(start: common, count: skip), key)
    guard shared < skip else { return }
    unsafe header.pointee.skip = shared
    unsafe updatePrefixes()
  }

  /// Skips more bytes if the remaining keys of the node share many more.
  ///
  /// For a byte or two, reading all their records would cost too much.
  private func raiseSkip() {
    let skip = unsafe header.pointee.skip
    guard unsafe count > 1, unsafe prefixes[0] ^ prefixes[count - 1] < 1 << 32 else { return }
    let first = unsafe record(0).key
    let shared = unsafe min(sharedCount(first, record(count - 1).key), Self.largestSkip)
    guard shared > skip, let source = first.baseAddress else { return }
    unsafe memcpy(common, source, shared)
    unsafe header.pointee.skip = shared
    unsafe updatePrefixes()
  }

  private func updatePrefixes() {
    let skip = unsafe header.pointee.skip
    for index in unsafe 0..<count { unsafe prefixes[index] = unsafe Self.prefix(of: record(index).key, after: skip) }
  }

  /// Checks the invariants of the node.
  func checkInvariants() {
    let skip = unsafe header.pointee.skip
    for index in unsafe 0..<count {
      let key = unsafe record(index).key
      unsafe precondition(
        key.count >= skip && memcmpOrZero(key.baseAddress, common, skip) == 0, "Keys begin as the node says")
      unsafe precondition(prefixes[index] == Self.prefix(of: key, after: skip), "Prefixes are those of the keys")
      if index > 0 { unsafe precondition(compareBytes(record(index - 1).key, key) < 0, "Keys rise") }
      if unsafe !isLeaf { unsafe precondition(child(index).parent == self, "Children know their parent") }
    }
  }
}

@inline(__always)
private func memcmpOrZero(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer, _ count: Int) -> CInt {
  guard count > 0, let left = unsafe left else { return 0 }
  return unsafe memcmp(left, right, count)
}

private func sharedCount(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let count = min(left.count, right.count)
  return (0..<count).first { unsafe left[$0] != right[$0] } ?? count
}
