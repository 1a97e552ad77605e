import DaybookModel
import LMDB

/// The state at a position, kept between transactions, that can be moved over commits both ways.
///
/// What is kept is how the state differs from that at the head: layers. Moving folds the commits in between, forward or
/// backward, into one more layer, and then takes that in; what is the same as at the head again is forgotten. As the
/// head moves on, the inverse of what happened comes to lie below.
struct MovablePast {
  /// At least 1: before it there is no model to read by.
  private(set) var position: Position
  /// The position below the layers.
  private(set) var head: Position
  private var layers: [Layer]
  private(set) var model: ResolvedModel
  private(set) var uses: ModelUses
  /// What is kept up as it is moved and as the head moves on.
  private let kept: Fold.Parts

  /// The state at a position.
  ///
  /// - Parameters:
  ///   - parts: What it is read by until it is moved.
  ///   - kept: What it is read by afterwards, beside objects and links.
  ///   - limit: How large the layers may grow, in bytes.
  /// - Throws: `SpanTooLarge` if they grow larger.
  /// - Complexity: O(*k* log *n*) for *k* events since then.
  init(
    _ position: Position, of reader: borrowing StoreReader, parts: Fold.Parts, keeping kept: Fold.Parts = .derived,
    limitInBytes limit: Int
  ) throws {
    let past = try reader.present.rewound(
      to: max(position, 1), in: reader.journal, parts: parts, limitInBytes: limit)
    self.init(past, head: reader.position, keeping: kept)
  }

  private init(_ past: PositionedReader, head: Position, keeping kept: Fold.Parts) {
    self.kept = kept
    position = past.position
    self.head = head
    layers = past.reader.layers.isEmpty ? [Layer()] : past.reader.layers
    model = past.reader.model
    uses = past.uses
  }

  /// Reads the state, over a reader of ``head``.
  func reader(over present: Reader) -> Reader {
    Reader(snapshot: present.snapshot, tables: present.tables, model: model, layers: layers)
  }

  /// Goes on with a later head; the state stays as it is.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events since the last head.
  mutating func follow(_ reader: borrowing StoreReader, limitInBytes limit: Int) throws {
    guard head < reader.position else { return }
    let below = try reader.present.rewound(to: head, in: reader.journal, parts: kept, limitInBytes: limit)
    // Unless the model changed meanwhile, it is one layer, by the same model as the lowest one here.
    if below.reader.layers.count == 1 {
      layers[0].lay(over: below.reader.layers[0])
    } else {
      layers = below.reader.layers + layers
    }
    head = reader.position
    try shrink(toBytes: limit)
  }

  /// Moves to another position.
  ///
  /// - Parameters:
  ///   - target: At least 1, and not after ``head``, which must be the reader's.
  ///   - look: Is given readers of the state before and of the state behind.
  /// - Throws: `SpanTooLarge`; the state is lost then.
  /// - Complexity: O(*k* log *n*) for *k* events in between; where the model changed, for *k* events to the head.
  mutating func move(
    to target: Position, in reader: borrowing StoreReader, limitInBytes limit: Int,
    _ look: (_ old: Reader, _ new: Reader) throws -> Void
  ) throws {
    precondition(head == reader.position && target > .empty && target <= head, "A move within the journal.")
    guard position != target else { return }
    let old = self.reader(over: reader.reader)
    if try reader.hasModelChange(in: min(position, target).next...max(position, target)) {
      let moved = try MovablePast(target, of: reader, parts: kept, keeping: kept, limitInBytes: limit)
      try look(old, moved.reader(over: reader.reader))
      self = moved
      return
    }
    let layer = Layer()
    let new = old.adding(layer)
    let fold = Fold(reader: new, layer: layer, uses: uses, parts: kept)
    try fold.move(from: position, to: target, in: reader.journal) {
      if layer.sizeInBytes > limit { throw SpanTooLarge() }
    }
    try look(old, new)
    layers[layers.count - 1].absorb(layer)
    // Below several layers another model's rows lie.
    if layers.count == 1 { try layers[0].forget(layer, where: reader.reader) }
    position = target
    try shrink(toBytes: limit)
  }

  /// Gives back the room of what was replaced or forgotten, if there is too much of it.
  private mutating func shrink(toBytes limit: Int) throws {
    func size(_ layers: [Layer]) -> Int { layers.reduce(0) { $0 + $1.sizeInBytes } }
    guard size(layers) > limit else { return }
    layers = layers.map { layer in
      let copy = Layer()
      copy.absorb(layer)
      return copy
    }
    if size(layers) > limit { throw SpanTooLarge() }
  }
}

extension StoreReader {
  fileprivate func hasModelChange(in span: ClosedRange<Position>) throws -> Bool {
    // Mostly the last model is older than all that is asked for.
    guard modelPosition >= span.lowerBound else { return false }
    return try journal.modelPositions().contains { span.contains($0) }
  }
}

extension Fold {
  /// Folds the commits between two positions, none of which is a model.
  ///
  /// - Parameter check: Called after each commit.
  fileprivate func move(
    from start: Position, to end: Position, in journal: some Journal, check: () throws -> Void
  ) throws {
    var position = start
    while position > end {
      try journal.withCommit(at: position) { try undo($0) }
      try check()
      position = Position(position.number - 1)
    }
    guard start < end else { return }
    try journal.forEachCommit(from: start.next, through: end) { commit in
      try redo(commit)
      try check()
      return true
    }
  }
}

extension Layer {
  /// Takes in what a lower layer says of keys that this one says nothing of.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes of the lower layer.
  fileprivate func lay(over lower: Layer) {
    for table in TableName.allCases where !lower[table].isEmpty {
      var cursor = lower[table].makeCursor()
      while cursor.moveToNext() {
        guard self[table].isAbsent(cursor.key) else { continue }
        if cursor.isDeletion { self[table].delete(cursor.key) } else { self[table].put(cursor.key, cursor.value) }
      }
    }
  }

  /// Forgets those keys of another layer's that are here as they are in the tables.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes of the other layer.
  fileprivate func forget(_ other: Layer, where reader: Reader) throws {
    for table in TableName.allCases where !other[table].isEmpty {
      var cursor = other[table].makeCursor()
      while cursor.moveToNext() {
        if let stored = try reader.snapshot.storedValue(for: cursor.key, in: reader.tables[table]) {
          if !cursor.isDeletion, equalBytes(stored.bytes, cursor.value) { self[table].remove(cursor.key) }
        } else if cursor.isDeletion {
          self[table].remove(cursor.key)
        }
      }
    }
  }
}

extension MemoryTable {
  fileprivate func isAbsent(_ key: RawSpan) -> Bool {
    if case .absent = lookup(key) { return true }
    return false
  }
}
