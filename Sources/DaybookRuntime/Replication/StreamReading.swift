import DaybookEngine
import DaybookModel

/// How far a stream is read.
package enum ReadingGoal: Hashable {
  /// To its present end.
  case end
  /// To the present end, which is this message or a later one.
  case message(UInt64)
  /// To a commit that another node reports to have, or to the end.
  case position(Position)

  /// Whether the fold has come so far; the end of the stream is then not asked for.
  func isReached(by fold: StreamFold) -> Bool {
    guard case .position(let position) = self else { return false }
    return !fold.isInPayload && fold.place.position >= position
  }

  /// The message that must be there, or 0.
  var minimum: UInt64 { if case .message(let number) = self { number } else { 0 } }

  /// How many commits a fold lacks, or 0 if that is not known.
  func missingCount(after fold: StreamFold) -> UInt64 {
    guard case .position(let position) = self, position > fold.place.position else { return 0 }
    return position.number - fold.place.position.number
  }
}

/// The state from which reading a stream continues.
struct StreamReading {
  /// The fold of the messages that were read, and what the journal lacks of their commits.
  var progress: (fold: StreamFold, arrivals: StreamArrivals)?
  /// The messages after the fold that were requested with others.
  private var requested: ArraySlice<[UInt8]> = []
  /// Whether the stream had no message after those that were requested.
  private var isAtEnd = false
  /// How many messages were found one after the other.
  private var foundCount: UInt64 = 0
  /// The size of the last message, in bytes.
  private var messageSizeInBytes = 0
  /// About how many commits a message has, at least 1.
  private var commitsPerMessage = 1.0
  /// The last part of a payload that is not complete, and when it was read.
  var latestPart: (time: ContinuousClock.Instant, digest: Digest)?
  /// Whether the stream must be folded from its beginning, because it contradicts the journal.
  var startsOver = false
  /// A message that contradicts the journal is known up to here: the last one when the stream was last folded from its
  /// beginning.
  var contradictionsEnd: UInt64 = 0
  /// The last message that the stream is known to have.
  var knownEnd: UInt64 = 0
  /// The last report of each node for which the stream was compared with the journal.
  var doubtedReports: [ObjectID: NodeReport] = [:]

  /// The most messages, and about the most bytes, that are requested at once.
  private static let maximumRequest = (count: UInt64(32), sizeInBytes: 4 << 20)

  /// Forgets how far the stream was read.
  mutating func restart() { (progress, requested, isAtEnd, foundCount, latestPart) = (nil, [], false, 0, nil) }

  /// Forgets where the stream ended, which may have grown since.
  mutating func begin() { (isAtEnd, foundCount) = (false, 0) }

  /// Continues after the place of the journal, which may have moved since the last time.
  ///
  /// - Parameter makeFold: Makes the fold of a stream up to a place.
  mutating func align(with place: StreamPlace?, _ makeFold: (StreamPlace) throws -> StreamFold) throws {
    if let progress, progress.arrivals.start == place { return }
    if let end = progress?.arrivals.end, end == place {
      progress?.fold.forgetIDs()
    } else {
      restart()
    }
    let start = place ?? StreamPlace(created: 0)
    progress = (try progress?.fold ?? makeFold(start), StreamArrivals(after: place, to: start))
  }

  /// Whether the goal is reached, or so much was read that it is to be appended.
  func hasEnough(for goal: ReadingGoal) -> Bool {
    progress.map { $0.arrivals.isFull || goal.isReached(by: $0.fold) } ?? true
  }

  /// What reading does next.
  enum Step {
    case message(StreamMessage)
    /// Requests consecutive messages, as many as there are up to a number.
    case request(first: UInt64, count: Int)
    /// The stream has no further message.
    case end
  }

  /// Returns what reading does next.
  mutating func next(until goal: ReadingGoal) -> Step {
    guard let fold = progress?.fold else { return .end }
    let (tip, number) = (fold.tip, fold.tip + 1)
    if requested.isEmpty, !isAtEnd {
      // Messages that are known with the one after them, those that probably hold the commits, or twice as many as were
      // found before.
      let known = max(knownEnd, goal.minimum)
      let missingCount = goal.missingCount(after: fold)
      // Another node may report any position.
      let most = StreamReading.maximumRequest.count
      let probableCount = min(Double(missingCount) / commitsPerMessage, Double(most)).rounded(.up)
      let count = min(
        max(known > tip ? min(known - tip, most) + 1 : 1, missingCount > 0 ? UInt64(probableCount) : 2 * foundCount),
        most, UInt64(clamping: max(StreamReading.maximumRequest.sizeInBytes / max(messageSizeInBytes, 1), 1)))
      return .request(first: number, count: Int(count))
    }
    guard let bytes = requested.popFirst() else {
      isAtEnd = false
      // The servers have lost it since then.
      knownEnd = min(knownEnd, tip)
      // The whole stream was compared with the journal.
      if contradictionsEnd == .max { contradictionsEnd = tip }
      return .end
    }
    messageSizeInBytes = bytes.count
    return .message(StreamMessage(sequence: number, bytes: bytes))
  }

  /// Takes the messages that were requested.
  mutating func receive(_ found: StreamMessages) {
    (requested, isAtEnd) = (found.bytes[...], found.endStream || found.bytes.isEmpty)
    foundCount += UInt64(requested.count)
  }

  /// Notes how many commits a message had.
  mutating func noteCommits(_ count: Int) {
    commitsPerMessage = max(1, commitsPerMessage + (Double(count) - commitsPerMessage) / 8)
  }
}
