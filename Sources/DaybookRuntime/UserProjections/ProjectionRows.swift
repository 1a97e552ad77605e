/// Rows of a projection as bytes, in order: a copy of one state.
package struct ProjectionRows: Sendable {
  package struct Row: Hashable, Sendable {
    /// The whole key, with the name of the table.
    package let key: [UInt8]
    package let value: [UInt8]
  }

  package var rows: [Row] = []
  /// Whether the rows are in descending order.
  var isDescending = false

  package init(rows: [Row] = [], isDescending: Bool = false) {
    (self.rows, self.isDescending) = (rows, isDescending)
  }

  /// A difference of a row between two states.
  package enum Change {
    case delete(Row, from: Int)
    case insert(Row, to: Int)
    case update(old: Row, new: Row, from: Int, to: Int)
  }

  /// Returns what leads from these rows to others in the same order.
  ///
  /// Deletes come first, by falling index, then inserts by rising index, then updates.
  ///
  /// - Complexity: O(*n*) for *n* rows of both.
  package func changes(to other: ProjectionRows) -> [Change] {
    var (deletes, inserts, updates): ([Change], [Change], [Change]) = ([], [], [])
    var (from, to) = (0, 0)
    while from < rows.count || to < other.rows.count {
      if from < rows.count, to < other.rows.count, rows[from].key == other.rows[to].key {
        if rows[from].value != other.rows[to].value {
          updates.append(.update(old: rows[from], new: other.rows[to], from: from, to: to))
        }
        (from, to) = (from + 1, to + 1)
      } else if to == other.rows.count || from < rows.count && precedes(rows[from].key, other.rows[to].key) {
        deletes.append(.delete(rows[from], from: from))
        from += 1
      } else {
        inserts.append(.insert(other.rows[to], to: to))
        to += 1
      }
    }
    return deletes.reversed() + inserts + updates
  }

  /// Returns what leads from these rows to others that may differ only in some keys.
  ///
  /// - Parameters:
  ///   - keys: The keys, in the order of the rows.
  ///   - value: Returns the new value of a key, or `nil` if there is no such row.
  /// - Complexity: O(*k* log *n*) for *k* keys.
  package func changes(at keys: [[UInt8]], _ value: ([UInt8]) throws -> [UInt8]?) rethrows -> [Change] {
    var (deletes, inserts, updates): ([Change], [Change], [Change]) = ([], [], [])
    for key in keys {
      let from = index(of: key)
      let to = from + inserts.count - deletes.count
      let old = from < rows.count && rows[from].key == key ? rows[from] : nil
      let new = try value(key).map { Row(key: key, value: $0) }
      switch (old, new) {
      case (nil, nil): break
      case (let old?, nil): deletes.append(.delete(old, from: from))
      case (nil, let new?): inserts.append(.insert(new, to: to))
      case (let old?, let new?):
        if old.value != new.value { updates.append(.update(old: old, new: new, from: from, to: to)) }
      }
    }
    return deletes.reversed() + inserts + updates
  }

  /// Applies changes that begin with these rows.
  ///
  /// - Complexity: O(*k*) moves of the rows after a change, for *k* changes.
  package mutating func apply(_ changes: [Change]) {
    for change in changes {
      switch change {
      case .delete(_, let from): rows.remove(at: from)
      case .insert(let row, let to): rows.insert(row, at: to)
      case .update(_, let row, _, let to): rows[to] = row
      }
    }
  }

  /// Returns the index of the first row whose key is not before a key.
  private func index(of key: [UInt8]) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(rows[middle].key, key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a key is before another one in the order of the rows.
  package func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    isDescending ? b.lexicographicallyPrecedes(a) : a.lexicographicallyPrecedes(b)
  }
}
