import DaybookModel
import LMDB

/// A reader, with the position that it reads at and what that position's model is used for.
struct PositionedReader {
  let reader: Reader
  let uses: ModelUses
  let position: Position
  /// Whether the rows are, byte for byte, those that folding the journal from its beginning gives.
  ///
  /// An event that changes an attribute which a later model added writes the default that the object showed as the old
  /// value. So going back leaves that default in the record, where before there was no field: the state is the same, the
  /// bytes are not.
  let isExact: Bool
  /// The derived attributes of models on the way that the model here has not, whose values are still in the records: they
  /// are no part of the rows of this position.
  let dropped: Set<Tag>

  init(reader: Reader, uses: ModelUses, position: Position, isExact: Bool = true, dropped: Set<Tag> = []) {
    self.reader = reader
    self.uses = uses
    self.position = position
    self.isExact = isExact
    self.dropped = dropped
  }

  /// Reads as of an earlier position: the same with a layer of the inverse events on top.
  ///
  /// A commit of a model on the way is gone back over too: what the earlier model derived and sorted, and the later one
  /// did not, is made anew in the layer.
  ///
  /// - Parameters:
  ///   - target: At least 1, and not after the present position.
  ///   - parts: What the result is to be read by. Fetching needs the views; looking at single rows does not.
  ///   - limit: How large the layer may grow, in bytes.
  /// - Throws: `SpanTooLarge` if it grows larger.
  /// - Complexity: O(*k* log *n*) for *k* events in between, and O(*n*) for each change of the model.
  func rewound(
    to target: Position, in journal: some Journal, parts: Fold.Parts = .all, limitInBytes limit: Int = .max
  ) throws -> PositionedReader {
    guard target < position else { return self }
    precondition(target > .empty, "Before the model there is nothing to read.")
    var present = self
    while present.position > target {
      let earlier = try present.undoing(downTo: target, in: journal, parts, limit)
      present = earlier.position < present.position ? earlier : try present.beforeModel(in: journal)
    }
    return present
  }

  /// Reads as of a later position: the same with a layer of the events in between on top.
  ///
  /// - Parameters:
  ///   - target: A position that the journal has.
  ///   - parts: As for ``rewound(to:in:parts:limitInBytes:)``.
  /// - Complexity: O(*k* log *n*) for *k* events in between, and O(*n*) for each change of the model.
  func advanced(to target: Position, in journal: some Journal, parts: Fold.Parts = .all) throws -> PositionedReader {
    var present = self
    while present.position < target {
      let later = try present.redoing(upTo: target, in: journal, parts)
      present = later.position > present.position ? later : try present.afterModel(in: journal)
    }
    return present
  }

  /// Reads as of another position, whichever side it is on.
  func moved(to target: Position, in journal: some Journal, parts: Fold.Parts = .all) throws -> PositionedReader {
    target < position
      ? try rewound(to: target, in: journal, parts: parts) : try advanced(to: target, in: journal, parts: parts)
  }

  /// Goes on over commits of events, up to a position or to before the next commit of a model.
  private func redoing(
    upTo target: Position, in journal: some Journal, _ parts: Fold.Parts
  ) throws -> PositionedReader {
    let layer = Layer()
    let top = reader.adding(layer)
    let fold = Fold(reader: top, layer: layer, uses: uses, parts: parts)
    var present = position
    try journal.forEachCommit(from: position.next, through: target) { commit in
      if commit.header.isModel { return false }
      try fold.redo(commit)
      present = commit.header.position
      return true
    }
    return PositionedReader(reader: top, uses: uses, position: present, isExact: isExact, dropped: dropped)
  }

  /// Goes back over commits of events, down to a position or to the next commit of a model, which may be the present one.
  private func undoing(
    downTo target: Position, in journal: some Journal, _ parts: Fold.Parts, _ limit: Int
  ) throws -> PositionedReader {
    let layer = Layer()
    let top = reader.adding(layer)
    let fold = Fold(reader: top, layer: layer, uses: uses, parts: parts)
    var present = position
    while present > target {
      let isModel = try journal.withCommit(at: present) { commit in
        if commit.header.isModel { return true }
        try fold.undo(commit)
        return false
      }
      if isModel { break }
      if layer.sizeInBytes > limit { throw SpanTooLarge() }
      present = Position(present.number - 1)
    }
    return PositionedReader(
      reader: top, uses: uses, position: present, isExact: isExact && !reader.model.suppliesDefaults, dropped: dropped)
  }

