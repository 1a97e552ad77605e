import DaybookModel
import LMDB

/// The projections at one position: a reader, with the position and the uses of the position's model.
///
/// It belongs to the reader's transaction. ``RewoundState`` is the form that is kept between transactions.
package struct State {
  package let reader: Reader
  package let dependents: Dependents
  package let position: Position
  /// Whether the rows equal, byte for byte, the rows folded from the journal's beginning.
  ///
  /// An event that changes an attribute which a later model added stores the default that the object showed as the old
  /// value. So undoing the event leaves this default in the record, where there was no field before: the state is the
  /// same, but the bytes are not.
  package let isExact: Bool
  /// The derived attributes that the model here lacks, whose values are still in the records.
  ///
  /// Models on the way to this position have these attributes. The values are no part of the rows of this position.
  package let dropped: Set<Tag>
  /// The shared inverse layers for the commit at this position; `nil` for a state that consists of layers itself.
  private let inverses: InverseLayers.Anchor?
  /// Whether other threads may read the reader's layers, which must not be changed then.
  let isShared: Bool

  package init(
    reader: Reader, dependents: Dependents, position: Position, isExact: Bool = true, dropped: Set<Tag> = [],
    sharing inverses: InverseLayers.Anchor? = nil
  ) {
    self.init(
      reader: reader, dependents: dependents, position: position, isExact: isExact, dropped: dropped,
      inverses: inverses, isShared: false)
  }

  private init(
    reader: Reader, dependents: Dependents, position: Position, isExact: Bool, dropped: Set<Tag>,
    inverses: InverseLayers.Anchor? = nil, isShared: Bool = false
  ) {
    self.reader = reader
    self.dependents = dependents
    self.position = position
    self.isExact = isExact
    self.dropped = dropped
    self.inverses = inverses
    self.isShared = isShared
  }

  /// What distinguishes a state from the one below it, without a transaction.
  struct Layers {
    let layers: [Layer]
    let model: ResolvedModel
    let dependents: Dependents
    let isExact: Bool
    let dropped: Set<Tag>
    private(set) var isShared: Bool

    init(_ state: State) {
      layers = state.reader.layers
      model = state.reader.model
      (dependents, isExact, dropped, isShared) = (state.dependents, state.isExact, state.dropped, state.isShared)
    }

    /// The same layers, marked as read by several threads.
    var shared: Layers {
      var copy = self
      copy.isShared = true
      return copy
    }

    /// The memory that the layers use, in bytes.
    var sizeInBytes: Int { layers.reduce(0) { $0 + $1.sizeInBytes } }
  }

  private init(_ layers: Layers, over state: State, at position: Position) {
    self.init(
      reader: state.reader.reading(layers.layers, by: layers.model),
      dependents: layers.dependents, position: position, isExact: layers.isExact, dropped: layers.dropped,
      isShared: layers.isShared)
  }

  /// Returns the state at an earlier position: this one with a layer of inverse events on top.
  ///
  /// A commit of a model on the way is undone too: the values and sorted rows that the earlier model has and the later
  /// one lacks are built again in the layer.
  ///
  /// - Parameters:
  ///   - target: At least 1, and not after the present position.
  ///   - parts: The projections that the result is read by. Fetching needs the indexes; reading single rows does not.
  ///   - limit: The largest size of a layer of events, in bytes.
  /// - Throws: `SpanTooLarge` if the layer grows larger.
  /// - Complexity: O(*k* log *n*) for *k* events in between, and O(*n*) for each change of the model.
  package func rewound(
    to target: Position, in journal: some Journal, parts: Fold.Parts = .all, limitInBytes limit: Int = .max
  ) throws -> State {
    precondition(target > .empty || target >= position, "Before the model there is nothing to read.")
    guard target < position else { return self }
    guard let inverses, reader.layers.isEmpty else {
      return try moved(to: target, in: journal, parts: parts, limitInBytes: limit)
    }
    let layers = try inverses.layers.layers(
      from: self, backTo: target, head: inverses.head, parts: parts, isReadByOneModel: journal.isReadByOneModel,
      limitInBytes: limit
    ) { Layers(try moved(to: target, in: journal, parts: parts, limitInBytes: limit)) }
    return State(layers, over: self, at: target)
  }

  /// Returns the state at another position: this one with a layer of inverse events, or of later ones, on top.
  ///
  /// - Parameters:
  ///   - target: A position from 1 that the journal has.
  ///   - parts: As for ``rewound(to:in:parts:limitInBytes:)``.
  /// - Throws: `SpanTooLarge` if the layer grows larger than the limit.
  /// - Complexity: O(*k* log *n*) for *k* events in between, and O(*n*) for each change of the model.
  package func moved(
    to target: Position, in journal: some Journal, parts: Fold.Parts = .all, limitInBytes limit: Int = .max
  ) throws -> State {
    var state = self
    while state.position != target {
      let next = try state.folded(towards: target, in: journal, parts, limit)
      state = next.position == state.position ? try state.acrossModel(towards: target, in: journal) : next
    }
    return state
  }

  /// Folds commits of events, up to a position or to the next commit of a model.
  private func folded(
    towards target: Position, in journal: some Journal, _ parts: Fold.Parts, _ limit: Int
  ) throws -> State {
    let layer = Layer()
    let top = reader.adding(layer)
    let fold = Fold(reader: top, layer: layer, dependents: dependents, parts: parts)
    let reached = try fold.move(from: position, to: target, in: journal) { _ in
      if layer.sizeInBytes > limit { throw SpanTooLarge() }
    }
    let isExact = isExact && (target > position || !reader.model.suppliesDefaults)
    return State(
      reader: top, dependents: dependents, position: reached, isExact: isExact, dropped: dropped, isShared: isShared)
  }

  /// Undoes the present commit or redoes the next one, which is of a model.
  private func acrossModel(towards target: Position, in journal: some Journal) throws -> State {
    if target > position { return try adopting(journal.model(at: position.next), at: position.next) }
    guard let start = try journal.modelPositions().last(where: { $0 < position }) else {
      throw StoreError(.damaged, "The journal has no model before commit \(position).", advice: .verify)
    }
    return try adopting(journal.model(at: start), at: Position(position.number - 1))
  }

  /// Returns the state of the same objects by another model.
  ///
  /// Values and sorted rows that the other model has and the present one lacks are built in a new layer.
  private func adopting(_ model: ResolvedModel, at position: Position) throws -> State {
    let dependents = Dependents(model)
    let task = IndexBuilder.Task(from: reader.model, to: model)
    // A sum that does not fit its type is null in the past too, and the writer of that time reported it.
    var builder = IndexBuilder(dependents: dependents, memoryLimit: .max)
    var layers = reader.layers
    if task.movesObjects {
      let moved = Layer()
      try builder.move(task, reader: reader, layer: moved, flush: {})
      layers.append(moved)
    }
    let layer = Layer()
    let top = reader.reading(layers + [layer], by: model)
    _ = try builder.build(task, reader: top, layer: layer, flush: {})
    let gone = IndexBuilder.Task(from: model, to: reader.model).derived
    return State(
      reader: top, dependents: dependents, position: position, isExact: isExact,
      dropped: dropped.union(gone).subtracting(task.derived), isShared: isShared)
  }
}

/// The error that undoing a span takes more memory than is allowed.
package struct SpanTooLarge: Error {}

private extension ResolvedModel {
  /// Whether an object may show a default that its record does not hold.
  var suppliesDefaults: Bool {
    entities.contains { $0.attributes.contains { $0.derivation == nil && !$0.missingValue.isNull } }
  }
}
