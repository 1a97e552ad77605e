import DaybookEngine
import DaybookModel

extension WriteSession {
  /// Calls `body` with each event of a span of commits; models are left out.
  package func forEachEvent(
    from first: Position, through last: Position, _ body: (Position, EventView) throws -> Void
  ) throws {
    guard first <= last else { return }
    try journalReader.forEachCommit(from: first, through: last) { commit in
      guard !commit.header.isModel else { return true }
      var events = commit.events
      while !events.isAtEnd { try body(commit.header.position, try events.next()) }
      return true
    }
  }
}
