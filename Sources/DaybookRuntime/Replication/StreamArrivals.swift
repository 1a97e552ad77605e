import DaybookEngine

/// Commits of the stream that follow the journal of the node, and are not in it yet.
///
/// They are appended in a session of their own, or at the beginning of one that writes: then the commits of other nodes
/// and the node's own share a flush.
struct StreamArrivals {
  /// The most messages, and bytes of messages, whose commits are appended in one session.
  private static let maximum = (count: 512, sizeInBytes: 16 << 20)

  /// The place of the journal that they follow; `nil` if it has read no message.
  let start: StreamPlace?
  /// The place after them.
  private(set) var end: StreamPlace
  private(set) var commits: [PendingCommit] = []
  private var messageCount = 0
  private var sizeInBytes = 0
  /// Whether the stream has no further message, nor lacks a commit of the journal.
  var areAll = false

  /// Whether the place is moved wherever it is.
  let replacesAnyPlace: Bool

  init(after start: StreamPlace?, to end: StreamPlace, replacesAnyPlace: Bool = false) {
    (self.start, self.end, self.replacesAnyPlace) = (start, end, replacesAnyPlace)
  }

  /// Whether the journal stays as it is.
  var isEmpty: Bool { start == end && !replacesAnyPlace }
  /// Whether they are appended before further messages are read.
  ///
  /// The parts of a payload that is not complete do not count; there may be as many as the payload needs.
  var isFull: Bool {
    !isEmpty && (messageCount >= StreamArrivals.maximum.count || sizeInBytes >= StreamArrivals.maximum.sizeInBytes)
  }

  /// Adds what a message gave.
  mutating func add(_ taken: [PendingCommit], sizeInBytes: Int, to end: StreamPlace) {
    commits += taken
    messageCount += 1
    self.sizeInBytes += sizeInBytes
    self.end = end
  }
}

/// The error of commits that another process of the node, or another thread, has appended meanwhile.
struct StreamPlaceMoved: Error {}
