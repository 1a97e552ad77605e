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
struct MemoryNode: Equatable {
  static let capacity = 256
  private static let prefixesOffset = 128
  private static let recordsOffset = prefixesOffset + 8 * capacity
  private static let childrenOffset = recordsOffset + 8 * capacity
  private static let largestSkip = 56

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
  init(address: UnsafeMutableRawPointer) { self.address = address }

  @inline(__always)
  init?(_ address: UnsafeMutableRawPointer?) {
    guard let address else { return nil }
    self.address = address
  }

  static func make(isLeaf: Bool) -> Self {
    assert(MemoryLayout<Header>.size <= commonOffset && commonOffset + largestSkip <= prefixesOffset)
    let node = Self(address: .allocate(byteCount: size(isLeaf: isLeaf), alignment: 64))
    node.address.initializeMemory(as: Header.self, to: Header(isLeaf: isLeaf))
    return node
  }

  static func size(isLeaf: Bool) -> Int { isLeaf ? childrenOffset : childrenOffset + 8 * capacity }

  func deallocate() { address.deallocate() }
}

extension MemoryNode {
  @inline(__always)
  private var header: UnsafeMutablePointer<Header> { address.assumingMemoryBound(to: Header.self) }
  @inline(__always)
  private var common: UnsafeMutableRawPointer { address + Self.commonOffset }
  @inline(__always)
  private var prefixes: UnsafeMutablePointer<UInt64> {
    (address + Self.prefixesOffset).assumingMemoryBound(to: UInt64.self)
  }
  @inline(__always)
  private var records: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    (address + Self.recordsOffset).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }
  @inline(__always)
  private var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    (address + Self.childrenOffset).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  @inline(__always) var isLeaf: Bool { header.pointee.isLeaf }
  @inline(__always) var count: Int { header.pointee.count }
  @inline(__always) var isFull: Bool { count == Self.capacity }

  var parent: Self? {
    get { Self(header.pointee.parent) }
    nonmutating set { header.pointee.parent = newValue?.address }
  }
  var previous: Self? {
    get { Self(header.pointee.previous) }
    nonmutating set { header.pointee.previous = newValue?.address }
  }
  var next: Self? {
    get { Self(header.pointee.next) }
    nonmutating set { header.pointee.next = newValue?.address }
  }

  @inline(__always)
  func record(_ index: Int) -> MemoryRecord {
    assert(index >= 0 && index < count)
    return MemoryRecord(address: records[index])
  }

  /// Replaces a record by another one with the same key.
  func setRecord(_ index: Int, _ record: MemoryRecord) { records[index] = record.address }

  @inline(__always)
  func child(_ index: Int) -> Self {
    assert(!isLeaf && index >= 0 && index < count)
    return Self(address: children[index])
  }

  func index(ofChild child: Self) -> Int {
    guard let index = (0..<count).first(where: { children[$0] == child.address }) else {
      preconditionFailure("A node is a child of its parent")
    }
    return index
  }
}

extension MemoryNode {
  /// Finds the first record whose key is not less than a key, and whether it is equal.
  @inline(__always)
  func search(_ key: UnsafeRawBufferPointer) -> (index: Int, isEqual: Bool) {
    let count = count
    let skip = header.pointee.skip
    if skip > 0 {
      let order = memcmpOrZero(key.baseAddress, common, min(skip, key.count))
      if order < 0 { return (0, false) }
      if order > 0 { return (count, false) }
      // The key is a prefix of the bytes that all keys of the node share.
      if key.count < skip { return (0, false) }
    }
    let prefix = Self.prefix(of: key, after: skip)
    let index = firstIndex(notBelow: prefix, 0, count)
    guard index < count, prefixes[index] == prefix else { return (index, false) }
    return searchTies(key, prefix, from: index)
  }

