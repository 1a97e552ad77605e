import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// Live results of the targets of a relationship from one object.
final class ChildrenFollower {
  private let side: ReferenceState.Side
  private let parent: ObjectID
  private let feed: FeedRun
  private let results: LiveResults<StoredObject>
  private var shown: SectionedIDs<ObjectID>

  /// Creates a follower, or returns `nil` if no object has a relationship.
  init?(of feed: FeedRun, random: inout SeededRandom) throws {
    let state = feed.reference.state
    let sides = state.model.model.entities.flatMap { entity in
      entity.relationships.map { ReferenceState.Side(entity.name, $0.name) }
    }
    guard !sides.isEmpty else { return nil }
    let side = random.pick(sides)
    let parents = state.objects(of: side.entity)
    guard !parents.isEmpty else { return nil }
    (self.side, self.feed) = (side, feed)
    parent = random.pick(parents)
    let request = try feed.store.childrenRequest(of: parent, side.name)
    results = try feed.store.liveResults(
      of: request, granularity: random.isTrue(percent: 30) ? .everyCommit : .coalesced)
    shown = SectionedIDs(unsectioned: [])
    shown = wanted
    try check()
    let fetched = try feed.store.fetch(request).ids
    guard fetched == shown else { throw Mismatch("the children are \(fetched) instead of \(shown)") }
  }

  private var wanted: SectionedIDs<ObjectID> {
    SectionedIDs(unsectioned: feed.states[Int(results.position.number) - 1].targets(side, parent))
  }

  func step() throws {
    try check()
    while let change = try results.update() {
      shown = change.isReset ? wanted : try shown.applying(change.difference)
      try check()
    }
    try check()
    guard results.position.number == feed.head else { throw Mismatch("it stands at \(results.position)") }
  }

  private func check() throws {
    guard shown == wanted else { throw Mismatch("\(side) of \(parent) is \(shown) instead of \(wanted)") }
    do {
      let ids = try results.ids
      guard ids == shown else { throw Mismatch("\(side) of \(parent) reads as \(ids) instead of \(shown)") }
    } catch let error as StoreError where error.code == .expired {
      // After a change of a part of the model that the request reaches.
      guard feed.modelPositions.last! > results.position.number else { throw error }
    }
  }
}
