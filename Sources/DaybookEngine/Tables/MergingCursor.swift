import DaybookModel
import LMDB

/// Visits the rows of a table and of the layers above it as one sorted sequence.
///
/// If several levels hold a key, the highest level counts; a deletion in it hides the row. The cursor reads the levels
/// as they are when it is placed: after a change to a layer it must be placed again.
package struct MergingCursor: ~Copyable {
  private var base: Cursor
  private var layers: [LayerCursor]
  private var isForward = true
  /// The level of the present row, -1 for the base, or `nil` when there is no row.
  private var current: Int?
  private var limit = Limit.none

  /// The limit after which the caller needs no rows.
  ///
  /// A row beyond the limit may or may not be found. But rows hidden by deletions are not skipped there: otherwise a
  /// commit that deletes many objects, each after a read of its links, would pass the deleted links of all the other
  /// objects each time.
  package enum Limit {
    case none
    /// Keys that do not begin with these bytes are beyond the limit.
    case prefix([UInt8])
    /// Forward, this key and later keys are beyond the limit; backward, earlier keys.
    case key([UInt8])
  }

  init(base: consuming Cursor, layers: [MemoryTable]) {
    self.base = base
    self.layers = layers.map { LayerCursor($0.makeCursor()) }
  }

  package var isValid: Bool { current != nil }

  package var key: RawSpan {
    @_lifetime(borrow self)
    get {
      guard let current else { preconditionFailure("The cursor is at no row.") }
      if current < 0 { return base.key }
      return unsafe layers[current].unsafeKey
    }
  }

  package var value: RawSpan {
    @_lifetime(borrow self)
    get {
      guard let current else { preconditionFailure("The cursor is at no row.") }
      if current < 0 { return base.value }
      return unsafe layers[current].unsafeValue
    }
  }

  /// Places the cursor at the first row whose key is not less than `key`, to move forward.
  ///
  /// - Throws: `LMDBError` of kind `checksumMismatch` if a row of the table at that place, or the row before it, is not
  ///   as it was written: damage hides no rows.
  @discardableResult
  package mutating func seek(atOrAfter key: RawSpan, limit: Limit = .none) throws -> Bool {
    self.limit = limit
    isForward = true
    _ = try base.seekProving(atOrAfter: key)
    for layer in layers { _ = layer.cursor.seek(atOrAfter: key) }
    return try settle()
  }

  /// Places the cursor at the last row whose key is less than `key`, to move backward.
  ///
  /// Without a key, the cursor is placed at the last row of all.
  @discardableResult
  package mutating func seek(before key: RawSpan?, limit: Limit = .none) throws -> Bool {
    self.limit = limit
    isForward = false
    if let key {
      _ = try base.seek(atOrAfter: key) ? base.moveToPrevious() : base.moveToLast()
      for layer in layers {
        _ = layer.cursor.seek(atOrAfter: key) ? layer.cursor.moveToPrevious() : layer.cursor.moveToLast()
      }
    } else {
      _ = try base.moveToLast()
      for layer in layers { _ = layer.cursor.moveToLast() }
    }
    return try settle()
  }

  /// Moves to the next row, in the direction in which the cursor was placed.
  @discardableResult
  package mutating func advance() throws -> Bool {
    guard let current else { return false }
    try stepPast(level: current)
    return try settle()
  }

  /// Finds the level with the next key, and skips rows hidden by deletions.
  private mutating func settle() throws -> Bool {
    while true {
      var best: Int? = base.isValid ? -1 : nil
      for index in layers.indices where layers[index].cursor.isValid {
        guard let present = best else {
          best = index
          continue
        }
        let order = order(of: index, against: present)
        // For equal keys the higher level wins, and layers are in ascending order.
        if order == 0 || (order < 0) == isForward { best = index }
      }
      current = best
      guard let best else { return false }
      // The table counts its own steps.
      if best >= 0 { try base.countStep() }
      if best < 0 || !layers[best].cursor.isDeletion { return true }
      if unsafe isBeyondLimit(layers[best].unsafeKey) {
        current = nil
        return false
      }
      try stepPast(level: best)
    }
  }

  private func isBeyondLimit(_ key: RawSpan) -> Bool {
    switch limit {
    case .none: false
    case .prefix(let prefix): !hasPrefix(key, prefix.rawSpan)
    case .key(let end): (compareBytes(key, end.rawSpan) < 0) != isForward
    }
  }

  private func order(of index: Int, against level: Int) -> Int {
    unsafe compareBytes(layers[index].unsafeKey, level < 0 ? base.key : layers[level].unsafeKey)
  }

  /// Moves the given level, and all lower levels at the same key, to their next row.
  private mutating func stepPast(level: Int) throws {
    guard level >= 0 else { return try stepBase() }
    for index in 0..<level where layers[index].cursor.isValid {
      if unsafe equalBytes(layers[index].unsafeKey, layers[level].unsafeKey) { layers[index].step(isForward) }
    }
    if base.isValid, unsafe equalBytes(base.key, layers[level].unsafeKey) { try stepBase() }
    layers[level].step(isForward)
  }

  private mutating func stepBase() throws {
    _ = isForward ? try base.moveToNext() : try base.moveToPrevious()
  }
}

/// A box that allows cursors, which cannot be copied, to be stored in an array.
private final class LayerCursor {
  var cursor: MemoryCursor

  init(_ cursor: consuming MemoryCursor) {
    self.cursor = cursor
  }

  @unsafe
  var unsafeKey: RawSpan {
    @_lifetime(immortal)
    get { unsafe cursor.unsafeKey.unsafeSpan }
  }

  @unsafe
  var unsafeValue: RawSpan {
    @_lifetime(immortal)
    get { unsafe cursor.unsafeValue.unsafeSpan }
  }

  func step(_ isForward: Bool) {
    _ = isForward ? cursor.moveToNext() : cursor.moveToPrevious()
  }
}
