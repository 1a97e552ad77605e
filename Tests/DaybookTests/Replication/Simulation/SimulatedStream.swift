import DaybookEngine
import DaybookModel

/// The servers of a simulation: one sequence of messages, and the commits that its fold takes.
struct SimulatedStream {
  /// Small enough that a commit may need several messages.
  static let messageSizeInBytes = StreamPart.overheadInBytes + 500

  let store: ObjectID
  private(set) var messages: [[UInt8]] = []
  /// The commits that every node takes from the messages.
  private(set) var commits: [PendingCommit] = []
  private var fold: StreamFold
  /// How often the end of the stream was lost.
  private(set) var truncationCount = 0

  init(of store: ObjectID) {
    self.store = store
    fold = SimulatedStream.start(of: store)
  }

  private static func start(of store: ObjectID) -> StreamFold {
    StreamFold(
      at: StreamPlace(created: 1), of: store, hash: .zero, recordedAt: Timestamp(microseconds: .min))
  }

  var place: StreamPlace { fold.place }

  var state: StreamState {
    StreamState(
      created: 1, lastSequence: UInt64(messages.count), maximumMessageSizeInBytes: SimulatedStream.messageSizeInBytes)
  }

  mutating func publish(_ bytes: [UInt8], after sequence: UInt64) -> PublishOutcome {
    guard UInt64(messages.count) == sequence else { return .refused }
    append(bytes)
    return .acknowledged(UInt64(messages.count))
  }

  private mutating func append(_ bytes: [UInt8]) {
    messages.append(bytes)
    let message = StreamMessage(sequence: UInt64(messages.count), bytes: bytes)
    // No journal has further commit ids.
    guard case .taken(let taken)? = try? fold.fold(message, knownPosition: { _ in nil }) else { return }
    commits += taken
  }

  func messages(from first: UInt64, count: Int) -> StreamMessages {
    let start = min(Int(first) - 1, messages.count)
    let end = min(start + count, messages.count)
    return StreamMessages(Array(messages[start..<end]), endStream: end - start < count)
  }

  func message(at sequence: UInt64) -> [UInt8]? {
    sequence > 0 && sequence <= UInt64(messages.count) ? messages[Int(sequence) - 1] : nil
  }

  /// Loses the last messages, but not the first one.
  mutating func truncate(by count: Int) {
    guard messages.count > 1, count > 0 else { return }
    truncationCount += 1
    let kept = messages.dropLast(min(count, messages.count - 1))
    (messages, commits, fold) = ([], [], SimulatedStream.start(of: store))
    for bytes in kept { append(bytes) }
  }
}
