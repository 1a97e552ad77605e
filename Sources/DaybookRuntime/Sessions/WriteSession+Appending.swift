import DaybookEngine
import DaybookModel
import LMDB

/// Appends commits that were made in other stores and may be untrusted.
extension WriteSession {
  /// Appends a commit, if the store could have made it itself.
  ///
  /// - Throws: `CommitRefusal` if it could not, in which case the session is unchanged. A model whose constraints the
  ///   objects break throws `StoreError`, and the session must be abandoned.
  package func append(checking commit: PendingCommit, model: ResolvedModel?) throws {
    let header = commit.header
    do {
      try checkFollows(commit)
    } catch let error as StoreError {
      throw CommitRefusal(error)
    }
    guard header.recordedAt >= lastRecordedAt else {
      throw CommitRefusal(
        .damaged, "it was recorded at \(header.recordedAt), before the commit that it follows, at \(lastRecordedAt)")
    }
    if let id = header.commitID, let position = try journalReader.position(ofCommitID: id) {
      throw CommitRefusal(.damaged, "it has the commit id \(id), which commit \(position) has already")
    }
    if !header.reasons.isEmpty,
      let fault = try journalReader.faultOfReasons(in: header, models: journalReader.modelPositions())
    {
      throw CommitRefusal(.damaged, fault)
    }
    try checkLargeValues(of: commit)
    if let model {
      try checkSuccession(to: model)
      return try append(commit)
    }
    do {
      try foldImported(commit)
    } catch {
      dropCommit()
      throw CommitRefusal.translating(error)
    }
    try append(folded: commit)
  }

  /// Appends a commit made in another store, unchanged.
  ///
  /// - Throws: `StoreError` with the code `conflict` if it does not follow the head.
  func append(_ commit: PendingCommit) throws {
    try checkFollows(commit)
    try install(commit, isFolded: false)
  }

  /// Appends a commit made in another store whose events are folded already.
  ///
  /// - Throws: The same errors as ``append(_:)``.
  private func append(folded commit: PendingCommit) throws {
    try checkFollows(commit)
    try install(commit, isFolded: true)
  }

  /// Checks that the bytes of all large values that the commit refers to are stored, or will be stored with it.
  private func checkLargeValues(of commit: PendingCommit) throws {
    largeValues.keep(commit.largeValues)
    guard commit.refersToLargeValues else { return }
    do {
      try commit.events.forEachLargeValue { value in
        guard try !largeValues.contains(value) else { return }
        throw CommitRefusal(
          .damaged,
          "it refers to the value \(value.sha256) of \(value.size) bytes, which neither the store nor the input has",
          advice: "Import all lines of the export.")
      }
    } catch let fault as MalformedBytes {
      throw CommitRefusal(.damaged, "its events are malformed: \(fault)")
    }
  }

  private func checkFollows(_ commit: PendingCommit) throws {
    try checkWritable()
    guard commit.header.position == head.next, commit.header.previousHash == headHash else {
      throw StoreError(.conflict, "Commit \(commit.header.position) does not follow commit \(head) of this store.")
    }
  }

  /// Folds a commit, checking each event first, and the constraints of a commit at the end.
  private func foldImported(_ commit: PendingCommit) throws {
    let (position, time) = (commit.header.position, commit.header.time)
    let faults = FaultList()
    var check = EventCheck(model: model, faults: faults)
    check.beginCommit(at: position, model: model)
    let fold = builder.fold
    fold.reset()
    var events = EventReader(commit.body.rawSpan, position: position, time: time)
    while !events.isAtEnd {
      let event = try events.next()
      do {
        try check.check(event, fold)
        if event.kind == .unknown, format.isKnown {
          throw CommitRefusal(.newerFormat, "an event is one that only a later version of Daybook knows")
        }
        if event.kind == .inserted { try checkIdentity(event.object, isOf: event.entity) }
        if let fault = faults.faults.first { throw ProjectionFault(fault.message) }
        try fold.apply(event, position: position, time: time, direction: .forward)
      } catch let fault as ProjectionFault {
        throw ProjectionFault("event \(check.eventNumber): \(fault)")
      }
    }
    try check.finishCommit(fold)
    if let fault = faults.faults.first { throw ProjectionFault(fault.message) }
    try builder.checkConstraints()
  }

