import DaybookEngine
import DaybookModel
import LMDB

/// Checks a journal's commits, singly and as a chain, without folding them.
///
/// It reads the rows directly instead of through ``LMDBJournal``, which throws at the first fault.
struct JournalCheck {
  let journal: LMDBJournal
  /// The table of the large values, or `nil` if the journal has none.
  let largeValues: Table?
  let faults: FaultList
  let progress: ((StoreProgress) -> Void)?
  var findings: JournalFindings
  /// The hash of the previous commit, or `nil` if that commit is missing or damaged.
  private var previousHash: Digest? = .zero
  private var lastRecordedAt = Timestamp(microseconds: .min)
  private var namedCommitCount = 0
  /// The store's format, or `nil` if its row cannot be read, which its own check reports.
  let format: StoreFormat?
  /// Whether the store's format is only partly known to this version.
  private var mayHaveUnknownEvents: Bool { format?.isKnown == false }

  init(journal: LMDBJournal, largeValues: Table?, faults: FaultList, progress: ((StoreProgress) -> Void)?) {
    self.journal = journal
    self.largeValues = largeValues
    self.faults = faults
    self.progress = progress
    findings = JournalFindings(journal: journal)
    // A row that cannot be read is reported by its own check.
    format = (try? journal.format()).flatMap { $0 }
  }

  /// Checks everything, including the hashes that commits are expected to have.
  mutating func run(expecting hashes: [Position: Digest]) throws -> JournalFindings {
    let count = try journal.snapshot.entryCount(in: journal.tables.journal)
    try checkRows(total: UInt64(clamping: count))
    if findings.commitCount == 0 { faults.report(.journal, "journal", "it holds no commit") }
    try checkMeta(findings.models.map(\.position))
    try checkLargeValues()
    faults.summary.isJournalWhole = !faults.concerns(.journal)
    try checkCommitIDs(expectedCount: namedCommitCount)
    try checkSubscriptions()
    for (position, hash) in hashes.sorted(by: { $0.key < $1.key }) { try check(position, expecting: hash) }
    return findings
  }

  private mutating func checkRows(total: UInt64) throws {
    var cursor = try journal.snapshot.makeCursor(in: journal.tables.journal)
    var isValid = try cursor.moveToFirst()
    var expected = Position(1)
    while isValid, !faults.isFull {
      guard let key = try? JournalKey(cursor.key) else {
        faults.report(.journal, "journal", "a key of \(cursor.key.byteCount) bytes is not that of a commit")
        isValid = try cursor.moveToNext()
        continue
      }
      guard key.chunk == 0 else {
        fault(key.position, "its chunk \(key.chunk) stands alone")
        isValid = try cursor.moveToNext()
        continue
      }
      guard key.position >= expected, key.position.number < .max else {
        fault(expected, "there is a commit \(key.position) in its place")
        return
      }
      if key.position > expected {
        let last = Position(key.position.number - 1)
        fault(expected, expected == last ? "it is missing" : "it is missing, and so are all up to \(last)")
        previousHash = nil
      }
      try checkCommit(key.position, &cursor)
      expected = key.position.next
      if key.position.number % 256 == 0 {
        progress?(
          StoreProgress(activity: "checking commits", completed: key.position.number, total: total, unit: "commits"))
      }
      isValid = try cursor.moveToNext()
    }
  }

  /// Reports a fault of a commit; later commits are not folded.
  mutating func fault(_ position: Position, _ what: String) {
    faults.report(position, what)
    findings.firstFault = min(findings.firstFault ?? position, position)
  }

  /// Joins the chunks of a commit and checks it; leaves the cursor at its last chunk.
  private mutating func checkCommit(_ position: Position, _ cursor: inout Cursor) throws {
    let size = CommitLimits.chunkSizeInBytes
    findings.head = position
    findings.commitCount += 1
    if cursor.value.byteCount < size { return check(cursor.value, at: position) }
    var bytes: [UInt8] = []
    var chunk: UInt32 = 0
    while true {
      guard cursor.value.byteCount <= size, bytes.count <= CommitLimits.maximumSizeInBytes else {
        previousHash = nil
        return fault(position, "its chunk \(chunk) is too large, or one too many")
      }
      bytes.append(bytes: cursor.value)
      if cursor.value.byteCount < size { break }
      chunk += 1
      guard try cursor.moveToNext(), (try? JournalKey(cursor.key)) == JournalKey(position: position, chunk: chunk)
      else {
        // The row at this place belongs to the next commit, which is checked next.
        if cursor.isValid { _ = try cursor.moveToPrevious() } else { _ = try cursor.moveToLast() }
        previousHash = nil
        return fault(position, "its chunk \(chunk) is missing")
      }
    }
    check(bytes.rawSpan, at: position)
  }

