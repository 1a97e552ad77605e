import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension EditingContext {
  /// Returns the effects that saving would have, without saving.
  ///
  /// - Parameters:
  ///   - requests: Requests to report differences of, in addition to the requests of open live results. Pending edits make no
  ///     difference of derived entities, whose objects follow from commits.
  ///   - policy: How conflicts are decided, as for saving.
  /// - Throws: `StoreError`: `badRequest` for a request that names what the model lacks, or in a context on top of
  ///   another one; any error of the policy's closure.
  /// - Complexity: As saving, plus O(*n* log *n*) for a request of *n* rows.
  public func preview(
    of requests: [Request<StoredObject>] = [], resolving policy: ConflictPolicy = .refuse
  ) throws -> EditingPreview {
    try locked {
      guard case .store(let store) = ground else {
        throw StoreError(
          .badRequest, "This context is on top of another one, and not saved to the store.",
          advice: "Save it into that one, and preview that one.")
      }
      let open = store.notifier.openRequests.map(\.asWritten)
      return try store.read { reader in
        let clashes = try clashes(in: reader.journal, through: reader.position, under: reader.resolvedModel)
        do {
          let replay = try EditingReplay(clashes, resolving: policy)
          let stored = try Set(open + requests.map(\.fetch)).filter { try reader.scope(of: $0.entity).isStored }
          return try preview(replay, clashes.conflicts, stored, reader)
        } catch let error as StoreError where !error.editingConflicts.isEmpty {
          return EditingPreview(
            position: reader.position, conflicts: clashes.conflicts, failures: [], events: [], differences: [:])
        }
      }
    }
  }

  private func preview(
    _ replay: EditingReplay, _ conflicts: [EditingConflict], _ requests: Set<FetchRequest>,
    _ reader: borrowing StoreReader
  ) throws -> EditingPreview {
    let layer = Layer()
    let builder = CommitBuilder(
      reader: reader.reader.adding(layer), layer: layer, dependents: reader.dependents,
      makeID: store.options.makeID)
    let head = reader.position
    builder.largeValues.offer(largeValues.values)
    builder.begin(at: head.next, time: store.options.clock())
    var failures: [StoreError] = []
    do {
      var replay = replay
      try replay.perform(steps, with: builder, reader.journal)
      failures = try builder.constraintFailures(atMost: .max) + builder.ruleFaults(atMost: .max).map(\.error)
      failures += try store.options.validations.failures(of: builder, atMost: .max)
    } catch let error as StoreError {
      // A delete rule, or a verb that the present state does not allow.
      failures = [error]
    }
    guard failures.isEmpty else {
      return EditingPreview(position: head, conflicts: conflicts, failures: failures, events: [], differences: [:])
    }
    return EditingPreview(
      position: head, conflicts: conflicts, failures: [], events: try builder.decodedEvents(),
      differences: try builder.differences(of: requests, from: reader.reader))
  }
}

private extension FetchRequest {
  /// The request as the application wrote it, without what observed results add.
  var asWritten: FetchRequest {
    var request = self
    request.showsWholeObjects = false
    return request
  }
}

private extension CommitBuilder {
  func decodedEvents() throws -> [Event] {
    let (names, bytes) = (EventNames(model, largeValues: largeValues), writer.bytes)
    var events: [Event] = []
    var reader = EventReader(bytes.rawSpan, position: writer.position, time: writer.time)
    while !reader.isAtEnd { events.append(try Event(reader.next(), names: names)) }
    return events
  }

  /// Returns the differences that the folded commit makes.
  func differences(
    of requests: Set<FetchRequest>, from old: Reader
  ) throws -> [Request<StoredObject>: Change<Difference<ObjectID>>] {
    let (position, former, bytes) = (writer.position, Position(writer.position.number - 1), writer.bytes)
    var differences: [Request<StoredObject>: Change<Difference<ObjectID>>] = [:]
    for request in requests {
      let resolved = try reader.resolve(request.mayReadTime ? request.at(keeper?.files.options.clock()) : request)
      var collector = CandidateCollector(RequestDependents(resolved, in: model), reader: reader)
      try EventReader(bytes.rawSpan, position: position, time: writer.time).forEachChange(in: model) {
        try collector.take($0, of: position)
      }
      do {
        let changes = try RowChanges(from: resolved, to: resolved, collector.candidates, new: reader) { old }
        let base = try RankBase(resolved, in: reader, mayCount: false)
        let change = try changes.netChanges(resolved, endingAt: base.groups)
          .change(from: former, to: position, endingAt: RankedKeys(base), in: reader)
        if !change.difference.isEmpty { differences[Request(request)] = change }
      } catch let error as StoreError where error.code == .badValue || error.code == .tooLarge {
        // The groups of a list that is open elsewhere have no values, which is no fault of these edits.
        guard request.grouping != nil else { throw error }
      }
    }
    return differences
  }
}

/// The effects that saving a context would have.
///
///     let preview = try context.preview()
///     preview.failures                    // what would keep it from being saved
///     preview.events                      // what the commit would hold, the effects of delete rules included
///     preview.differences[request]        // what a list would show
public struct EditingPreview: Sendable {
  /// The head that the preview is based on.
  ///
  /// Saving makes the commit after it, unless another writer commits first.
  public let position: Position
  /// The conflicts with other commits. Saving throws as long as the policy leaves one undecided.
  public let conflicts: [EditingConflict]
  /// The rules of the model that the commit would break, including delete rules, and what the application's own checks
  /// refuse. If there are any, nothing would be saved. ``StoreError/failure`` has the object, its field and the value.
  public let failures: [StoreError]
  /// The events of the commit; empty if it would not be made.
  public let events: [Event]
  /// The differences of requests, by request.
  ///
  /// Contains the requests of open live results in this process, and the requests that the caller named. Requests whose
  /// results would not change are left out, as are requests of derived entities.
  public let differences: [Request<StoredObject>: Change<Difference<ObjectID>>]

  /// The objects that would be deleted, including by delete rules, in the order of the events.
  package var deleted: [ObjectID] { events.filter { $0.kind == .deleted }.map(\.object) }
}
