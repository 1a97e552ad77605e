import DaybookModel
import LMDB

/// The state at a position, kept between transactions and movable in both directions.
///
/// The kept layers are the difference between the state and the state at the head. A move folds the commits in between,
/// forward or backward, into one more layer, and merges it into the top layer; rows that equal the head's rows again
/// are removed. When the head moves forward, the inverse of the new commits is placed below the layers.
package struct RewoundState {
  /// The position of the state: at least 1, because before it there is no model to read by.
  package private(set) var position: Position
  /// The position below the layers.
  package private(set) var head: Position
  private var layers: [Layer]
  package private(set) var model: ResolvedModel
  package private(set) var dependents: Dependents
  /// The projections that are maintained when the state or the head moves.
  private let kept: Fold.Parts

  /// Creates the state at a position.
  ///
  /// - Parameters:
  ///   - parts: The projections that are read until the first move, beside objects and links.
  ///   - kept: The projections that are read after the first move, beside objects and links.
  ///   - limit: The largest size of the layers, in bytes.
  /// - Throws: `SpanTooLarge` if the layers grow larger.
  /// - Complexity: O(*k* log *n*) for *k* events since the position.
  package init(
    _ position: Position, before present: State, in journal: some Journal, parts: Fold.Parts,
    keeping kept: Fold.Parts = .derived,
    limitInBytes limit: Int
  ) throws {
    let past = try present.rewound(to: max(position, 1), in: journal, parts: parts, limitInBytes: limit)
    self.init(past, head: present.position, keeping: kept)
  }

  private init(_ past: State, head: Position, keeping kept: Fold.Parts) {
    self.kept = kept
    position = past.position
    self.head = head
    layers = past.reader.layers.isEmpty ? [Layer()] : past.ownLayers
    model = past.reader.model
    dependents = past.dependents
  }

  /// Returns a reader of the state, on top of a reader of ``head``.
  package func reader(over present: Reader) -> Reader { present.reading(layers, by: model) }

  /// Returns a reader of an earlier state, on top of a reader of ``head``.
  ///
  /// - Parameter target: Not after ``position``; 0 is read as 1.
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  package func reader(
    at target: Position, over present: Reader, in journal: some Journal, limitInBytes limit: Int
  ) throws -> Reader {
    try State(reader: reader(over: present), dependents: dependents, position: position)
      .moved(to: max(target, 1), in: journal, parts: kept, limitInBytes: limit).reader
  }

  /// Changes to a later head; the state stays as it is.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events since the last head.
  package mutating func follow(_ present: State, in journal: some Journal, limitInBytes limit: Int) throws {
    guard head < present.position else { return }
    let below = try present.rewound(to: head, in: journal, parts: kept, limitInBytes: limit)
    // Unless the model changed meanwhile, there is one layer, by the same model as the lowest layer here.
    if below.reader.layers.count == 1 {
      layers[0].lay(over: below.reader.layers[0])
    } else {
      layers = below.ownLayers + layers
    }
    head = present.position
    try shrink(toBytes: limit)
  }

  /// Moves the state to another position.
  ///
  /// - Parameters:
  ///   - target: At least 1, and not after ``head``, which must be the position of `present`.
  ///   - lastModel: The position of the present model.
  ///   - look: Receives readers of the state before the move and after it.
  /// - Throws: `SpanTooLarge`, after which the state must not be used.
  /// - Complexity: O(*k* log *n*) for *k* events in between; if the model changed, for *k* events to the head.
  package mutating func move(
    to target: Position, before present: State, lastModel: Position, in journal: some Journal,
    limitInBytes limit: Int, _ look: (_ old: Reader, _ new: Reader) throws -> Void
  ) throws {
    precondition(head == present.position && target > .empty && target <= head, "A move within the journal.")
    guard position != target else { return }
    let old = reader(over: present.reader)
    // In the common case the last model is older than the span, and the journal need not be asked.
    let span = min(position, target).next...max(position, target)
    if try lastModel >= span.lowerBound && journal.modelPositions().contains(where: span.contains) {
      let moved = try RewoundState(
        target, before: present, in: journal, parts: kept, keeping: kept, limitInBytes: limit)
      try look(old, moved.reader(over: present.reader))
      self = moved
      return
    }
    let layer = Layer()
    let new = old.adding(layer)
    let fold = Fold(reader: new, layer: layer, dependents: dependents, parts: kept)
    _ = try fold.move(from: position, to: target, in: journal) { _ in
      if layer.sizeInBytes > limit { throw SpanTooLarge() }
    }
    try look(old, new)
    layers[layers.count - 1].absorb(layer)
    // With several layers, the rows below the top layer belong to another model.
    if layers.count == 1 { try layers[0].forget(layer, where: present.reader) }
    position = target
    try shrink(toBytes: limit)
  }

  /// Releases the memory of replaced and removed entries if the layers exceed the limit.
  private mutating func shrink(toBytes limit: Int) throws {
    func size(_ layers: [Layer]) -> Int { layers.reduce(0) { $0 + $1.sizeInBytes } }
    guard size(layers) > limit else { return }
    layers = layers.map(Layer.init(copying:))
    if size(layers) > limit { throw SpanTooLarge() }
  }
}

private extension State {
  /// The layers, copied if other threads may read them.
  var ownLayers: [Layer] { isShared ? reader.layers.map(Layer.init(copying:)) : reader.layers }
}

private extension Layer {
  /// Makes a layer with the same changes, in as little memory as they take.
  convenience init(copying other: Layer) {
    self.init()
    absorb(other)
  }

  /// Adds the entries of a lower layer for keys that this layer lacks.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes of the lower layer.
  func lay(over lower: Layer) {
    for table in TableName.layered where !lower[table].isEmpty {
      var cursor = lower[table].makeCursor()
      while cursor.moveToNext() {
        guard self[table].isAbsent(cursor.key) else { continue }
        if cursor.isDeletion { self[table].delete(cursor.key) } else { self[table].put(cursor.key, cursor.value) }
      }
    }
  }

  /// Removes the entries for another layer's keys that equal the rows in the tables.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes of the other layer.
  func forget(_ other: Layer, where reader: Reader) throws {
    for table in TableName.layered where !other[table].isEmpty {
      var cursor = other[table].makeCursor()
      while cursor.moveToNext() {
        if let stored = try unsafe reader.unsafeValueBelowLayers(for: cursor.key, in: table) {
          if !cursor.isDeletion, equalBytes(stored, cursor.value) { self[table].remove(cursor.key) }
        } else if cursor.isDeletion {
          self[table].remove(cursor.key)
        }
      }
    }
  }
}

private extension MemoryTable {
  func isAbsent(_ key: RawSpan) -> Bool {
    if case .absent = lookup(key) { return true }
    return false
  }
}
