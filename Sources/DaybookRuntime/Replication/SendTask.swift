import DaybookEngine
import DaybookModel

/// Sends a message again and again until it is acknowledged or refused, or the time is over.
///
/// After an attempt without an answer, nothing that can be read proves that the message is not on its way. Only the refusal
/// of the same message does, or another message in its place.
struct SendTask {
  private enum Phase { case ready, publishing, looking, waiting }

  /// What comes of a step.
  enum Step {
    case action(NodeState.Action)
    case done(PublishOutcome)
  }

  let message: [UInt8]
  /// The message after which it is sent.
  let sequence: UInt64
  private let deadline: ContinuousClock.Instant
  private var phase = Phase.ready
  private var failure: (isSent: Bool, reason: String) = (false, "the time limit is 0")

  /// How long one answer is awaited, and the time between two attempts.
  private static let (answerTime, pause) = (Duration.seconds(2), Duration.milliseconds(20))

  init(_ message: [UInt8], after sequence: UInt64, until deadline: ContinuousClock.Instant) {
    (self.message, self.sequence, self.deadline) = (message, sequence, deadline)
  }

  mutating func handle(_ input: NodeState.Input, at now: ContinuousClock.Instant) -> Step {
    switch input {
    case .start, .timer: return attempt(at: now)
    case .published(let outcome): return handle(outcome)
    case .message(let found?):
      return .done(found == message ? .acknowledged(sequence + 1) : .refused)
    case .message(nil), .messages, .streamState: return pause()
    }
  }

  private mutating func attempt(at now: ContinuousClock.Instant) -> Step {
    guard now < deadline else {
      return .done(failure.isSent ? .unknown(failure.reason) : .unsent(failure.reason))
    }
    phase = .publishing
    return .action(.publish(message, after: sequence, waiting: min(deadline - now, SendTask.answerTime)))
  }

  private mutating func handle(_ outcome: PublishOutcome) -> Step {
    switch outcome {
    case .acknowledged(sequence + 1): return .done(outcome)
    case .acknowledged(let number): failure = (true, "the message was stored as \(number), not \(sequence + 1)")
    case .refused:
      guard failure.isSent else { return .done(.refused) }
      // An earlier attempt of the same message may be the reason.
      phase = .looking
      return .action(.requestMessage(sequence + 1, isRepeated: false))
    case .unsent(let reason): failure.reason = reason
    case .unknown(let reason): failure = (true, reason)
    }
    return pause()
  }

  private mutating func pause() -> Step {
    phase = .waiting
    return .action(.wait(SendTask.pause))
  }
}
