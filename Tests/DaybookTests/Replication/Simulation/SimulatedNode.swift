import DaybookEngine
import DaybookModel

@testable import DaybookRuntime

/// A node of a simulation: its disk, what its process knows, and what that process does now.
struct SimulatedNode {
  /// Why the stream is read.
  enum Purpose {
    case following, writing
    case announcing(ObjectID)
  }

  enum Activity {
    case idle
    case reading(ReadTask, Purpose)
    /// The part of an announcement is sent.
    case announcing(ObjectID, after: UInt64)
    case publishing(PublishTask, PendingCommit, StreamArrivals?)
    /// What became of an earlier publication is asked.
    case resolving(PublishTask)
  }

  let id: ObjectID
  let store: ObjectID
  var journal = PlainJournal()
  var backup: PlainJournal?
  var state: NodeState
  var activity = Activity.idle
  /// The write in progress, and what its commit is like.
  var write: (task: WriteTask, id: ObjectID, size: Int, arrivals: StreamArrivals?)?
  /// The number of the request whose answer the process awaits.
  var awaited: Int?
  /// When the present wait is over.
  var wakeTime: ContinuousClock.Instant?
  /// The conflict that ended the last reading or write, if one did.
  var failure: StoreError?
  var isStopped = false
  var isCutOff = false

  init(_ id: ObjectID, of store: ObjectID) {
    (self.id, self.store) = (id, store)
    state = SimulatedNode.state(id, store)
    state.connection = 1
  }

  private static func state(_ id: ObjectID, _ store: ObjectID) -> NodeState {
    NodeState(
      node: id, store: store,
      limits: NodeState.Limits(
        timeLimit: .milliseconds(200), incompletePayloadTimeout: .milliseconds(100), maximumAttempts: 16))
  }

  /// Ends the process; what is not on the disk is lost.
  mutating func stop() {
    let connection = state.connection
    state = SimulatedNode.state(id, store)
    state.connection = connection + 1
    (activity, write, awaited, wakeTime, isStopped) = (.idle, nil, nil, nil, true)
  }

  var report: NodeReport { get throws { try journal.report(of: id) } }
}