  private mutating func check(_ bytes: RawSpan, at position: Position) {
    let commit: CommitView
    do {
      commit = try CommitView(bytes)
    } catch {
      previousHash = nil
      return fault(position, journal.error(error, at: position).message)
    }
    let header = commit.header
    let hash = commit.hash
    if header.position != position { fault(position, "it says that it is commit \(header.position)") }
    if let previousHash, header.previousHash != previousHash {
      fault(
        position, "it says that the commit before has the hash \(header.previousHash), but that has \(previousHash)")
    }
    if let damage = commit.damage { fault(position, damage) }
    if header.recordedAt < lastRecordedAt { fault(position, "it was recorded before the commit before it") }
    lastRecordedAt = max(lastRecordedAt, header.recordedAt)
    previousHash = hash
    findings.hash = hash
    checkReasons(header)
    if header.isModel { checkModel(commit) } else { checkEvents(commit) }
    if let id = header.commitID { check(id, of: position) }
  }

  private mutating func checkReasons(_ header: CommitHeader) {
    guard !header.reasons.isEmpty else { return }
    let position = header.position
    if let format, !format.includes(.needed(by: header)) {
      fault(
        position, "its header has version \(header.version), which the store’s format \(format.version) does not allow")
    }
    do {
      let models = findings.models.map(\.position)
      if let what = try journal.faultOfReasons(in: header, models: models) { fault(position, what) }
    } catch {
      fault(position, "the commit that it names as its cause cannot be found: \(error)")
    }
  }

  private mutating func checkModel(_ commit: CommitView) {
    let position = commit.header.position
    if commit.header.eventCount != 0 { fault(position, "it is a model, but counts \(commit.header.eventCount) events") }
    do {
      let model = try ResolvedModel(body: commit.body, at: position)
      findings.models.append((position, model))
      if let format, !format.includes(.skippable(since: model.neededVersion)) {
        fault(
          position,
          "it has parts of format \(model.neededVersion), which the store’s format \(format.version) does not have")
      }
    } catch let error as StoreError {
      fault(position, error.message)
    } catch {
      fault(position, "\(error)")
    }
  }

  /// Reads all events to check that they are complete.
  private mutating func checkEvents(_ commit: CommitView) {
    let position = commit.header.position
    if findings.models.isEmpty { fault(position, "it comes before any model") }
    var events = commit.events
    var count = 0
    var values: [LargeValue] = []
    defer { note(values, at: position) }
    do {
      let mayHaveRecorded = format?.includes(.skippable(since: EventWriter.recordedVersion)) ?? true
      while !events.isAtEnd {
        let event = try events.next()
        count += 1
        try event.forEachLargeValue { values.append($0) }
        if event.kind == .unknown && !mayHaveUnknownEvents || event.kind == .recorded && !mayHaveRecorded {
          return fault(position, "its event \(count) is of a kind that no version up to the store’s format has")
        }
      }
    } catch {
      return fault(position, "its event \(count + 1) cannot be read: \(error)")
    }
    if count != commit.header.eventCount {
      fault(position, "its header counts \(commit.header.eventCount) events, but it has \(count)")
    }
    if count == 0, !commit.header.reasons.namesCommits { fault(position, "it has no events") }
    findings.eventCount += count
  }

  private mutating func check(_ id: ObjectID, of position: Position) {
    namedCommitCount += 1
    do {
      let found = try journal.position(ofCommitID: id)
      if found != position {
        fault(position, "the table of commit ids has \(found.map { "commit \($0)" } ?? "nothing") for its id \(id)")
      }
    } catch {
      fault(position, "the row of its commit id cannot be read: \(error)")
    }
  }

  private mutating func check(_ position: Position, expecting expected: Digest) throws {
    guard position <= findings.head else {
      return faults.report(position, "it is expected, but the journal ends at \(findings.head)")
    }
    // A commit that cannot be read has been reported already.
    guard let hash = try? journal.header(at: position).hash else { return }
    if hash != expected { faults.report(position, "its hash is \(hash), but \(expected) is expected") }
  }
}

/// The results of a journal's check, for the checks that depend on it.
struct JournalFindings {
  let journal: LMDBJournal
  /// The position of the last commit.
  var head = Position.empty
  var hash: Digest?
  var commitCount = 0
  var eventCount = 0
  /// The readable models, by rising positions.
  var models: [(position: Position, model: ResolvedModel)] = []
  /// The large values that events refer to, each with the first commit that does.
  var largeValues: [Digest: (value: LargeValue, position: Position)] = [:]
  /// The first commit with a fault.
  var firstFault: Position?

  /// The last commit before the first fault, or the head without faults.
  var lastSound: Position { firstFault.map { Position($0.number - 1) } ?? head }

  /// Returns the model that holds at a position.
  func model(at position: Position) -> (position: Position, model: ResolvedModel)? {
    models.last { $0.position <= position }
  }
}
