import DaybookDiff
import DaybookTestSupport
import DifferenceCases
import Testing

/// Random batches of changes of a random store under a random request, against the reference.
@Suite(.hangLimit) struct RandomDifferenceTests {
  private typealias Store = PlainStore<Int, Int>

  private static let names = ["", "A", "B", "C", "D"]

  @Test func smallBatches() throws {
    try SeededRandom.run(Rounds.of(100_000)) { random in
      try randomSituation(rows: random.number(0..<9), changes: random.number(1..<6), &random).checkEverything()
    }
  }

  @Test func largeBatches() throws {
    try SeededRandom.run(Rounds.of(500)) { random in
      try randomSituation(rows: random.number(0..<120), changes: random.number(1..<100), &random).checkEverything()
    }
  }

  private func randomSituation(rows: Int, changes: Int, _ random: inout SeededRandom) -> Situation<Int> {
    let span = random.isOneIn(2) ? 4 : rows * 2 + 4
    var before = Store()
    for id in 0..<rows { before.rows[id] = randomRow(span, &random) }
    var after = before
    for _ in 0..<changes { change(&after, span, &random) }
    return after.situation(from: before, randomRequest(rows, &random))
  }

  private func randomRow(_ span: Int, _ random: inout SeededRandom) -> Store.Row {
    Store.Row(
      section: Self.names.randomElement(using: &random)!, key: random.number(0..<span),
      payload: "\(random.number(0..<3))", matches: !random.isOneIn(5))
  }

  private func change(_ store: inout Store, _ span: Int, _ random: inout SeededRandom) {
    let id = random.number(0..<(store.rows.count + 2))
    let other = randomRow(span, &random)
    switch random.number(0..<8) {
    case 0: store.rows[id] = nil
    case 1: store.rows[id]?.section = other.section
    case 2: store.rows[id]?.payload = other.payload
    case 3: store.rows[id]?.matches = other.matches
    case 4: store.rows[id] = other
    default: store.rows[id]?.key = other.key
    }
  }

  private func randomRequest(_ rows: Int, _ random: inout SeededRandom) -> Store.Request {
    var request = Store.Request()
    request.sections = [.none, .rising, .falling, .explicit(Self.names.shuffled(using: &random))]
      .randomElement(using: &random)!
    request.keysFall = random.isOneIn(2)
    if random.isOneIn(3) { request.limit = random.number(0..<(rows + 1)) }
    if random.isOneIn(4) { request.offset = random.number(0..<(rows / 2 + 1)) }
    return request
  }
}
