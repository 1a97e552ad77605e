import DaybookEngine
import DaybookModel

/// Publishes the messages of a payload, one after the other, until the stream has all of them.
struct PublishTask {
  let publication: Publication
  private var index: Int
  private var send: SendTask
  /// Whether the stream has all messages.
  private(set) var isDone = false

  init(_ publication: Publication, _ limits: NodeState.Limits, at now: ContinuousClock.Instant) {
    self.init(publication, from: 0, limits, at: now)
  }

  /// Sends the last message of a publication again, whose outcome is not known.
  init(resolving publication: Publication, _ limits: NodeState.Limits, at now: ContinuousClock.Instant) {
    self.init(publication, from: publication.messages.count - 1, limits, at: now)
  }

  private init(
    _ publication: Publication, from index: Int, _ limits: NodeState.Limits, at now: ContinuousClock.Instant
  ) {
    (self.publication, self.index) = (publication, index)
    send = PublishTask.send(index, of: publication, limits, at: now)
  }

  private static func send(
    _ index: Int, of publication: Publication, _ limits: NodeState.Limits, at now: ContinuousClock.Instant
  ) -> SendTask {
    SendTask(publication.messages[index], after: publication.start + UInt64(index), until: now + limits.timeLimit)
  }

  /// Returns what to do next; nothing once it is done.
  ///
  /// - Throws: ``PublicationRefused``; ``StreamUnavailable`` if nothing was written; ``PublicationUnknown``, after which
  ///   the node publishes nothing before the outcome is known.
  mutating func handle(
    _ input: NodeState.Input, _ node: inout NodeState, at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    var input = input
    while true {
      switch send.handle(input, at: now) {
      case .action(let action): return [action]
      case .done(.acknowledged):
        index += 1
        guard index < publication.messages.count else {
          isDone = true
          return []
        }
        send = PublishTask.send(index, of: publication, node.limits, at: now)
        input = .start
      case .done(.refused):
        throw PublicationRefused(
          sequence: publication.start + UInt64(index) + 1, messageCount: publication.messages.count)
      case .done(.unsent(let reason)): throw StreamUnavailable(reason)
      case .done(.unknown(let reason)):
        // Without its last part a payload is not complete, and the last part was not sent.
        guard index == publication.messages.count - 1 else { throw StreamUnavailable(reason) }
        node.unresolved = publication
        throw PublicationUnknown(commitID: publication.commitID, reason: reason)
      }
    }
  }
}

/// The error of a publication whose last message was sent, and neither acknowledged nor refused.
struct PublicationUnknown: Error {
  let commitID: ObjectID?
  let reason: String
}
