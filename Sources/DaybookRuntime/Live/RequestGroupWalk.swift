import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// The results of a group of requests at one movable position; a single request is a group of one.
///
/// Replays, feeds of every commit and moves of live results read the past with it.
///
/// A walk consists of the state (``RewoundState``), which is kept once for all requests, and the rows of each request at
/// the position (``WalkedRows``). A move reads the rows that the commits in between may have changed at both of its ends,
/// so it costs what changed in between, however far the head is.
package struct RequestGroupWalk {
  private var past: RewoundState
  /// The time of the results, if a request reads the time.
  package private(set) var time: Timestamp?
  package private(set) var rows: [WalkedRows]
  /// Whether it is before the first model, with which rows appear: groups without keys. The state there is read as the one
  /// of position 1.
  private var isBeforeModel = false

  package var position: Position { isBeforeModel ? .empty : past.position }
  var head: Position { past.head }
  /// Whether the bases of the rows belong to the walk alone.
  var ownsBases: Bool { rows.allSatisfy(\.ownsBase) }

  /// Creates a walk at a position, with the requests resolved by the model of the position.
  ///
  /// - Parameters:
  ///   - position: 0 is the empty state, which is read by the first model.
  ///   - time: The time of the results, if a request reads the time; the recorded one of the position by default.
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what a request names; `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since the position, plus the cost of fetching there.
  package init(
    _ position: Position, _ requests: [FetchRequest], of reader: borrowing StoreReader, at time: Timestamp? = nil,
    limitInBytes limit: Int = .max
  ) throws {
    let time = requests.contains(where: \.mayReadTime) ? try time ?? reader.recordedTime(of: position) : nil
    self.time = time
    past = try RewoundState(position, before: reader.present, in: reader.journal, parts: .all, limitInBytes: limit)
    let former = past.reader(over: reader.reader)
    rows = try requests.map { try WalkedRows($0, at: position, time, in: former) }
    isBeforeModel = position == .empty && rows.contains(where: \.appearWithModel)
  }

  /// Creates a walk at the start of a range, with rows over the bases at the head.
  ///
  /// Only the rows that have changed since the position are held.
  ///
  /// In the range the model must not have changed in what the requests reach.
  ///
  /// - Parameters:
  ///   - heads: The requests at the reader's position.
  ///   - range: The commits up to the reader's position, from position 1 or a later one.
  ///   - time: The time of the results, if a request reads the time. Then the walk is not moved.
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since the position.
  init(
    over heads: [LiveRequest.Head], before range: CommitRange, of reader: borrowing StoreReader,
    at time: Timestamp? = nil
  ) throws {
    self.time = time
    past = try RewoundState(
      range.start, before: reader.present, in: reader.journal, parts: .derived, limitInBytes: range.limitInBytes)
    let former = past.reader(over: reader.reader)
    let model = reader.resolvedModel
    rows = try heads.map { head in
      try WalkedRows(over: head, in: model, before: range, since: time, former: former, reader.reader)
    }
  }

  /// Returns a walk at the start of a range: a kept one if it can be moved there, else a new one.
  ///
  /// - Parameters:
  ///   - kept: A walk of the same requests.
  ///   - heads: The requests at the reader's position.
  ///   - time: The time of the results, if a request reads the time.
  /// - Throws: `SpanTooLarge`; `StoreError` with the code `badRequest` if the model of the position lacks what a request
  ///   names.
  static func at(
    _ range: CommitRange, _ kept: consuming RequestGroupWalk?, _ heads: [LiveRequest.Head], _ time: Timestamp?,
    in reader: borrowing StoreReader, of keeper: ProjectionKeeper
  ) throws -> RequestGroupWalk {
    let (position, limit) = (range.start, range.limitInBytes)
    // A field may have the name of the time.
    let time = heads.contains { $0.time != nil } ? time : nil
    if var walk = kept, try walk.follow(heads, in: reader, of: keeper) {
      if walk.position < position || walk.position == position && walk.time != time {
        _ = try walk.move(to: position, at: time, in: reader, limitInBytes: limit)
      }
      if walk.position == position, walk.time == time { return walk }
    }
    // The bases at the head cannot be used for the empty state, nor under a model that differs in what a request reaches.
    // Where the time moves them, too, a walk does not follow them.
    var isOver = position > .empty && heads.allSatisfy { $0.time == nil }
    for head in heads where isOver { isOver = try !head.isReset(from: position, in: reader) }
    guard isOver else {
      return try RequestGroupWalk(
        position, heads.map(\.resolution.request.request), of: reader, at: time, limitInBytes: limit)
    }
    return try RequestGroupWalk(over: heads, before: range, of: reader)
  }

  /// Returns a reader of the state, on top of a reader of the head.
  package func reader(over present: Reader) -> Reader { past.reader(over: present) }

  /// Returns the rows of each request.
  ///
  /// - Parameter present: Reads the head.
  package func rows(over present: Reader) -> [PlacedRows] {
    let state = past.reader(over: present)
    return rows.map { PlacedRows(ranked: $0.ranked, reader: $0.rowReader(over: state)) }
  }

  /// Returns a reader of the rows of a request, on top of a reader of the head.
  package func rowReader(_ number: Int, over present: Reader) -> Reader {
    rows[number].rowReader(over: past.reader(over: present))
  }

  /// Returns a reader of an earlier state.
  ///
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  package func reader(
    at earlier: Position, in reader: borrowing StoreReader, limitInBytes limit: Int
  ) throws -> Reader {
    try past.reader(at: earlier, over: reader.reader, in: reader.journal, limitInBytes: limit)
  }

  /// Changes to a later head; the results stay as they are.
  ///
  /// - Precondition: The walk owns its bases.
  /// - Throws: `SpanTooLarge`, after which the walk must not be used.
  package mutating func follow(_ reader: borrowing StoreReader, limitInBytes limit: Int) throws {
    try past.follow(reader.present, in: reader.journal, limitInBytes: limit)
  }

  /// Changes to a later head; the results stay as they are.
  ///
  /// - Parameter heads: The requests at the later head.
  /// - Returns: `false` if the rows cannot follow, because their requests are resolved by another model.
  /// - Throws: `SpanTooLarge`, after which the walk must not be used.
  private mutating func follow(
    _ heads: [LiveRequest.Head], in reader: borrowing StoreReader, of keeper: ProjectionKeeper
  ) throws -> Bool {
    for (row, head) in zip(rows, heads) where !row.ownsBase && row.ranked.request !== head.base.request {
      return false
    }
    guard past.head < reader.position else { return true }
    let range = CommitRange(from: past.head, to: reader, of: keeper, isShared: rows.count > 1)
    for (number, head) in heads.enumerated() where !rows[number].ownsBase {
      rows[number].rebase(onto: head.base, after: try head.changes(over: range, since: nil))
    }
    try follow(reader, limitInBytes: range.limitInBytes)
    return true
  }

  /// Moves to another position, earlier or later.
  ///
  /// - Parameter time: The time there, if a request reads the time; by default the recorded one.
  /// - Returns: The difference of each request, which may be empty.
  /// - Throws: `SpanTooLarge`, after which the walk must not be used.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  package mutating func move(
    to target: Position, at time: Timestamp? = nil, in reader: borrowing StoreReader, limitInBytes limit: Int = .max
  ) throws -> [ResultsChange] {
    if isBeforeModel {
      let appearances = try appear(in: reader.reader)
      if target == past.position { return appearances }
    }
    let (first, last) = (min(position, target), max(position, target))
    let isBack = target < position
    let time = self.time == nil ? nil : try time ?? reader.recordedTime(of: target)
    let (finders, journal) = (try rows.map { try $0.finder(to: time, isBack: isBack) }, reader.journal)
    var read: [RowChanges] = []
    if first == last, self.time != time {
      let here = past.reader(over: reader.reader)
      read = try finders.map { try $0.changes(after: first, through: last, in: journal, old: here, new: here) }
    }
    try past.move(
      to: target, before: reader.present, lastModel: reader.modelPosition, in: journal, limitInBytes: limit
    ) { here, there in
      let (old, new) = isBack ? (there, here) : (here, there)
      // The ways back can be followed at either end.
      let span =
        finders.count > 1 && time == nil
        ? try SpanChanges(from: first.next, through: last, in: journal, model: new.model) : nil
      read = try finders.map { finder in
        guard let span else {
          return try finder.changes(after: first, through: last, in: journal, old: old, new: new)
        }
        return try finder.changes(of: span, old: old, new: new)
      }
    }
    self.time = time
    var changes: [ResultsChange] = []
    for number in rows.indices {
      let net = read.isEmpty ? nil : read[number]
      if time != nil {
        try rows[number].settle(finders[number], isBack: isBack, net, in: past.reader(over: reader.reader))
      }
      changes.append(try rows[number].move(by: net, from: first, to: last, isBack: isBack, in: reader.reader))
    }
    return changes
  }

  /// Moves from the state before the model to the one after it, in which groups without keys appear.
  private mutating func appear(in reader: Reader) throws -> [ResultsChange] {
    isBeforeModel = false
    var changes: [ResultsChange] = []
    for number in rows.indices {
      let appearance = rows[number].appearWithModel ? RowChanges.appearance : nil
      changes.append(try rows[number].move(by: appearance, from: .empty, to: past.position, in: reader))
    }
    return changes
  }

  /// Returns the change of one request that led to the present position, reported from an earlier position.
  ///
  /// - Parameters:
  ///   - change: The change of the last commit.
  ///   - number: The number of the request.
  ///   - start: The position from which it is reported. The commits in between changed nothing in the result.
  ///   - time: The time of the result there, if a request reads the time.
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  package func completing(
    _ change: ResultsChange, of number: Int, from start: Position, at time: Timestamp?,
    in reader: borrowing StoreReader,
    limitInBytes limit: Int
  ) throws -> ResultsChange {
    try rows[number].completing(change, from: start, at: time, past, in: reader, limitInBytes: limit)
  }
}
