import DaybookRuntime

extension LiveResults {
  /// The differences of this result as they occur; each step of a loop moves the result on.
  ///
  /// Nothing is queued: a slow loop receives one difference for everything that it missed, unless every commit was
  /// requested. The loop ends when its task is cancelled, and throws when the store is closed. Of several loops at
  /// once, each difference goes to one.
  public var changes: Feed<ResultsChange> { Feed { self } }
}
