import DaybookEngine
import DaybookModel

@testable import DaybookRuntime

/// What the processes do.
extension Simulation {
  mutating func beginFollowing(_ number: Int) throws {
    guard !nodes[number].isStopped, case .idle = nodes[number].activity, nodes[number].journal.fork == nil else {
      return
    }
    try read(number, until: .end, .following)
  }

  /// Begins a write of one commit, unless the process does something else.
  mutating func beginWriting(_ number: Int, _ id: ObjectID, sizeInBytes size: Int) throws {
    guard !nodes[number].isStopped, case .idle = nodes[number].activity, nodes[number].journal.fork == nil else {
      return
    }
    let goal: ReadingGoal? = nodes[number].state.mustReadBeforeWriting ? .end : nil
    nodes[number].write = (WriteTask(until: goal), id, size, nil)
    if let unresolved = nodes[number].state.unresolved {
      let task = PublishTask(resolving: unresolved, nodes[number].state.limits, at: now)
      nodes[number].activity = .resolving(task)
      events[.resolved, default: 0] += 1
      return try resume(number, with: .start)
    }
    try beginSession(number)
  }

  private mutating func read(_ number: Int, until goal: ReadingGoal, _ purpose: SimulatedNode.Purpose) throws {
    var isWriting = true
    if case .following = purpose { isWriting = false }
    let task = ReadTask(until: goal, isWriting: isWriting, at: now, showingTime: .milliseconds(100))
    nodes[number].activity = .reading(task, purpose)
    try resume(number, with: .start)
  }

  /// Reads what the write must know, or makes and publishes its commit.
  private mutating func beginSession(_ number: Int) throws {
    guard var write = nodes[number].write else { return }
    if let goal = write.task.goal {
      nodes[number].write?.task.goal = nil
      return try read(number, until: goal, .writing)
    }
    // The commits of other nodes are in the session, and not on the disk yet.
    var journal = nodes[number].journal
    do {
      if let arrivals = write.arrivals, !arrivals.isEmpty { try journal.append(arrivals) }
      if journal.fork != nil {
        nodes[number].journal = journal
        return abandon(number)
      }
      // Another write had the same commit id.
      if journal.position(ofCommitID: write.id) != nil {
        nodes[number].journal = journal
        events[.answeredAgain, default: 0] += 1
        return abandon(number)
      }
      let commit = journal.next(write.id, sizeInBytes: write.size)
      let publication = try nodes[number].state.publication(
        of: [commit], following: journal.place, as: newID(), at: now)
      if publication.messages.count > 1 { events[.sentInParts, default: 0] += 1 }
      nodes[number].activity = .publishing(
        PublishTask(publication, nodes[number].state.limits, at: now), commit, write.arrivals)
      try resume(number, with: .start)
    } catch is StreamPlaceMoved {
      write.task.goal = .end
      write.arrivals = nil
      nodes[number].write = write
      try beginSession(number)
    } catch let refusal as PublicationRefused {
      try run(number, againAfter: refusal)
    }
  }

  private mutating func run(_ number: Int, againAfter refusal: PublicationRefused) throws {
    guard var write = nodes[number].write else { return }
    events[.overtaken, default: 0] += 1
    let decision = write.task.decide(after: refusal, &nodes[number].state, announcingAs: newID())
    write.arrivals = nil
    nodes[number].write = write
    switch decision {
    case .giveUp: abandon(number)
    case .read: try beginSession(number)
    case .announce(let attempt): try read(number, until: write.task.goal ?? .end, .announcing(attempt))
    }
  }

