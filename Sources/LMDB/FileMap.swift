/// Where an environment's file is in memory, to compare the pages that a cursor reaches with their places in the file.
///
/// LMDB follows the page numbers in branches and does not compare them with the numbers in the pages. Two pages that
/// were exchanged would be read as if each were the other, and their rows, which are sound, would be returned in the wrong
/// order or left out.
@usableFromInline
struct FileMap: Sendable {
  /// The address of the first byte.
  @usableFromInline let start: UInt
  @usableFromInline let size: UInt
  /// The size of a page, a power of two.
  @usableFromInline let pageSize: UInt

  /// Returns the offset of the page of an address, or `nil` for memory outside of the map.
  ///
  /// The pages that a write transaction has changed are there.
  @inlinable
  func page(of address: UInt) -> UInt? {
    let offset = address &- start
    return offset < size ? offset & ~(pageSize &- 1) : nil
  }

  /// Whether the page at an offset is a leaf with the number of its place.
  @usableFromInline
  func isLeaf(at offset: UInt) -> Bool { isPage(at: offset, PageLayout.leafFlag) }

  /// Whether a key is the first one of its page; `false` for memory outside of the map.
  @usableFromInline
  func isFirstKey(at address: UInt) -> Bool {
    guard let offset = page(of: address), let page = unsafe UnsafeRawPointer(bitPattern: start + offset) else {
      return false
    }
    let node = unsafe UInt(page.loadUnaligned(fromByteOffset: PageLayout.headerSize, as: UInt16.self))
    return start + offset + node + UInt(PageLayout.nodeHeaderSize) == address
  }

  private func isPage(at offset: UInt, _ flag: Int) -> Bool {
    guard let page = unsafe UnsafeRawPointer(bitPattern: start + offset) else { return false }
    return unsafe page.loadUnaligned(as: UInt64.self) == UInt64(offset / pageSize)
      && Int(page.loadUnaligned(fromByteOffset: 10, as: UInt16.self)) == flag
  }
}

extension FileMap {
  /// Returns the address of the last key of a tree, or `nil` if a page on the way to it is damaged.
  ///
  /// - Parameters:
  ///   - record: The record of the tree.
  ///   - lastPage: The number of the last page in use; no page beyond it is read.
  func lastKeyAddress(of record: TableRecord, lastPage: UInt) -> UInt? {
    guard (1...PageLayout.maximumDepth).contains(record.depth) else { return nil }
    var number = UInt(record.root)
    for level in 1...record.depth {
      let isLeaf = level == record.depth
      guard number <= lastPage, number < size / pageSize,
        isPage(at: number * pageSize, isLeaf ? PageLayout.leafFlag : PageLayout.branchFlag),
        let node = unsafe lastNode(ofPageAt: number * pageSize, least: isLeaf ? 1 : 2)
      else { return nil }
      if isLeaf { return UInt(bitPattern: node) + UInt(PageLayout.nodeHeaderSize) }
      // A branch has the number in three parts.
      let (low, middle, high) = unsafe (
        node.loadUnaligned(as: UInt16.self), node.loadUnaligned(fromByteOffset: 2, as: UInt16.self),
        node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
      )
      number = UInt(low) | UInt(middle) << 16 | UInt(high) << 32
    }
    return nil
  }

  /// Returns the last entry of a page, or `nil` if the page has too few entries, or the entry is not inside of it.
  private func lastNode(ofPageAt offset: UInt, least: Int) -> UnsafeRawPointer? {
    guard let page = unsafe UnsafeRawPointer(bitPattern: start + offset) else { return nil }
    let lower = unsafe Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    let count = (lower - PageLayout.headerSize) / 2
    guard count >= least, lower <= Int(pageSize) else { return nil }
    let node = unsafe Int(page.loadUnaligned(fromByteOffset: lower - 2, as: UInt16.self))
    guard node >= lower, node + PageLayout.nodeHeaderSize <= Int(pageSize) else { return nil }
    return unsafe page + node
  }
}
