import DaybookModel
import LMDB

/// A reader, with the position that it reads at and what that position's model is used for.
struct PositionedReader {
  let reader: Reader
  let uses: ModelUses
  let position: Position

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
    return PositionedReader(reader: top, uses: uses, position: present)
  }

  /// Goes back over the commit of a model.
  private func beforeModel(in journal: some Journal) throws -> PositionedReader {
    guard let start = try journal.modelPositions().last(where: { $0 < position }) else {
      throw StoreError(.damaged, "The journal has no model before commit \(position).", advice: "Run `daybook verify`.")
    }
    let model = try journal.model(at: start)
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
    return PositionedReader(reader: top, uses: uses, position: Position(position.number - 1))
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

extension Reader {
  /// The same with another layer on top.
  func adding(_ layer: Layer) -> Reader {
    Reader(snapshot: snapshot, tables: tables, model: model, layers: layers + [layer])
  }
}
