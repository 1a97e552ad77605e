import CLMDB

/// A leaf of a tree in the map of a read transaction, whose entries are counted without visiting each.
///
/// LMDB has no call for that. A page is used only if it is what ``PageLayout`` describes and has the cursor's entry in
/// its place, and no offset leads out of it; else the caller moves the cursor from entry to entry.
@safe
struct LeafPage {
  private let start: UnsafeRawPointer
  private let size: Int
  /// The number of entries.
  let count: Int

  /// Finds the page of an entry.
  ///
  /// - Parameters:
  ///   - key: The entry's key in the map.
  ///   - pageSize: The size of all pages, a power of two.
  init?(of key: MDB_val, pageSize: Int) {
    guard let address = unsafe key.mv_data, PageLayout.pageSizes.contains(pageSize), pageSize & (pageSize - 1) == 0
    else { return nil }
    // The map begins at a page of the system. If its pages are smaller than these, this may be another place: then the
    // entry is not found in it.
    unsafe start = unsafe UnsafeRawPointer(address - Int(bitPattern: address) % pageSize)
    size = pageSize
    let (flags, lower, upper) = unsafe (
      LeafPage.number(start, 10), LeafPage.number(start, 12), LeafPage.number(start, 14)
    )
    guard flags == PageLayout.leafFlag, lower >= PageLayout.headerSize, lower <= upper, upper <= pageSize else {
      return nil
    }
    count = (lower - PageLayout.headerSize) / 2
  }

  private static func number(_ start: UnsafeRawPointer, _ offset: Int) -> Int {
    unsafe Int(start.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Returns the key of an entry, or `nil` if it is not inside of the page.
  func key(_ index: Int) -> MDB_val? {
    guard index >= 0, index < count else { return nil }
    let node = unsafe LeafPage.number(start, PageLayout.headerSize + 2 * index)
    guard node + PageLayout.nodeHeaderSize <= size else { return nil }
    let (keySize, offset) = unsafe (LeafPage.number(start, node + 6), node + PageLayout.nodeHeaderSize)
    guard offset + keySize <= size else { return nil }
    return unsafe MDB_val(mv_size: keySize, mv_data: UnsafeMutableRawPointer(mutating: start + offset))
  }

  /// Returns the value of an entry, or `nil` if it is on pages of its own or not inside of the page.
  func value(_ index: Int) -> MDB_val? {
    guard let key = unsafe key(index), let keyStart = unsafe key.mv_data else { return nil }
    let offset = unsafe keyStart - UnsafeMutableRawPointer(mutating: start)
    let node = offset - PageLayout.nodeHeaderSize
    let (low, high, flags) = unsafe (
      LeafPage.number(start, node), LeafPage.number(start, node + 2), LeafPage.number(start, node + 4)
    )
    let (valueOffset, valueSize) = unsafe (offset + key.mv_size, low | high << 16)
    guard flags == 0, valueOffset + valueSize <= size else { return nil }
    return unsafe MDB_val(mv_size: valueSize, mv_data: UnsafeMutableRawPointer(mutating: start + valueOffset))
  }

  /// Returns the indices of the entries from one to the last before a key, or `nil` for a wrong page.
  func entries(from entry: MDB_val, before end: UnsafeRawBufferPointer?, limit: Int) -> Range<Int>? {
    guard let first = unsafe index(of: entry), let last = unsafe key(count - 1) else { return nil }
    var stop = count
    if let end = unsafe end,
      unsafe compareBytes(UnsafeRawBufferPointer(start: last.mv_data, count: last.mv_size), end) >= 0
    {
      guard let found = unsafe index(from: first, atOrAfter: end) else { return nil }
      stop = found
    }
    return first..<(stop - first > limit ? first + limit : stop)
  }

  /// Returns the index of the first entry from an index on whose key is not less than a key, or `nil` for a wrong page.
  private func index(from first: Int, atOrAfter key: UnsafeRawBufferPointer) -> Int? {
    var (low, high) = (first, count)
    while low < high {
      let middle = (low + high) / 2
      guard let found = unsafe self.key(middle) else { return nil }
      let order = unsafe compareBytes(UnsafeRawBufferPointer(start: found.mv_data, count: found.mv_size), key)
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index of an entry, or `nil` if the page does not have it.
  private func index(of entry: MDB_val) -> Int? {
    // After a move to another page it is the first one.
    if let first = unsafe key(0), unsafe first.mv_data == entry.mv_data { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: entry.mv_data, count: entry.mv_size)
    guard let index = unsafe index(from: 0, atOrAfter: bytes), let found = unsafe key(index),
      unsafe found.mv_data == entry.mv_data
    else { return nil }
    return index
  }

  /// Returns the number of entries in a range of indices whose keys have at least a size.
  func longCount(in range: Range<Int>, longSize: Int) -> Int {
    // No key is as long as that.
    guard longSize < size else { return 0 }
    var long = 0
    for index in range { if let key = unsafe key(index), unsafe key.mv_size >= longSize { long += 1 } }
    return long
  }
}
