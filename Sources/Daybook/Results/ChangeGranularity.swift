/// What one change of a feed covers, if several commits were made since the last one.
public enum ChangeGranularity: Hashable, Sendable {
  /// All commits that were made since: a slow consumer receives one change for everything that it missed.
  case coalesced
  /// One commit that changed something.
  case everyCommit
}
