/// The bytes of a sound LMDB file that have meaning, found by a separate, simple walk.
///
/// Not counted: the older meta page except the fields that LMDB checks in both, free pages, space between the entries
/// of a page, padding of keys and values to even sizes, the unused parts of page headers, and the bytes after a value
/// on its last overflow page. The key of a branch may be any other one between the last key before it and
/// the first one after it: every search ends where it ended before.
struct UsedBytes {
  private var isUsed: [Bool]
  private var separators: [Separator] = []
  /// The numbers of the pages of trees that are no leaves.
  private(set) var branches: [Int] = []
  private let bytes: [UInt8]
  private static let pageSize = 4_096

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isUsed = [Bool](repeating: false, count: bytes.count)
    let transactions = [number(144, 8), number(Self.pageSize + 144, 8)]
    let meta = transactions[1] > transactions[0] ? Self.pageSize : 0
    for start in [0, Self.pageSize] { markMeta(start, isNewest: start == meta) }
    walk(root: number(meta + 80, 8), kind: .free)
    walk(root: number(meta + 128, 8), kind: .main)
  }

  /// Returns the range of a page's bytes.
  static func page(_ number: Int) -> Range<Int> { number * pageSize..<(number + 1) * pageSize }

  private enum Kind { case free, main, table }

  /// The key of a branch that is not its first.
  private struct Separator {
    let range: Range<Int>
    /// The last key before it.
    let before: [UInt8]
    /// The first key that is not before it.
    let after: [UInt8]

    func separates(_ bytes: [UInt8]) -> Bool {
      guard range.upperBound <= bytes.count else { return false }
      let key = bytes[range]
      return before.lexicographicallyPrecedes(key) && !after.lexicographicallyPrecedes(key)
    }
  }

  /// Returns whether bytes with a meaning differ.
  ///
  /// - Parameter range: The bytes to compare; all if it is `nil`.
  func differ(_ other: [UInt8], from original: [UInt8], in range: Range<Int>? = nil) -> Bool {
    for index in range ?? isUsed.indices where isUsed[index] {
      if index >= other.count || other[index] != original[index] { return true }
    }
    return separators.contains { range?.overlaps($0.range) != false && !$0.separates(other) }
  }

  private func number(_ offset: Int, _ size: Int) -> Int {
    guard offset + size <= bytes.count else { return 0 }
    return (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) & 0xff }
  }

  private mutating func mark(_ offset: Int, _ count: Int) {
    for index in offset..<min(offset + count, isUsed.count) { isUsed[index] = true }
  }

  private mutating func markMeta(_ start: Int, isNewest: Bool) {
    mark(start + 10, 2)  // Flags.
    mark(start + 16, 8)  // Magic and version.
    mark(start + 40, 4)  // The size of pages.
    guard isNewest else { return }
    mark(start + 128, 8)  // The root of the tables; the root of the free pages is used only by writers, but is checked.
    mark(start + 80, 8)
    mark(start + 144, 8)
  }

  /// Marks the bytes of a tree; returns its first and its last key.
  @discardableResult
  private mutating func walk(root: Int, kind: Kind) -> (first: [UInt8], last: [UInt8])? {
    let start = root &* Self.pageSize
    guard root > 1, start + Self.pageSize <= bytes.count else { return nil }
    let isBranch = number(start + 10, 2) & 1 != 0
    if isBranch { branches.append(root) }
    mark(start, 8)
    mark(start + 10, 6)
    let lower = number(start + 12, 2)
    mark(start + 16, lower - 16)
    var keys: (first: [UInt8], last: [UInt8])?
    for index in 0..<(lower - 16) / 2 {
      let node = start + number(start + 16 + 2 * index, 2)
      let key = node + 8..<node + 8 + number(node + 6, 2)
      mark(node, 8)
      if isBranch {
        let below = walk(root: number(node, 4) | number(node + 4, 2) << 32, kind: kind)
        if index > 0, let keys, let below {
          separators.append(Separator(range: key, before: keys.last, after: below.first))
        }
        keys = below.map { (keys?.first ?? $0.first, $0.last) } ?? keys
      } else {
        mark(key.lowerBound, key.count)
        walkValue(key.upperBound, size: number(node, 4), flags: number(node + 4, 2), kind: kind)
        keys = (keys?.first ?? Array(bytes[key]), Array(bytes[key]))
      }
    }
    return keys
  }

  private mutating func walkValue(_ offset: Int, size: Int, flags: Int, kind: Kind) {
    if flags & 1 != 0 {
      mark(offset, 8)
      let page = number(offset, 8) &* Self.pageSize
      mark(page, 8)
      mark(page + 10, 2)
      mark(page + 16, size)
    } else if flags & 2 != 0 {
      mark(offset + 4, 44)
      walk(root: number(offset + 40, 8), kind: .table)
    } else {
      mark(offset, size)
    }
  }
}
