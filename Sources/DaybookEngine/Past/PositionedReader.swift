import DaybookModel
import LMDB

/// A reader, with its position and the uses of the position's model.
package struct PositionedReader {
  package let reader: Reader
  package let uses: ModelUses
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

  package init(reader: Reader, uses: ModelUses, position: Position, isExact: Bool = true, dropped: Set<Tag> = []) {
    self.reader = reader
    self.uses = uses
    self.position = position
    self.isExact = isExact
    self.dropped = dropped
  }

  /// Returns a reader of an earlier position: this one with a layer of inverse events on top.
  ///
  /// A commit of a model on the way is undone too: the values and sorted rows that the earlier model has and the later
  /// one lacks are built again in the layer.
  ///
  /// - Parameters:
  ///   - target: At least 1, and not after the present position.
  ///   - parts: The projections that the result is read by. Fetching needs the views; reading single rows does not.
  ///   - limit: The largest size of the layer, in bytes.
  /// - Throws: `SpanTooLarge` if the layer grows larger.
  /// - Complexity: O(*k* log *n*) for *k* events in between, and O(*n*) for each change of the model.
  package func rewound(
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

  /// Returns a reader of a later position: this one with a layer of later events on top.
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

  /// Returns a reader of another position, earlier or later.
  package func moved(to target: Position, in journal: some Journal, parts: Fold.Parts = .all) throws -> PositionedReader
  {
    target < position
      ? try rewound(to: target, in: journal, parts: parts) : try advanced(to: target, in: journal, parts: parts)
  }

  /// Redoes commits of events, up to a position or to the last one before a commit of a model.
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

  /// Undoes commits of events, down to a position or to the next commit of a model.
  ///
  /// The commit of a model may be the present one.
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

  /// Undoes the present commit, which is of a model.
  private func beforeModel(in journal: some Journal) throws -> PositionedReader {
    guard let start = try journal.modelPositions().last(where: { $0 < position }) else {
      throw StoreError(.damaged, "The journal has no model before commit \(position).", advice: .verify)
    }
    return try adopting(journal.model(at: start), at: Position(position.number - 1))
  }

  /// Redoes the next commit, which is of a model.
  private func afterModel(in journal: some Journal) throws -> PositionedReader {
    try adopting(journal.model(at: position.next), at: position.next)
  }

  /// Returns a reader of the same objects by another model.
  ///
  /// Values and sorted rows that the other model has and the present one lacks are built in a new layer.
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
          // A sum that does not fit its type is null in the past too; the writer of that time reported it.
          _ = try fold.setDerived(derived, of: ObjectKey(entity: entity.index, id: id))
          return true
        }
      }
    }
    // Views may be sorted by derived values, so these values are computed first.
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

/// The error that undoing a span takes more memory than is allowed.
package struct SpanTooLarge: Error {}

private extension ResolvedModel {
  /// Whether an object may show a default that its record does not hold.
  var suppliesDefaults: Bool {
    entities.contains { $0.attributes.contains { $0.derivation == nil && !$0.missingValue.isNull } }
  }
}
