import Daybook
import DaybookEngine
import DaybookModel
import LMDB

/// An import in progress: the store, and the commits that wait for the next transaction.
struct ImportJob {
  private let path: String
  private let options: StoreOptions
  private let progress: ((StoreProgress) -> Void)?
  private var store: Store?
  /// The head when the import began: lines up to it must match the store's commits.
  private var knownHead = Position.empty
  /// The commit of the last line; `nil` before the first line.
  private var last: (position: Position, hash: Digest)?
  /// The names by which the next line's events are read.
  private var names: EventNames?
  /// The large values that came before the next commit's line.
  private var largeValues = LargeValueInput()
  private var batch: [ImportedCommit] = []
  private var batchSize = 0
  private var commits = 0
  private var events = 0
  private var known = 0

  /// The most commits in one transaction.
  static let maximumBatchCount = 10_000
  /// A transaction ends with the commit that reaches this size, in bytes.
  static let maximumBatchSize = 64 << 20

  init(path: String, options: StoreOptions, progress: ((StoreProgress) -> Void)?) {
    self.path = path
    self.options = options
    self.progress = progress
  }

  /// Processes the next line.
  mutating func take(_ text: [UInt8], number: Int) throws {
    do {
      if LargeValueLine.isOne(text) { return try largeValues.take(LargeValueLine(text)) }
      try largeValues.checkComplete()
      let line = try CommitLineReader(text)
      if store == nil, try StoreDirectory(path).exists { try open() }
      try checkOrder(line)
      if store != nil, line.position <= knownHead { return try compare(line) }
      try append(line, number: number)
    } catch let fault as EventFault {
      let advice = ForeignFile.advice(for: text) ?? "Check where the input comes from."
      try refuse(StoreError(.damaged, "\(fault)", advice: .text(advice)), number)
    } catch let refusal as CommitRefusal {
      try refuse(refusal.error, number)
    }
  }

  mutating func finish() throws -> Importer.Summary {
    try flush()
    guard let store else {
      guard try StoreDirectory(path).exists else {
        throw StoreError(.damaged, "The input holds no commit, so no store was created at \(path).")
      }
      try open()
      return try finish()
    }
    return Importer.Summary(head: try store.position, commits: commits, events: events, known: known)
  }

  func close() {
    store?.close()
  }

  private mutating func open() throws {
    let store = try Store(at: path, options: options)
    self.store = store
    knownHead = try store.position
  }

  /// Checks that each line follows the previous one, and the first line the store's commits.
  private func checkOrder(_ line: CommitLineReader) throws {
    let next = last?.position.next
    if let next {
      guard line.position == next else {
        throw CommitRefusal(.damaged, "it has commit \(line.position), where commit \(next) must follow")
      }
    } else if line.position > knownHead.next {
      throw CommitRefusal(
        .conflict,
        "it has commit \(line.position), but the store has \(knownHead.number) commits and needs \(knownHead.next) next",
        advice: "Import from a line on that the store has, or all of the export.")
    }
  }

  /// Compares a line with the store's commit at its position.
  private mutating func compare(_ line: CommitLineReader) throws {
    guard let store else { return }
    let (hash, position) = (line.hash, line.position)
    let present = try store.hash(at: position)
    guard present == hash else {
      throw CommitRefusal(
        .conflict, "commit \(position) of the store has the hash \(present), the line's has \(hash)",
        advice: "The store's history is another one; import into a new store.")
    }
    last = (position, hash)
    known += 1
    largeValues = LargeValueInput()
  }

  private mutating func append(_ line: CommitLineReader, number: Int) throws {
    let previousHash = try last?.hash ?? (knownHead > .empty ? store?.hash(at: knownHead) : nil) ?? .zero
    guard line.previousHash == previousHash else {
      throw CommitRefusal(
        .damaged,
        "“previousHash” is \(line.previousHash), but commit \(line.position.number - 1) has the hash \(previousHash)")
    }
    if line.model == nil, names == nil, let store { names = try store.names(at: knownHead) }
    var commit = try ImportedCommit(line, number: number, names: names)
    let values = try largeValues.takeValues(of: commit.pending)
    commit.add(values)
    last = (line.position, line.hash)
    if store == nil { return try create(from: commit) }
    if let model = commit.model {
      // If a model does not fit the objects, its whole transaction fails, so it gets a separate one.
      try flush()
      names = model
    }
    batch.append(commit)
    if commit.model != nil { return try flush() }
    batchSize += commit.pending.body.count + commit.pending.headerBytes.count
    batchSize += values.reduce(0) { $0 + $1.size }
    if batch.count >= ImportJob.maximumBatchCount || batchSize >= ImportJob.maximumBatchSize { try flush() }
  }

  /// Creates the store from its first commit.
  private mutating func create(from commit: ImportedCommit) throws {
    guard let model = commit.model, commit.pending.header.position == 1 else {
      throw CommitRefusal(.damaged, "the first commit of a store is its model, at position 1")
    }
    let reasons = commit.pending.header.reasons
    if let fault = reasons.fault(at: 1, isModel: true, models: []) { throw CommitRefusal(.damaged, fault) }
    if let cause = reasons.causation {
      throw CommitRefusal(.damaged, "the first commit has no cause, and the line says \(cause)")
    }
    try StoreDirectory(path).create(first: commit.pending, options)
    try open()
    names = model
    count(commit)
  }

  /// Appends the waiting commits in one transaction.
  private mutating func flush() throws {
    guard let store, !batch.isEmpty else { return }
    let commits = batch
    batch.removeAll()
    batchSize = 0
    if let (commit, error) = try ImportJob.append(commits, to: store) {
      throw StoreError(error, line: commit.lineNumber, position: commit.pending.header.position)
    }
    for commit in commits { count(commit) }
    progress?(StoreProgress(activity: "importing", completed: UInt64(self.commits), total: nil, unit: "commits"))
  }

  /// Appends commits up to the first refused one, which is returned with its error.
  ///
  /// The commits before it stand.
  private static func append(
    _ commits: [ImportedCommit], to store: Store
  ) throws -> (commit: ImportedCommit, error: StoreError)? {
    try store.writer.write { session in
      for commit in commits {
        do {
          try session.append(checking: commit.pending, model: commit.model?.model)
        } catch let error as CommitRefusal {
          return (commit, error.error)
        }
      }
      return nil
    }
  }

  private mutating func count(_ commit: ImportedCommit) {
    commits += 1
    events += commit.pending.header.eventCount
  }

  /// Throws the error of a line after writing the commits before it.
  private mutating func refuse(_ error: StoreError, _ number: Int) throws {
    try flush()
    throw StoreError(error, line: number, position: nil)
  }
}

private extension StoreError {
  init(_ error: StoreError, line: Int, position: Position?) {
    let place = position.map { "Line \(line) (commit \($0))" } ?? "Line \(line)"
    self.init(error.code, "\(place): \(error.message)", advice: error.remedy)
  }
}

private extension StoreDirectory {
  /// Creates a store with a new identity from another store's first commit.
  func create(first: PendingCommit, _ options: StoreOptions) throws {
    let milliseconds = UInt64(max(0, options.clock().microseconds / 1_000))
    let id = ObjectID(milliseconds: milliseconds, random: (options.randomBits(), options.randomBits()))
    do {
      try createDirectoryAtomically(at: path) { temporary in
        try StoreDirectory(temporary).fill(id: id, first: first, options)
      }
    } catch {
      throw StoreError.translating(error)
    }
  }
}