  /// Gives a process an answer, and does what follows from it.
  mutating func resume(_ number: Int, with input: NodeState.Input) throws {
    do {
      switch nodes[number].activity {
      case .idle: break
      case .reading(var task, let purpose):
        let actions = try task.handle(input, &nodes[number].state, nodes[number].journal, at: now)
        nodes[number].activity = .reading(task, purpose)
        try perform(actions, of: number)
        if let arrivals = task.result { try finishReading(number, arrivals, purpose) }
      case .announcing(let attempt, let sequence): try finishAnnouncing(number, attempt, sequence, input)
      case .publishing(var task, let commit, let arrivals):
        let actions = try task.handle(input, &nodes[number].state, at: now)
        nodes[number].activity = .publishing(task, commit, arrivals)
        try perform(actions, of: number)
        if task.isDone { try store(number, task.publication, commit, arrivals) }
      case .resolving(var task):
        do {
          let actions = try task.handle(input, &nodes[number].state, at: now)
          nodes[number].activity = .resolving(task)
          try perform(actions, of: number)
          guard task.isDone else { return }
        } catch is PublicationRefused {}
        nodes[number].state.unresolved = nil
        try beginSession(number)
      }
    } catch let refusal as PublicationRefused {
      try run(number, againAfter: refusal)
    } catch is StreamUnavailable {
      abandon(number)
    } catch is PublicationUnknown {
      events[.leftUnknown, default: 0] += 1
      abandon(number)
    } catch let error as StoreError {
      // A fork that is known, or a stream of another store.
      guard error.code == .conflict else { throw error }
      nodes[number].failure = error
      abandon(number)
    }
  }

  private mutating func perform(_ actions: [NodeState.Action], of number: Int) throws {
    for action in actions {
      switch action {
      case .noteSkip: events[.skipped, default: 0] += 1
      case .noteRestart: events[.startedOver, default: 0] += 1
      case .noteRefill: events[.refilled, default: 0] += 1
      case .wait(let time): nodes[number].wakeTime = now + time
      default: send(action, of: number)
      }
    }
  }

  private mutating func finishReading(
    _ number: Int, _ arrivals: StreamArrivals, _ purpose: SimulatedNode.Purpose
  ) throws {
    if case .writing = purpose, arrivals.areAll {
      nodes[number].write?.arrivals = arrivals
      return try beginSession(number)
    }
    if !arrivals.isEmpty {
      do { try nodes[number].journal.append(arrivals) } catch is StreamPlaceMoved {}
      if nodes[number].journal.fork != nil { events[.forked, default: 0] += 1 }
      if arrivals.replacesAnyPlace { nodes[number].state.noteBeginning() }
      try check(number)
    }
    guard nodes[number].journal.fork == nil else { return abandon(number) }
    guard arrivals.areAll else { return try read(number, until: .end, purpose) }
    guard case .announcing(let attempt) = purpose else {
      nodes[number].activity = .idle
      return
    }
    guard let end = nodes[number].state.provenEnd else { return try announced(number, in: nil) }
    if let tip = nodes[number].state.tip(of: attempt) { return try announced(number, in: tip) }
    nodes[number].activity = .announcing(attempt, after: end.tip)
    send(
      .publish(StreamContent.part(.announcement(attempt, index: 0)).bytes, after: end.tip, waiting: .seconds(2)),
      of: number)
  }

  private mutating func finishAnnouncing(
    _ number: Int, _ attempt: ObjectID, _ sequence: UInt64, _ input: NodeState.Input
  ) throws {
    guard case .published(let outcome) = input else { return }
    switch outcome {
    case .acknowledged(let message): try announced(number, in: message)
    case .refused: try read(number, until: .message(sequence + 1), .announcing(attempt))
    case .unsent, .unknown: try announced(number, in: nil)
    }
  }

  private mutating func announced(_ number: Int, in sequence: UInt64?) throws {
    if sequence != nil { events[.announced, default: 0] += 1 }
    nodes[number].write?.task.announced(in: sequence)
    try beginSession(number)
  }

  /// Stores a published commit on the node's disk, and returns from the write.
  private mutating func store(
    _ number: Int, _ publication: Publication, _ commit: PendingCommit, _ arrivals: StreamArrivals?
  ) throws {
    if let arrivals, !arrivals.isEmpty { try nodes[number].journal.append(arrivals) }
    try nodes[number].journal.append(commit)
    nodes[number].journal.move(to: publication.end)
    nodes[number].state.record(publication.end)
    abandon(number)
    acknowledged.append((commit.header.position, commit.hash))
    events[.acknowledged, default: 0] += 1
    if stream.truncationCount == 0, !contains(commit.header.position, commit.hash) {
      throw Fault(
        description: "commit \(commit.header.position) of node \(number) was acknowledged, and is not in the stream")
    }
    try check(number)
  }
}
