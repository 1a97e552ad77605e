import DaybookModel
import DaybookQuery
import LMDB

/// The numbers of entries in stretches of an index, from which ranks are computed.
///
/// The index has the keys already, so only every sixty-fourth of them is kept. The rank of a key is the sum of the
/// stretches before its own plus a walk inside its own; so each call needs a reader of the index in the state that was
/// counted.
struct IndexCounts {
  /// The prefix of the index's keys before the request's sorted keys.
  ///
  /// It consists of the tag and the values of the terms that the request does not sort by, which are the same in all
  /// rows.
  private let prefix: [UInt8]
  /// The end of the rows in the index.
  private let end: [UInt8]?
  /// The keys of the index at which stretches begin; the first is the start of all rows.
  private var starts: SortedKeys
  private var sizes: [Int]
  private var counts: FenwickTree
  private(set) var count: Int
  /// Stretches that have become too long or empty.
  private var strained: Set<Int> = []

  /// The initial number of rows of a stretch; with more than four times as many it is divided.
  private let stretchSize = IndexCounts.defaultStretchSize
  private var maximumStretchSize: Int { stretchSize * 4 }

  /// The stretch size, which tests lower in order to divide and empty stretches of a few rows.
  @TaskLocal static var defaultStretchSize = 64

  /// Counts the rows of a request; `nil` if no index has exactly these rows in this order.
  ///
  /// - Complexity: O(*n*).
  package init?(covering request: ResolvedRequest, in reader: Reader) throws {
    guard reader.layers.isEmpty, let cover = IndexCover(request, in: reader.model) else { return nil }
    var tag: [UInt8] = []
    tag.appendFixed(reader.model.entities[request.entity].indexes[cover.index].tag.number)
    prefix = tag + cover.prefix
    end = cover.range.upper.map { tag + $0 } ?? RowKey.successor(ofPrefix: tag)
    let start = tag + cover.range.lower
    let longest = 2 + SortKey.maximumTermsSize + ObjectID.byteCount
    var starts: [[UInt8]] = [start]
    var sizes: [Int] = []
    var size = 0
    var cursor = try reader.snapshot.makeCursor(in: reader.tables.indexes)
    var isValid = try cursor.seek(atOrAfter: start.rawSpan)
    while isValid, end.map({ compareBytes(cursor.key, $0.rawSpan) < 0 }) ?? true {
      // A key that was cut does not determine its row's place.
      if cursor.key.byteCount >= longest { return nil }
      if size == stretchSize {
        starts.append([UInt8](cursor.key))
        sizes.append(size)
        size = 0
      }
      size += 1
      isValid = try cursor.moveToNext()
    }
    sizes.append(size)
    self.starts = SortedKeys(sorted: starts)
    self.sizes = sizes
    counts = FenwickTree(sizes)
    count = sizes.reduce(0, +)
  }

  /// Whether the index has the whole key of a row.
  func holds(_ key: [UInt8]) -> Bool {
    prefix.count + key.count < 2 + SortKey.maximumTermsSize + ObjectID.byteCount
  }

  /// Returns the number of rows below a key.
  ///
  /// - Complexity: O(log *n*).
  func rank(of key: [UInt8], in reader: Reader) throws -> Int {
    let key = prefix + key
    let stretch = starts.index(atOrBefore: key) ?? 0
    var rank = counts.sum(ofFirst: stretch)
    guard sizes[stretch] > 0 else { return rank }
    var cursor = try reader.snapshot.makeCursor(in: reader.tables.indexes)
    var isValid = try cursor.seek(atOrAfter: starts[stretch].rawSpan)
    let last = rank + sizes[stretch]
    while isValid, rank < last, compareBytes(cursor.key, key.rawSpan) < 0 {
      rank += 1
      isValid = try cursor.moveToNext()
    }
    return rank
  }

  /// Returns the sorted keys of the rows in a range of ranks, which must exist.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  func keys(in numbers: Range<Int>, in reader: Reader) throws -> [[UInt8]] {
    guard !numbers.isEmpty else { return [] }
    let place = counts.place(of: numbers.lowerBound)
    var keys: [[UInt8]] = []
    keys.reserveCapacity(numbers.count)
    var cursor = try reader.snapshot.makeCursor(in: reader.tables.indexes)
    var isValid = try cursor.seek(atOrAfter: starts[place.index].rawSpan)
    for _ in 0..<place.offset where isValid { isValid = try cursor.moveToNext() }
    while isValid, keys.count < numbers.count {
      keys.append([UInt8](cursor.key.extracting(droppingFirst: prefix.count)))
      isValid = try cursor.moveToNext()
    }
    guard keys.count == numbers.count else {
      throw StoreError(.damaged, "An index has fewer rows than were counted.", advice: .verify)
    }
    return keys
  }

  /// Records that a row was added or removed. Call ``settle(in:)`` after all changes.
  mutating func note(_ difference: Int, at key: [UInt8]) {
    let stretch = starts.index(atOrBefore: prefix + key) ?? 0
    sizes[stretch] += difference
    counts.add(difference, at: stretch)
    count += difference
    if sizes[stretch] > maximumStretchSize || sizes[stretch] == 0 { strained.insert(stretch) }
  }

  /// Divides stretches that are too long, and removes empty ones.
  mutating func settle(in reader: Reader) throws {
    guard !strained.isEmpty else { return }
    for stretch in strained.sorted(by: >) {
      if sizes[stretch] > maximumStretchSize {
        try divide(stretch, in: reader)
      } else if sizes[stretch] == 0, stretch > 0 {
        starts.remove(starts[stretch])
        sizes.remove(at: stretch)
      }
    }
    strained.removeAll()
    counts = FenwickTree(sizes)
  }

  private mutating func divide(_ stretch: Int, in reader: Reader) throws {
    var cursor = try reader.snapshot.makeCursor(in: reader.tables.indexes)
    var isValid = try cursor.seek(atOrAfter: starts[stretch].rawSpan)
    var parts: [Int] = []
    var rest = sizes[stretch]
    while isValid, rest > stretchSize {
      for _ in 0..<stretchSize where isValid { isValid = try cursor.moveToNext() }
      guard isValid else { break }
      starts.insert([UInt8](cursor.key))
      parts.append(stretchSize)
      rest -= stretchSize
    }
    sizes.replaceSubrange(stretch...stretch, with: parts + [rest])
  }
}