  /// Checks that an identity never belonged to another entity.
  private func checkIdentity(_ id: ObjectID, isOf tag: Tag) throws {
    for root in model.roots {
      guard let record = try builder.fold.unsafeRecord(of: ObjectKey(entity: root, id: id)) else { continue }
      let entity = model.entities[try model.entity(of: RecordView(record), in: root)]
      if entity.tag != tag { throw ProjectionFault("the identity \(id) belongs to \(entity.name)") }
    }
  }

  /// Checks that a model follows from the present one by a change that the store would accept.
  ///
  /// Tags in use must keep their meaning, and nothing may be lost.
  private func checkSuccession(to new: ResolvedModel) throws {
    let change: ModelChange
    do {
      change = try model.evolved(to: model.declaration(leadingTo: new))
    } catch {
      throw CommitRefusal(.badModel, "\(error)")
    }
    guard !change.isEmpty, change.model.storedJSON == new.storedJSON else {
      throw CommitRefusal(.badModel, "the model does not follow from the one before it")
    }
    do {
      try reader.check(change.checks, in: model)
    } catch let error as StoreError {
      throw CommitRefusal(error)
    }
  }

  /// Makes a commit, unless the journal contains its id.
  package func commitOnce<Result>(
    _ info: CommitInfo, _ body: (borrowing Transaction) throws -> Result
  ) throws -> CommitOutcome<Result> {
    if let position = try positionOfEarlierCommit(info) { return .alreadyCommitted(position: position) }
    let before = head
    let (result, position) = try commit(info, body)
    return position > before
      ? .committed(position: position, result: result) : .unchanged(position: position, result: result)
  }

  /// Makes a commit, and returns the result of the closure.
  ///
  /// - Throws: `StoreError` with the code `conflict` if the journal contains the commit's id, and there is no result.
  package func commitNew<Result>(
    _ info: CommitInfo, _ body: (borrowing Transaction) throws -> Result
  ) throws -> Result {
    if let position = try positionOfEarlierCommit(info) {
      throw StoreError(
        .conflict, "Commit \(position) has the commit id \(info.commitID?.description ?? "") already.",
        advice: "Call commit(_:_:), which returns it.")
    }
    return try commit(info, body).result
  }

  /// Returns the position of the commit with the id that a commit would have, or `nil` if there is none.
  private func positionOfEarlierCommit(_ info: CommitInfo) throws -> Position? {
    try checkUsable()
    return try info.commitID.flatMap { try journalReader.position(ofCommitID: $0) }
  }
}

/// The reason why a commit that was made elsewhere is refused, before the caller adds where it found the commit.
package struct CommitRefusal: Error {
  package let error: StoreError

  package init(_ code: StoreError.Code, _ message: String, advice: StoreError.Remedy? = nil) {
    error = StoreError(code, message, advice: advice)
  }

  package init(_ error: StoreError) {
    self.error = error
  }
}

extension CommitRefusal {
  /// Makes the refusal for a commit that cannot be folded.
  ///
  /// Returns errors that the commit did not cause unchanged.
  static func translating(_ error: any Error) -> any Error {
    switch error {
    case let fault as ProjectionFault: CommitRefusal(.damaged, "it does not fit the state before it: \(fault)")
    case let bytes as MalformedBytes: CommitRefusal(.damaged, "its events are malformed: \(bytes)")
    case is LMDBError: error
    default:
      (StoreError.translating(error) as? StoreError).map { CommitRefusal($0) } ?? error
    }
  }
}
