import DaybookModel
import LMDB

/// Builds indexes, constraints and derived values from the existing objects and links.
///
/// A rebuild ends with it, and a change of the model uses it for what the new model adds. Rows are made by visiting the
/// objects in the order of their ids, collected for each index, and flushed in key order at the end; whenever they grow to
/// the limit they are moved to a file (``SortedRuns``).
package struct IndexBuilder {
  /// What to build, by the tags of the model's parts.
  package struct Task {
    var indexes: Set<Tag> = []
    var constraints: Set<Tag> = []
    var derived: Set<Tag> = []
    var groups: Set<GroupTags> = []
    /// The objects whose rows are found by another tag, because their entity has another root.
    var moves: [EntityMove] = []

    /// The tags of declared groups.
    struct GroupTags: Hashable {
      let rows: Tag
      let keys: Tag

      /// The tables that have rows of the groups, with the tags of these rows.
      var places: [(table: TableName, tag: Tag)] {
        [(.objects, rows), (.links, rows), (.links, keys), (.indexes, keys)]
      }
    }

    /// Whether rows of objects are found by other tags in the new model.
    package var movesObjects: Bool { !moves.isEmpty }

    /// Creates a task for everything that a model has.
    init(all model: ResolvedModel) {
      self.init(from: nil, to: model)
    }

    /// Creates a task for the indexes, constraints and groups with tags of a range, and for all derived values, by which they may be
    /// sorted.
    init(all model: ResolvedModel, indexesOf tags: Range<UInt16>) {
      self.init(all: model)
      indexes = indexes.filter { tags.contains($0.number) }
      constraints = constraints.filter { tags.contains($0.number) }
      groups = groups.filter { tags.contains($0.rows.number) }
    }

    /// Creates a task for the indexes, constraints and groups of a model, of objects that have their derived values.
    package init(rowsOf model: ResolvedModel) {
      self.init(all: model)
      derived = []
    }

    /// Creates a task for everything that a model has and the model before it lacks.
    package init(from old: ResolvedModel?, to new: ResolvedModel) {
      let known = old.map(Task.tags) ?? Task.none
      let wanted = Task.tags(new)
      indexes = wanted.indexes.subtracting(known.indexes)
      constraints = wanted.constraints.subtracting(known.constraints)
      derived = wanted.derived.subtracting(known.derived)
      groups = wanted.groups.subtracting(known.groups)
      moves = old.map { EntityMove.moves(from: $0, to: new) } ?? []
    }

    private typealias Tags = (indexes: Set<Tag>, constraints: Set<Tag>, derived: Set<Tag>, groups: Set<GroupTags>)
    private static let none: Tags = ([], [], [], [])

    private static func tags(_ model: ResolvedModel) -> Tags {
      let entities = model.entities.filter { !$0.isRetired }
      // The descendants' groups include each of these.
      return (
        Set(entities.flatMap { $0.indexes.map(\.tag) }), Set(entities.flatMap { $0.constraints.map(\.tag) }),
        Set(entities.flatMap { $0.attributes.filter { $0.derivation != nil && !$0.isRetired }.map(\.tag) }),
        Set(entities.flatMap { $0.groups.map { GroupTags(rows: $0.tag, keys: $0.keysTag) } })
      )
    }
  }

  let dependents: Dependents
  let memoryLimit: Int
  /// Whether rows are sorted on a second thread while others are flushed.
  package var isConcurrent = HelperThread.isUseful
  /// Called for each visited object.
  var onObject: () -> Void = {}
  /// Returns whether the layer should be flushed before it has grown to the limit; called for each visited object.
  package var isFilled: (Layer) throws -> Bool = { _ in false }

  package init(dependents: Dependents, memoryLimit: Int, onObject: @escaping () -> Void = {}) {
    self.dependents = dependents
    self.memoryLimit = memoryLimit
    self.onObject = onObject
  }

  /// Builds everything that a task names.
  ///
  /// - Parameters:
  ///   - reader: The state, read by the model to build for; `layer` is its highest layer, and empty.
  ///   - flush: Writes the layer's changes to the tables and empties it; the reader must then see them. For a state that
  ///     consists of layers it does nothing, and the memory is not limited.
  /// - Returns: The first found rules that the state breaks, at most ten.
  package mutating func build(
    _ task: Task, reader: Reader, layer: Layer, flush: () throws -> Void
  ) throws -> [Fold.Violation] {
    var violations: [Fold.Violation] = []
    func note(_ violation: Fold.Violation) {
      if violations.count < IndexBuilder.maximumViolationCount { violations.append(violation) }
    }
    let model = reader.model
    let rows = IndexRows(
      of: task.indexes, isConcurrent: isConcurrent, directory: reader.snapshot.environment.path)
    let fold = Fold(reader: reader, layer: layer, dependents: dependents)
    // Derived values change records in the layer while objects are visited, so the visit omits the layer.
    let below = reader.removingTop()
    // The objects of a hierarchy are in one range of rows, which is visited once.
    for root in model.roots {
      let members = model.members(of: root).map { model.entities[$0] }
      let derived = Dictionary(
        uniqueKeysWithValues: members.map { entity in
          let living = entity.attributes.indices.filter { !entity.attributes[$0].isRetired }
          return (entity.index, living.filter { task.derived.contains(entity.attributes[$0].tag) })
        })
      guard derived.values.contains(where: { !$0.isEmpty }) else { continue }
      try forEachObject(of: model.entities[root], in: below, layer, rows, flush) { key, _ in
        guard let numbers = derived[key.entity], !numbers.isEmpty else { return }
        try fold.setDerived(numbers, of: key).forEach(note)
      }
    }
    // Indexes may be sorted by derived values, which are complete now.
    try flush()
    for tags in task.groups { try clear(tags, reader, layer, flush) }
    for root in model.roots {
      try buildRows(
        of: model.entities[root], in: model, task, fold, rows, layer,
        spilling: {
          // Not while objects are visited: the rows of groups are in the table of the objects.
          try fold.settleGroups()
          guard try isFilled(layer, rows) else { return }
          try rows.spill()
          try flush()
        }, note)
    }
    try flush()
    try rows.flush(through: layer, limitInBytes: memoryLimit, flush)
    try fold.settleGroups()
    try flush()
    return violations
  }

  /// Removes the rows of groups that a later model left in the tables of a state that was moved back over it: groups are
  /// added up, unlike the rows of indexes, which are put again.
  private func clear(_ tags: Task.GroupTags, _ reader: Reader, _ layer: Layer, _ flush: () throws -> Void) throws {
    for (table, tag) in tags.places {
      let prefix = RowKey.prefix(of: tag)
      while true {
        var keys: [[UInt8]] = []
        do {
          var cursor = try reader.makeCursor(in: table)
          var isValid = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
          while isValid, hasPrefix(cursor.key, prefix.rawSpan), keys.count < IndexBuilder.maximumGroupCount {
            keys.append([UInt8](cursor.key))
            isValid = try cursor.advance()
          }
        }
        if keys.isEmpty { break }
        for key in keys { layer[table].delete(key) }
        try flush()
      }
    }
  }

  /// The most groups whose rows are not written yet.
  private static let maximumGroupCount = 65_536

  /// The numbers of what is built of the objects of one entity.
  private struct EntityTask {
    let indexes: [(number: Int, rows: MemoryTable)]
    let constraints: [Int]
    let groups: [Int]

    init(_ entity: ResolvedEntity, _ task: Task, _ rows: IndexRows) {
      indexes = entity.indexes.indices.compactMap { index in rows[entity.indexes[index].tag].map { (index, $0) } }
      constraints = entity.constraints.indices.filter { task.constraints.contains(entity.constraints[$0].tag) }
      groups = entity.groups.indices.filter { number in
        task.groups.contains { $0.rows == entity.groups[number].tag }
      }
    }

    var isEmpty: Bool { indexes.isEmpty && constraints.isEmpty && groups.isEmpty }
  }

  /// Makes the rows of the indexes, constraints and groups of the objects of a hierarchy.
  private func buildRows(
    of root: ResolvedEntity, in model: ResolvedModel, _ task: Task, _ fold: Fold, _ rows: IndexRows, _ layer: Layer,
    spilling spill: () throws -> Void, _ note: (Fold.Violation) -> Void
  ) throws {
    let members = model.members(of: root.index).map { model.entities[$0] }.filter { !$0.isRetired }
    let tasks = Dictionary(uniqueKeysWithValues: members.map { ($0.index, EntityTask($0, task, rows)) })
    guard tasks.values.contains(where: { !$0.isEmpty }) else { return }
    let isFull = { fold.changedGroups.count > IndexBuilder.maximumGroupCount }
    try forEachObject(of: root, in: fold.reader, layer, rows, spill, isFull: isFull) { key, record in
      guard let task = tasks[key.entity] else { return }
      for group in task.groups { try fold.putContribution(of: key, record: record, group: group) }
      for (index, table) in task.indexes { try fold.putKey(of: key, record: record, index: index, in: table) }
      for constraint in task.constraints {
        if let other = try fold.putUnique(of: key, record: record, constraint: constraint) {
          note(try fold.collision(of: key, record, constraint, with: other))
        }
      }
    }
  }

  private static let maximumViolationCount = 10

  private func isFilled(_ layer: Layer, _ rows: IndexRows) throws -> Bool {
    try layer.sizeInBytes + rows.sizeInBytes > memoryLimit || isFilled(layer)
  }

  /// Visits the live objects of an entity and its descendants, and flushes the changes whenever they have grown to the limit.
  ///
  /// - Parameter isFull: Whether they should be flushed before that.
  private func forEachObject(
    of entity: ResolvedEntity, in reader: Reader, _ layer: Layer, _ rows: IndexRows, _ flush: () throws -> Void,
    isFull: () -> Bool = { false }, _ body: (ObjectKey, RecordView) throws -> Void
  ) throws {
    var last: ObjectID?
    while true {
      var isDone = true
      try reader.forEachObject(of: entity.index, after: last) { id, record in
        try body(ObjectKey(entity: reader.model.entity(of: record, in: entity.index), id: id), record)
        onObject()
        // Each round visits at least one object, so that the visit ends however small the limit is.
        last = id
        isDone = try !isFull() && !isFilled(layer, rows)
        return isDone
      }
      if isDone { return }
      try flush()
    }
  }
}
