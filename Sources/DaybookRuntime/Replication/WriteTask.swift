import DaybookEngine
import DaybookModel

/// What one write of a node knows of its attempts, and decides after a refused one.
///
/// A write reads the stream up to its goal, makes its commits after the commits of other nodes, and publishes them; if another
/// node was faster, it does so again.
struct WriteTask {
  /// The refusals after which a write is announced, so that other nodes let it pass.
  static let announcedAttempts = 4

  /// How far the stream is read before the next session; `nil` if it need not be read.
  var goal: ReadingGoal?
  /// The announcement of this write, and the message that has it.
  private(set) var reservation: (attempt: ObjectID, sequence: UInt64?)?
  private(set) var attempts = 0

  init(until goal: ReadingGoal?) { self.goal = goal }

  /// What follows from a refusal.
  enum Decision: Equatable {
    /// The stream is read up to the goal, and the write runs again.
    case read
    /// An announcement is published first.
    case announce(ObjectID)
    /// Other nodes were faster too often.
    case giveUp
  }

  mutating func decide(after refusal: PublicationRefused, _ node: inout NodeState, announcingAs newAttempt: ObjectID)
    -> Decision
  {
    attempts += 1
    guard attempts < node.limits.maximumAttempts else { return .giveUp }
    goal = refusal.sequence > 0 ? .message(refusal.sequence) : .end
    guard refusal.messageCount > 1 || attempts >= WriteTask.announcedAttempts else { return .read }
    // Another thread's announcement is of use to this write too.
    let own = reservation?.attempt
    guard node.reservation == nil || node.reservation == own else { return .read }
    let attempt = own ?? newAttempt
    node.reservation = attempt
    reservation = (attempt, reservation?.sequence)
    return .announce(attempt)
  }

  /// Records the message that has the announcement; `nil` if it was not made.
  mutating func announced(in sequence: UInt64?) {
    if let sequence { reservation?.sequence = sequence }
    goal = sequence.map { .message($0) } ?? .end
  }
}
