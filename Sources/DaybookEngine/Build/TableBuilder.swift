import DaybookModel
import LMDB

/// Fills new tables from a journal.
package struct TableBuilder {
  let journal: any Journal
  let head: Position
  let catalog: Catalog
  /// The memory that may be used before changes are written, in bytes.
  let memoryLimit: Int
  /// Called repeatedly with the activity, the completed units, their total number if it is known, and the unit.
  var progress: ((_ activity: String, _ completed: UInt64, _ total: UInt64?, _ unit: String) -> Void)?
  /// Called with each rule of the model that the journal's state breaks.
  ///
  /// A broken rule does not prevent the build: the contents of a journal can always be read.
  package var report: (StoreError) -> Void = { _ in }
  /// Whether a second thread sorts rows while this one writes others.
  package var isConcurrent = HelperThread.isUseful

  package init(
    journal: any Journal, head: Position, catalog: Catalog, memoryLimit: Int,
    progress: ((_ activity: String, _ completed: UInt64, _ total: UInt64?, _ unit: String) -> Void)? = nil,
    report: @escaping (StoreError) -> Void = { _ in }
  ) {
    self.journal = journal
    self.head = head
    self.catalog = catalog
    self.memoryLimit = memoryLimit
    self.progress = progress
    self.report = report
  }

  /// - Returns: Whether events of a later version were omitted.
  package func build(in projections: inout WriteTransaction) throws -> Bool {
    let layer = Layer()
    let reader = catalog.reader(over: projections.snapshot, layers: [layer])
    // The fold keeps the objects that it touches, and without indexes and derived values it reads no row that it wrote.
    let hasLeftOut = try layer.collecting([.objects, .links]) {
      try foldEvents(from: 1, reader, layer, &projections) { commit, fold in
        do {
          try fold.apply(commit.body, position: commit.header.position, time: commit.header.time)
          return true
        } catch let error as ProjectionFault {
          throw StoreError(contradiction: error, at: commit.header.position)
        }
      }
    }
    for violation in try buildIndexes(reader, layer, &projections) {
      report(StoreError(violation, in: catalog.model))
    }
    return hasLeftOut
  }

  /// Builds indexes, constraints and derived values from the objects and links in the tables.
  ///
  /// - Parameter tags: The range of the tags of indexes and constraints to build; `nil` for all.
  /// - Returns: The first found rules that the state breaks.
  @discardableResult
  package func buildIndexes(
    _ reader: Reader, _ layer: Layer, _ projections: inout WriteTransaction, tagged tags: Range<UInt16>? = nil
  ) throws -> [Fold.Violation] {
    var builder = IndexBuilder(dependents: catalog.dependents, memoryLimit: memoryLimit)
    builder.isConcurrent = isConcurrent
    var count: UInt64 = 0
    let progress = progress
    builder.onObject = {
      count += 1
      if count % 1_024 == 0 {
        progress?("building views", count, nil, "rows")
      }
    }
    var violations: [Fold.Violation] = []
    try withFlush(layer, &projections) { flush in
      let model = catalog.model
      let task = tags.map { IndexBuilder.Task(all: model, indexesOf: $0) } ?? IndexBuilder.Task(all: model)
      violations = try builder.build(task, reader: reader, layer: layer, flush: flush)
    }
    return violations
  }

  /// Folds the events of commits into objects and links, and writes them in windows as large as the memory allows.
  ///
  /// - Parameters:
  ///   - reader: Reads the tables; `layer` is its only layer.
  ///   - visit: Applies the events of one commit to the fold; returns `false` to end before that commit.
  /// - Returns: Whether events of a later version were omitted.
  package func foldEvents(
    from first: Position, _ reader: Reader, _ layer: Layer, _ projections: inout WriteTransaction,
    _ visit: (CommitView, Fold) throws -> Bool
  ) throws -> Bool {
    let fold = Fold(reader: reader, layer: layer, dependents: catalog.dependents, parts: [])
    let (head, limit, progress, journal) = (head, memoryLimit, progress, journal)
    try withFlush(layer, &projections) { flush in
      var position = Position(first.number - 1)
      var isDone = false
      while position < head, !isDone {
        position = try journal.walk(from: position, to: head) { commit in
          isDone = try !visit(commit, fold)
          if isDone { return false }
          if fold.sizeInBytes + layer.sizeInBytes > limit {
            try fold.settle()
            try flush()
            fold.reset()
          }
          if commit.header.position.number % 256 == 0 {
            progress?("folding events", commit.header.position.number, head.number, "commits")
          }
          return true
        }
        // Objects and links are the same by each model.
        if position < head { position = position.next }
      }
      try fold.settle()
      try flush()
    }
    return fold.hasLeftOut
  }

  /// Calls `body` with a closure that flushes the layer into the tables.
  package func withFlush(
    _ layer: Layer, _ projections: inout WriteTransaction, _ body: (_ flush: () throws -> Void) throws -> Void
  ) throws {
    let second = isConcurrent ? HelperThread(name: "daybook sorting") : nil
    try body {
      // The second thread sorts the links while this one writes the objects.
      nonisolated(unsafe) let links = layer.links
      if !layer.links.isEmpty { second?.begin { unsafe links.sort() } }
      for table in TableName.layered {
        if table == .links { second?.wait() }
        layer[table].sort()
        guard !layer[table].isEmpty else { continue }
        try projections.flush(layer[table], into: table, of: catalog.tables)
      }
      layer.removeAll()
    }
  }
}