  /// Goes back over the commit of a model.
  private func beforeModel(in journal: some Journal) throws -> PositionedReader {
    guard let start = try journal.modelPositions().last(where: { $0 < position }) else {
      throw StoreError(.damaged, "The journal has no model before commit \(position).", advice: "Run `daybook verify`.")
    }
    return try adopting(journal.model(at: start), at: Position(position.number - 1))
  }

  /// Goes on over the commit of a model, which comes next.
  private func afterModel(in journal: some Journal) throws -> PositionedReader {
    try adopting(journal.model(at: position.next), at: position.next)
  }

  /// Reads the same objects by another model: what it derives and sorts, and the present one does not, is made here.
  private func adopting(_ model: ResolvedModel, at position: Position) throws -> PositionedReader {
    let uses = ModelUses(model)
    let layer = Layer()
    let task = IndexBuilder.Task(from: reader.model, to: model)
    let below = Reader(snapshot: reader.snapshot, tables: reader.tables, model: model, layers: reader.layers)
    let top = below.adding(layer)
    let fold = Fold(reader: top, layer: layer, uses: uses)
    for entity in model.entities where !entity.isRetired {
      let derived = entity.attributes.indices.filter { task.derived.contains(entity.attributes[$0].tag) }
      if !derived.isEmpty {
        try below.forEachObject(of: entity.index) { id, _ in
          try fold.setDerived(derived, of: ObjectKey(entity: entity.index, id: id))
          return true
        }
      }
    }
    // Views may be sorted by derived values, so these come first.
    for entity in model.entities where !entity.isRetired {
      let views = entity.views.indices.filter { task.views.contains(entity.views[$0].tag) }
      let constraints = entity.constraints.indices.filter { task.constraints.contains(entity.constraints[$0].tag) }
      guard !views.isEmpty || !constraints.isEmpty else { continue }
      try top.forEachObject(of: entity.index) { id, record in
        let key = ObjectKey(entity: entity.index, id: id)
        for view in views { try fold.putKey(of: key, record: record, view: view) }
        for constraint in constraints { _ = try fold.putUnique(of: key, record: record, constraint: constraint) }
        return true
      }
    }
    let gone = IndexBuilder.Task(from: model, to: reader.model).derived
    return PositionedReader(
      reader: top, uses: uses, position: position, isExact: isExact,
      dropped: dropped.union(gone).subtracting(task.derived))
  }
}

/// Going back over a span takes more memory than is allowed.
struct SpanTooLarge: Error {}

extension Fold {
  /// Folds a commit of events backward.
  ///
  /// - Throws: `StoreError` with the code `damaged` if it does not fit what it is folded onto.
  func undo(_ commit: CommitView) throws { try take(commit, .backward) }

  /// Folds a commit of events forward.
  ///
  /// - Throws: As ``undo(_:)``.
  func redo(_ commit: CommitView) throws { try take(commit, .forward) }

  private func take(_ commit: CommitView, _ direction: Direction) throws {
    let position = commit.header.position
    reset()
    do {
      try apply(commit.body, position: position, time: commit.header.time, direction: direction)
      _ = try finish()
    } catch let error as ProjectionFault {
      let side = direction == .forward ? "before" : "after"
      throw StoreError(
        .damaged, "Commit \(position) does not fit the state \(side) it: \(error).",
        advice: "Run `daybook verify`, and restore a backup.")
    }
  }
}

extension ResolvedModel {
  /// Whether an object may show a default that its record does not hold.
  fileprivate var suppliesDefaults: Bool {
    entities.contains { $0.attributes.contains { $0.derivation == nil && !$0.missingValue.isNull } }
  }
}

extension Reader {
  /// The same with another layer on top.
  func adding(_ layer: Layer) -> Reader {
    Reader(snapshot: snapshot, tables: tables, model: model, layers: layers + [layer])
  }
}
