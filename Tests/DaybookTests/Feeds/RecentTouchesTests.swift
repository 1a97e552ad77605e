import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct RecentTouchesTests {
  private static func id(_ number: Int) -> ObjectID { ObjectID(high: 1, low: UInt64(number)) }

  @Test func answersAreThoseOfAPlainListAsFarAsItIsKept() throws {
    try SeededRandom.run { random in
      let touches = RecentTouches()
      var (floor, end) = (random.number(0...5), 0)
      end = floor
      touches.begin(at: Position(UInt64(floor)))
      var plain: [(position: Int, object: Int)] = []
      for _ in 0..<200 {
        if random.isTrue(percent: 2) {
          end += random.number(0...3)
          floor = end
          plain = []
          touches.begin(at: Position(UInt64(end)))
        }
        var commits: [(position: Position, objects: [ObjectID])] = []
        for _ in 0..<random.number(0...3) {
          end += random.number(1...2)
          let objects = Set((0..<random.number(0...4)).map { _ in random.number(0...20) })
          plain += objects.map { (end, $0) }
          commits.append((Position(UInt64(end)), objects.map(Self.id)))
        }
        touches.note(commits, through: Position(UInt64(end)))
        let (first, last) = (random.number(0...end), random.number(0...(end + 1)))
        let object = random.number(0...20)
        let known = first >= floor && last <= end
        let expected =
          first < last
          && (!known || plain.contains { $0.object == object && $0.position > first && $0.position <= last })
        let answer = touches.mayHaveTouched(
          [Self.id(object)], after: Position(UInt64(first)), through: Position(UInt64(last)))
        #expect(answer == expected, "seed \(random.seed)")
      }
    }
  }

  @Test func theOldestCommitsAreForgottenWhereTheirObjectsAreTooMany() {
    let touches = RecentTouches()
    touches.begin(at: 0)
    let count = RecentTouches.maximumCount
    for number in 1...(count + 10) {
      touches.note([(Position(UInt64(number)), [Self.id(number)])], through: Position(UInt64(number)))
    }
    let end = Position(UInt64(count + 10))
    // What was forgotten may have been touched.
    #expect(touches.mayHaveTouched([Self.id(0)], after: 9, through: end))
    #expect(!touches.mayHaveTouched([Self.id(10)], after: 10, through: end))
    #expect(touches.mayHaveTouched([Self.id(11)], after: 10, through: end))
  }

  /// An object that the row reaches at the end of a step was changed before it was reached, by a commit that moved no row.
  @Test(arguments: [false, true]) func aStepHasTheCausesOfTheDifferenceOfItsSpan(isStepwise: Bool) throws {
    let model = Model(entities: [
      Entity(
        name: "Box", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "things", target: "Thing", inverse: "box", isMany: true)]),
      Entity(
        name: "Thing", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "box", target: "Box", inverse: "things", isOptional: true)]),
    ])
    try withTemporaryStore(model) { store in
      let request = Request(entity: "Box", filter: try Filter(parsing: "ANY things.name == \"b\""))
      let (box, thing) = (Self.id(1), Self.id(2))
      try store.write { tx in
        try tx.insert("Box", ["name": "box"], id: box)
        try tx.insert("Thing", ["name": "a"], id: thing)
      }
      let start = try store.position
      let live = try store.liveResults(of: request, granularity: isStepwise ? .everyCommit : .coalesced)
      let joint = try store.jointResults(
        of: [.rows(of: request)], from: FeedCursor(start), granularity: isStepwise ? .everyCommit : .coalesced)
      try store.write { try $0.set(thing, ["name": "b"]) }
      let changed = try store.position
      // They learn that this commit moves no row.
      #expect(try live.update() == nil && joint.update() == nil)
      try store.write { try $0.relate(thing, "box", to: box) }
      let expected = try store.difference(of: request, from: start)
      #expect(expected.causes == [box: [changed, changed.next]])
      let change = try #require(try live.update())
      // A result has moved over the first commit: what it showed was of that position.
      #expect(try change.causes == store.difference(of: request, from: changed).causes && change.from == changed)
      guard case .rows(let part)?? = try joint.update()?.parts.first else {
        Issue.record("there is no step")
        return
      }
      #expect(part.causes == expected.causes && part.from == expected.from && part.to == expected.to)
    }
  }
}