  /// Searches among the records that agree with the key in the common bytes and the prefix.
  private func searchTies(_ key: UnsafeRawBufferPointer, _ prefix: UInt64, from start: Int) -> (Int, Bool) {
    var low = start
    let isAlone = start + 1 == count || prefixes[start + 1] != prefix
    var high = isAlone ? start + 1 : prefix == .max ? count : firstIndex(notBelow: prefix + 1, start, count)
    while low < high {
      let middle = (low + high) / 2
      let order = compareBytes(record(middle).key, key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  @inline(__always)
  private func firstIndex(notBelow prefix: UInt64, _ start: Int, _ end: Int) -> Int {
    var low = start
    var length = end - start
    let prefixes = prefixes
    // The loop has no branch that the processor could mispredict.
    while length > 0 {
      let half = length / 2
      let isBelow = prefixes[low + half] < prefix
      low = isBelow ? low + half + 1 : low
      length = isBelow ? length - half - 1 : half
    }
    return low
  }

  /// Returns the index of the child to which a key belongs.
  @inline(__always)
  func childIndex(for key: UnsafeRawBufferPointer) -> Int {
    let (index, isEqual) = search(key)
    return isEqual ? index : max(index - 1, 0)
  }

  /// Returns eight bytes of a key as a number with the same order.
  ///
  /// Missing bytes count as zeros.
  @inline(__always)
  private static func prefix(of key: UnsafeRawBufferPointer, after skip: Int) -> UInt64 {
    let length = key.count - skip
    if length >= 8 { return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: skip, as: UInt64.self)) }
    guard length > 0 else { return 0 }
    var prefix: UInt64 = 0
    for index in skip..<key.count { prefix = prefix << 8 | UInt64(key[index]) }
    return prefix << UInt64(8 * (8 - length))
  }
}

extension MemoryNode {
  /// Inserts a record and, in a branch, its child; the node must not be full.
  func insert(_ record: MemoryRecord, child: Self? = nil, at index: Int) {
    let count = count
    assert(index <= count && count < Self.capacity && (child != nil) == !isLeaf)
    let key = record.key
    if count == 0 {
      startSkip(key)
    } else if index == 0 || index == count {
      // Only a new first or last key can share fewer bytes with the other keys than they share with each other.
      lowerSkip(for: key)
    }
    let moved = count - index
    (prefixes + index + 1).update(from: prefixes + index, count: moved)
    (records + index + 1).update(from: records + index, count: moved)
    prefixes[index] = Self.prefix(of: key, after: header.pointee.skip)
    records[index] = record.address
    if let child {
      (children + index + 1).update(from: children + index, count: moved)
      children[index] = child.address
      child.parent = self
    }
    header.pointee.count = count + 1
  }

  /// Replaces the first record by one that is not greater.
  func lowerFirstRecord(to record: MemoryRecord) {
    lowerSkip(for: record.key)
    prefixes[0] = Self.prefix(of: record.key, after: header.pointee.skip)
    records[0] = record.address
  }

  func remove(at index: Int) {
    let moved = count - index - 1
    (prefixes + index).update(from: prefixes + index + 1, count: moved)
    (records + index).update(from: records + index + 1, count: moved)
    if !isLeaf { (children + index).update(from: children + index + 1, count: moved) }
    header.pointee.count -= 1
  }

  func removeAll() { header.pointee.count = 0 }

  /// Moves the records starting at an index into an empty node.
  func move(from index: Int, to other: Self) {
    let moved = count - index
    other.header.pointee.skip = header.pointee.skip
    memcpy(other.common, common, Self.largestSkip)
    other.prefixes.update(from: prefixes + index, count: moved)
    other.records.update(from: records + index, count: moved)
    if !isLeaf {
      other.children.update(from: children + index, count: moved)
      for index in 0..<moved { Self(address: other.children[index]).parent = other }
    }
    other.header.pointee.count = moved
    header.pointee.count = index
    raiseSkip()
    other.raiseSkip()
  }

  private func startSkip(_ key: UnsafeRawBufferPointer) {
    let skip = min(key.count, Self.largestSkip)
    if let source = key.baseAddress, skip > 0 { memcpy(common, source, skip) }
    header.pointee.skip = skip
  }

  private func lowerSkip(for key: UnsafeRawBufferPointer) {
    let skip = header.pointee.skip
    let shared = sharedCount(UnsafeRawBufferPointer(start: common, count: skip), key)
    guard shared < skip else { return }
    header.pointee.skip = shared
    updatePrefixes()
  }

  /// Skips more bytes if the remaining keys of the node share many more.
  ///
  /// For a byte or two, reading all their records would cost too much.
  private func raiseSkip() {
    let skip = header.pointee.skip
    guard count > 1, prefixes[0] ^ prefixes[count - 1] < 1 << 32 else { return }
    let first = record(0).key
    let shared = min(sharedCount(first, record(count - 1).key), Self.largestSkip)
    guard shared > skip, let source = first.baseAddress else { return }
    memcpy(common, source, shared)
    header.pointee.skip = shared
    updatePrefixes()
  }

  private func updatePrefixes() {
    let skip = header.pointee.skip
    for index in 0..<count { prefixes[index] = Self.prefix(of: record(index).key, after: skip) }
  }

  /// Checks the invariants of the node.
  func checkInvariants() {
    let skip = header.pointee.skip
    for index in 0..<count {
      let key = record(index).key
      precondition(key.count >= skip && memcmpOrZero(key.baseAddress, common, skip) == 0, "Keys begin as the node says")
      precondition(prefixes[index] == Self.prefix(of: key, after: skip), "Prefixes are those of the keys")
      if index > 0 { precondition(compareBytes(record(index - 1).key, key) < 0, "Keys rise") }
      if !isLeaf { precondition(child(index).parent == self, "Children know their parent") }
    }
  }
}

@inline(__always)
private func memcmpOrZero(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer, _ count: Int) -> CInt {
  guard count > 0, let left else { return 0 }
  return memcmp(left, right, count)
}

private func sharedCount(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let count = min(left.count, right.count)
  return (0..<count).first { left[$0] != right[$0] } ?? count
}
