import LMDB

/// Sorted keys that know their numbers: how many keys are below a given one, and which is the n-th.
///
/// The keys lie in blocks of a few hundred, and a tree of counts says how many are before a block. Measured against
/// balanced trees this is several times faster and takes a few bytes a key beside the key itself.
struct KeyList {
  private(set) var count = 0
  private var blocks: [KeyBlock] = []
  private var counts = CountTree()

  /// An empty list.
  init() {}

  /// - Parameter keys: In order, none twice.
  /// - Complexity: O(*n*).
  init(sorted keys: [[UInt8]]) {
    self.init(count: keys.count) { keys[$0][...] }
  }

  /// - Parameter order: The indexes of all keys of the buffer, so that these rise.
  /// - Complexity: O(*n*).
  init(sorted buffer: SortedKeyBuffer, in order: [Int]) {
    self.init(count: order.count) { buffer[order[$0]] }
  }

  private init(count: Int, _ key: (Int) -> ArraySlice<UInt8>) {
    self.count = count
    var start = 0
    while start < count {
      // Blocks are begun three quarters full, so that the first inserts need not split them.
      var (end, size) = (start, 0)
      while end < count, end - start < KeyBlock.maximumCount * 3 / 4, size <= KeyBlock.maximumSizeInBytes / 2 {
        size += key(end).count
        end += 1
      }
      var block = KeyBlock()
      block.reserveCapacity(end - start, sizeInBytes: size)
      for index in start..<end { block.append(key(index)) }
      blocks.append(block)
      start = end
    }
    counts = CountTree(blocks.map(\.count))
  }

  /// What the list takes in memory.
  var sizeInBytes: Int { blocks.reduce(0) { $0 + $1.sizeInBytes } }

  /// The key of a number.
  ///
  /// - Complexity: O(log *n*).
  subscript(number: Int) -> [UInt8] {
    precondition(number >= 0 && number < count, "There is no key of this number.")
    let place = counts.place(of: number)
    return blocks[place.index][place.offset]
  }

  /// How many keys are less than `key`.
  ///
  /// - Complexity: O(log *n*).
  func rank(of key: [UInt8]) -> Int {
    guard let block = block(for: key) else { return 0 }
    return counts.sum(ofFirst: block) + blocks[block].lowerBound(key)
  }

  /// The number of the last key that is not greater than `key`; nil if there is none.
  func index(atOrBefore key: [UInt8]) -> Int? {
    guard let block = block(for: key) else { return nil }
    let index = blocks[block].lowerBound(key)
    let isEqual = index < blocks[block].count && blocks[block].compare(index, key) == 0
    let number = counts.sum(ofFirst: block) + index
    return isEqual ? number : number == 0 ? nil : number - 1
  }

  func contains(_ key: [UInt8]) -> Bool {
    guard let block = block(for: key) else { return false }
    let index = blocks[block].lowerBound(key)
    return index < blocks[block].count && blocks[block].compare(index, key) == 0
  }

  /// The last block whose first key is not greater than `key`; the first block if there is none.
  private func block(for key: [UInt8]) -> Int? {
    guard !blocks.isEmpty else { return nil }
    var (low, high) = (1, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].compare(0, key) <= 0 { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  /// Adds a key.
  ///
  /// - Returns: False if it was there.
  /// - Complexity: O(log *n*); now and then O(*n* / 512).
  @discardableResult
  mutating func insert(_ key: [UInt8]) -> Bool {
    guard let block = block(for: key) else {
      self = KeyList(sorted: [key])
      return true
    }
    let index = blocks[block].lowerBound(key)
    if index < blocks[block].count, blocks[block].compare(index, key) == 0 { return false }
    blocks[block].insert(key, at: index)
    count += 1
    if blocks[block].isTooLarge {
      let second = blocks[block].splitOff()
      blocks.insert(second, at: block + 1)
      counts = CountTree(blocks.map(\.count))
    } else {
      counts.add(1, at: block)
    }
    return true
  }

  /// Takes a key out.
  ///
  /// - Returns: False if it was not there.
  /// - Complexity: As ``insert(_:)``.
  @discardableResult
  mutating func remove(_ key: [UInt8]) -> Bool {
    guard let block = block(for: key) else { return false }
    let index = blocks[block].lowerBound(key)
    guard index < blocks[block].count, blocks[block].compare(index, key) == 0 else { return false }
    blocks[block].remove(at: index)
    count -= 1
    if blocks[block].count == 0 {
      blocks.remove(at: block)
      counts = CountTree(blocks.map(\.count))
    } else {
      counts.add(-1, at: block)
    }
    return true
  }

  /// All keys in order.
  var keys: some Sequence<[UInt8]> {
    blocks.lazy.flatMap { block in (0..<block.count).lazy.map { block[$0] } }
  }
}
