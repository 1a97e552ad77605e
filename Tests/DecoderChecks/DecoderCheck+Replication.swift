import DaybookEngine
import DaybookModel
import DaybookTestSupport

/// What comes from the servers of a replicated journal, and from other nodes.
extension DecoderCheck {
  /// Checks a message of a stream, the commits in it, and the fold of it alone and twice.
  static func streamMessage(_ bytes: [UInt8]) throws -> Bool {
    guard let content = try? StreamContent(bytes) else { return false }
    try require(StreamContent(content.bytes) == content, "\(content) becomes \(content.bytes)")
    let store: ObjectID
    let payload: [UInt8]
    switch content {
    case .identity(let id, let bytes): (store, payload) = (id, bytes)
    case .part(let part): (store, payload) = (part.attempt, part.bytes)
    }
    let commits = try? StreamPayload.commits(in: payload)
    if let commits {
      let written = try StreamPayload.bytes(of: commits)
      let again = try StreamPayload.commits(in: written)
      try require(again.map(\.bytes) == commits.map(\.bytes), "the commits of \(payload) become others")
      try require(try StreamPayload.bytes(of: again) == written, "\(written) becomes another payload")
    }
    try fold(bytes, content, commits, of: store)
    return commits != nil
  }

  private static func fold(
    _ bytes: [UInt8], _ content: StreamContent, _ commits: [PendingCommit]?, of store: ObjectID
  ) throws {
    // As if all that is before the commits were folded, so that only their own contents decide.
    let first = commits?.first?.header
    var place = StreamPlace(created: 1)
    if case .part = content, let first, first.position.number > 0 {
      place.position = Position(first.position.number - 1)
    }
    var fold = StreamFold(
      at: place, of: store, hash: first?.previousHash ?? .zero, recordedAt: Timestamp(microseconds: .min))
    for sequence in UInt64(1)...2 {
      let former = fold.place
      let step = try fold.fold(StreamMessage(sequence: sequence, bytes: bytes)) { _ in nil }
      try require(fold.tip == sequence, "message \(sequence) was not folded")
      if case .taken(let taken) = step {
        try require(
          fold.place.position.number == former.position.number + UInt64(taken.count),
          "\(taken.count) commits after \(former.position) lead to \(fold.place.position)")
      } else {
        try require(fold.place.position == former.position, "a message without commits moves the position")
      }
    }
  }

  /// Checks what the journal keeps about a stream, and the reports that nodes send to each other.
  static func streamRow(_ bytes: [UInt8]) throws -> Bool {
    var isTaken = false
    if let place = try? StreamPlace(bytes) {
      try require(StreamPlace(place.bytes) == place, "\(place) becomes \(place.bytes)")
      isTaken = true
    }
    if let fork = try? StreamFork(bytes) {
      try require(StreamFork(fork.bytes) == fork, "\(fork) becomes \(fork.bytes)")
      isTaken = true
    }
    if let report = try? NodeReport(bytes) {
      try require(NodeReport(report.bytes) == report, "\(report) becomes \(report.bytes)")
      isTaken = true
    }
    return isTaken
  }
}
