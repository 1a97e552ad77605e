import DaybookDiff
import DaybookModel
import DaybookQuery

/// The differences of a request, commit by commit, over a span of the past.
///
///     var replay = try store.replay(of: request, from: 2)
///     while let change = try replay.next() { show(change) }
///
/// It begins with the state before the first commit (``StoreReader/ids(of:at:)``), and folds the commits forward onto it,
/// so it takes the same time for each however long the span is. Commits that do not change the result give nothing; a
/// change of the model that alters what the request reaches gives a reset, after which the result must be read anew.
///
/// No transaction is held between two calls. What the span changed is held in memory.
public struct Replay {
  private let store: Store
  private let request: FetchRequest
  private let last: Position
  /// The last commit that was taken in.
  private var present: Position
  /// The end of the last change that was given.
  private var reported: Position
  private var pending: ArraySlice<ResultsChange> = []
  private var stage: Stage?

  /// What is kept of the state at ``present``.
  private struct Stage {
    let ordering: Ordering
    let watches: WatchTable
    let model: ResolvedModel
    let uses: ModelUses
    /// The inverse of what has happened since, and what was folded forward onto it.
    var layers: [Layer]
    /// The head below the layers.
    var head: Position
  }

  /// How many commits are taken in while a transaction is open.
  private static let pageSize: UInt64 = 256

  init(_ store: Store, _ request: FetchRequest, from first: Position, through last: Position) {
    self.store = store
    self.request = request
    self.last = last
    present = Position(max(first.number, 1) - 1)
    reported = present
  }

  /// The next difference; nil at the end.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model of the time lacks.
  public mutating func next() throws -> ResultsChange? {
    while pending.isEmpty, present < last { pending = try takePage()[...] }
    guard let change = pending.popFirst() else { return nil }
    defer { reported = change.to }
    return change.reported(from: reported)
  }

  private mutating func takePage() throws -> [ResultsChange] {
    var (present, stage) = (present, stage)
    let changes = try store.read { reader in
      var changes: [ResultsChange] = []
      let end = min(last, Position(present.number + Replay.pageSize))
      while present < end {
        let position = present.next
        let isModel = try reader.journal.withCommit(at: position) { $0.header.isModel }
        if isModel || stage == nil {
          let former = stage
          stage = try Replay.stage(at: isModel ? position : present, request, reader)
          if isModel {
            if let former, let stage, try Replay.isReset(former, stage) {
              changes.append(.reset(from: present, to: position))
            }
            present = position
            continue
          }
        }
        if let change = try Replay.step(&stage!, to: position, reader) { changes.append(change) }
        present = position
      }
      return changes
    }
    (self.present, self.stage) = (present, stage)
    return changes
  }

  /// The state at a position, read by the model of that time.
  private static func stage(
    at position: Position, _ request: FetchRequest, _ reader: borrowing StoreReader
  ) throws -> Stage {
    let past = try reader.present.rewound(to: max(position, 1), in: reader.journal)
    let resolved = try past.reader.resolve(request)
    let ordering =
      position == .empty ? Ordering(empty: resolved) : try Ordering(resolved, in: past.reader, isSparse: false)
    return Stage(
      ordering: ordering, watches: WatchTable(resolved.watches(in: past.reader.model)), model: past.reader.model,
      uses: past.uses,
      layers: past.reader.layers + [Layer()], head: reader.position)
  }

  private static func isReset(_ old: Stage, _ new: Stage) throws -> Bool {
    Reach(old.ordering.request, in: old.model) != Reach(new.ordering.request, in: new.model)
  }

  /// Folds one commit.
  private static func step(
    _ stage: inout Stage, to position: Position, _ reader: borrowing StoreReader
  ) throws -> ResultsChange? {
    if stage.head < reader.position {
      let below = try reader.present.rewound(to: stage.head, in: reader.journal)
      stage.layers = below.reader.layers + stage.layers
      stage.head = reader.position
    }
    let past = Reader(
      snapshot: reader.reader.snapshot, tables: reader.reader.tables, model: stage.model, layers: stage.layers)
    let request = stage.ordering.request
    // The commit has a layer of its own, so that both states can be read, until its differences are known.
    let layer = Layer()
    let present = past.adding(layer)
    return try reader.journal.withCommit(at: position) { commit in
      // The ways back are walked in the state before the commit: either end will do.
      var collector = CandidateCollector(stage.watches, reader: past)
      try collector.take(commit)
      let fold = Fold(reader: present, layer: layer, uses: stage.uses, parts: .derived)
      try fold.apply(commit.body, position: position, time: commit.header.time)
      _ = try fold.finish()
      let net = try NetChanges(request, candidates: collector.candidates, old: past, new: present)
      stage.ordering.take(net)
      let (difference, causes) = try net.difference(over: stage.ordering, in: present)
      stage.layers[stage.layers.count - 1].absorb(layer)
      guard !difference.isEmpty else { return nil }
      return ResultsChange(
        from: Position(position.number - 1), to: position, difference: difference, causes: causes)
    }
  }
}

extension Store {
  /// The differences of a request, commit by commit, over a span of the past.
  ///
  /// - Parameters:
  ///   - first: The first commit; 0 and 1 are the beginning.
  ///   - last: The last commit; nil for the head as it is now.
  /// - Throws: `StoreError` with the code `notFound` for positions beyond the head.
  public func replay(of request: FetchRequest, from first: Position = 1, through last: Position? = nil) throws -> Replay
  {
    let last = try read { reader in
      try reader.requirePosition(max(first, last ?? .empty))
      return last ?? reader.position
    }
    return Replay(self, request, from: first, through: last)
  }
}
